import { isCanceled, PrometheusError } from '../prometheus/failures.ts';

/** Something that is asked for now and then, and kept in between. */
export interface KeptAnswer<Value> {
  readonly value: Value;
  /** Why it could not be asked for the last time; undefined where it could. */
  readonly failure: PrometheusError | undefined;
  /**
   * Asks again where what is known is old. A failure leaves what was known before.
   * @param signal ends the question because the caller gave up; any other end of it is a failure.
   * @throws PrometheusError of kind `canceled` where the caller gave up
   */
  update(evaluatedAtMs: number, ask: () => Promise<Value>, signal?: AbortSignal): Promise<void>;
}

/** Asked about the whole window, which costs too much for every refresh. */
const keptMs = 3_600_000;
/** A question that failed is not asked at every refresh either. */
const retryMs = 600_000;

export function createKeptAnswer<Value>(initial: Value): KeptAnswer<Value> {
  let value = initial;
  let failure: PrometheusError | undefined;
  let askAgainAtMs = Number.NEGATIVE_INFINITY;
  return {
    get value() {
      return value;
    },
    get failure() {
      return failure;
    },
    async update(evaluatedAtMs, ask, signal) {
      if (evaluatedAtMs < askAgainAtMs) return;
      try {
        value = await ask();
        failure = undefined;
        askAgainAtMs = evaluatedAtMs + keptMs;
      } catch (error) {
        if (!(error instanceof PrometheusError) || (isCanceled(error) && signal?.aborted === true))
          throw error;
        failure = error;
        askAgainAtMs = evaluatedAtMs + retryMs;
      }
    },
  };
}
