import { setMaxListeners } from 'node:events';
import { type Failure, FailureSignal } from './failures.ts';

/** Ends one query early: by its caller, by its time limit, or because the client closes. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Rejects with the reason when the query is ended early; stays pending otherwise. */
  readonly rejection: Promise<never>;
  /** Starts the time limit. */
  start(timeoutMs: number): void;
  /** Why the query is asked again: a time limit that comes later names it, or the cause would be lost. */
  askedAgainAfter(detail: string): void;
  /** Why the query was ended early; undefined while it may run. */
  reason(): Failure | undefined;
  cancel(): void;
  /** Must be called once the query is over: it releases the timer and the caller's signal. */
  dispose(): void;
}

// `AbortSignal.any` would do most of this, but in Node 20 it keeps every derived signal alive for as long as the
// caller's signal lives.
export function createInterruption(callerSignal: AbortSignal | undefined): Interruption {
  const controller = new AbortController();
  let failure: Failure | undefined;
  let timer: NodeJS.Timeout | undefined;
  let earlierDetail: string | undefined;
  let reject: (error: FailureSignal) => void = () => undefined;
  const rejection = new Promise<never>((_resolve, rejectPromise) => {
    reject = rejectPromise;
  });
  // Whoever waits for it sees the rejection; where nobody does it is no fault.
  rejection.catch(() => undefined);

  const end = (cause: Failure): void => {
    if (failure !== undefined) return;
    failure = cause;
    reject(new FailureSignal(cause));
    controller.abort();
  };
  const cancel = (): void => end({ kind: 'canceled', detail: 'it was canceled' });

  if (callerSignal?.aborted === true) cancel();
  if (callerSignal !== undefined) {
    // One signal ends all queries of a refresh: Node would take the eleventh listener for a leak.
    setMaxListeners(0, callerSignal);
    callerSignal.addEventListener('abort', cancel, { once: true });
  }

  return {
    signal: controller.signal,
    rejection,
    start(timeoutMs) {
      timer = setTimeout(() => {
        const before = earlierDetail === undefined ? '' : `, asked again because ${earlierDetail}`;
        end({ kind: 'timeout', detail: `no complete answer within ${timeoutMs} ms${before}` });
      }, timeoutMs);
    },
    askedAgainAfter(detail) {
      earlierDetail = detail;
    },
    reason: () => failure,
    cancel,
    dispose() {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', cancel);
    },
  };
}
