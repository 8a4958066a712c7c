import type { UsageSource } from '../inputs/usage-sources.ts';
import { type Hour, hourMs, hourOf } from './hour.ts';
import { countHeldSamplesPerHour, type PeakQueryContext } from './peak-query.ts';

/**
 * Samples a question may make the backend hold at once: a fifth of the 50 million that Prometheus allows one query by
 * default (`--query.max-samples`), for others ask at the same time.
 */
const defaultMaxHeldSamples = 10_000_000;
/** Points of an answer to read and hold here at once. */
const maxAnswerPoints = 1_000_000;

/** Foresees how much a question may ask for. What cannot be foreseen is refused, and then split. */
export interface QuestionSizes {
  /**
   * Hours of one question about the past, asked in this many parts.
   * @throws PrometheusError
   */
  maxHours(
    context: PeakQueryContext,
    question: { timeMs: number; pods: number; parts: number },
  ): Promise<number>;
  /**
   * Parts in which a stretch of time should be asked for.
   * @throws PrometheusError
   */
  parts(context: PeakQueryContext, question: { timeMs: number; rangeMs: number }): Promise<number>;
}

export function createQuestionSizes(maxHeldSamples = defaultMaxHeldSamples): QuestionSizes {
  // The number of series changes slowly: counted once an hour.
  const counted = new Map<UsageSource, { hour: Hour; perHour: number }>();

  async function heldPerHour(context: PeakQueryContext, timeMs: number): Promise<number> {
    const hour = hourOf(timeMs);
    const before = counted.get(context.source);
    if (before?.hour === hour) return before.perHour;
    const perHour = await countHeldSamplesPerHour(context, timeMs);
    counted.set(context.source, { hour, perHour });
    return perHour;
  }

  return {
    async maxHours(context, { timeMs, pods, parts }) {
      const byHeld = (maxHeldSamples * parts) / (await heldPerHour(context, timeMs));
      const byAnswer = (maxAnswerPoints * parts) / pods;
      return Math.max(1, Math.floor(Math.min(byHeld, byAnswer)));
    },
    async parts(context, { timeMs, rangeMs }) {
      const held = (await heldPerHour(context, timeMs)) * (rangeMs / hourMs);
      return Math.max(1, Math.ceil(held / maxHeldSamples));
    },
  };
}
