import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Config } from './config/options.ts';
import type { Clock } from './foundation/clock.ts';
import { describeError } from './foundation/errors.ts';
import type { Logger } from './foundation/logger.ts';
import type { PackedText } from './outputs/metrics/page.ts';
import type {
  ControlMessage,
  PodName,
  QueryEvent,
  RefreshMessage,
  RefreshWorkerData,
} from './refresh-messages.ts';
import { nothingYet, type RefreshState } from './snapshot/refresh-loop.ts';
import { createSnapshotAssembly } from './snapshot/transfer.ts';
import type { PodHour } from './window/pod-hours.ts';

/** The serving thread's side of the refreshing one. */
export interface RefreshThread {
  state(): RefreshState;
  packed(): PackedText | undefined;
  /** What the window keeps of a pod. Rejects where the thread does not answer in time. */
  podHours(pod: PodName): Promise<readonly PodHour[] | undefined>;
  /**
   * Cancels a refresh under way, lets the thread save, and waits for its end, at most `stopTimeoutMs`; then ends it by
   * force. False where not even that helps.
   */
  stop(): Promise<boolean>;
}

export interface RefreshThreadDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told after every refresh, once the state has changed. */
  readonly onRefresh: (state: RefreshState, queries: readonly QueryEvent[]) => void;
}

/** SIGTERM must end the process within five seconds. */
const stopTimeoutMs = 4_000;
/** A thread that waits for a disk that hangs cannot be ended, and Node would wait for it forever. */
const terminateTimeoutMs = 500;
/** A thread that died, of lack of memory for instance, is started anew after this; the last good data stay. */
const restartDelayMs = 5_000;
/** The thread answers between two steps of its work, the longest of which takes a second or two. */
const answerTimeoutMs = 5_000;
/**
 * V8 lets a heap that may become larger than 2 GiB grow fourfold between two collections, a smaller one twofold
 * (`src/heap/memory-controller` of V8): the 150,000 pods of the largest clusters take 350 MB, not 1.2 GB. It is also the
 * most that a refresh may take before the thread is given up.
 */
const maxHeapMebibytes = 2_000;

export function startRefreshThread(deps: RefreshThreadDeps): RefreshThread {
  const { config, clock, logger, onRefresh } = deps;
  let state: RefreshState = nothingYet;
  let packed: PackedText | undefined;
  let incoming = createSnapshotAssembly();
  const questions = new Map<number, (hours: readonly PodHour[] | undefined) => void>();
  let lastQuestion = 0;
  let stopping = false;
  let worker = spawn();

  function spawn(): Worker {
    const workerData: RefreshWorkerData = { config };
    const spawned = new Worker(new URL('./refresh-worker.js', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMebibytes },
    });
    let failure: unknown;
    incoming = createSnapshotAssembly();
    spawned.on('message', (message: RefreshMessage) => receive(spawned, message));
    spawned.on('error', (error) => {
      failure = error;
    });
    spawned.on('exit', (code) => {
      if (stopping) return;
      restart(failure ?? new Error(`exit code ${code}`));
    });
    return spawned;
  }

  function receive(from: Worker, message: RefreshMessage): void {
    switch (message.kind) {
      case 'piece':
        incoming.add(message.piece);
        from.postMessage({ kind: 'next' } satisfies ControlMessage);
        break;
      case 'published':
        // Both in one turn, so that a scrape and the API show the same refresh.
        state = {
          ...state,
          snapshot: incoming.finish(message.head),
          evaluatedMonotonicMs: performance.now() - message.ageMs,
        };
        packed = message.packed;
        incoming = createSnapshotAssembly();
        break;
      case 'done':
        // Pieces of a refresh that failed while it was handed over.
        incoming = createSnapshotAssembly();
        state = { ...state, ...message.outcome };
        onRefresh(state, message.queries);
        break;
      case 'podHours':
        questions.get(message.id)?.(message.hours);
        break;
      case 'stopped':
        break;
    }
  }

  function restart(failure: unknown): void {
    const lastError = `the refreshing thread ended: ${describeError(failure)}`;
    logger.error({ error: lastError, restartDelayMs }, 'refresh failed');
    state = { ...state, lastOutcome: 'failed', lastError, lastFinishedAtMs: clock() };
    onRefresh(state, []);
    setTimeout(() => {
      if (!stopping) worker = spawn();
    }, restartDelayMs).unref();
  }

  async function podHours(pod: PodName): Promise<readonly PodHour[] | undefined> {
    const id = ++lastQuestion;
    const timeout = new AbortController();
    try {
      return await Promise.race([
        new Promise<readonly PodHour[] | undefined>((resolve) => {
          questions.set(id, resolve);
          worker.postMessage({ kind: 'podHours', id, pod } satisfies ControlMessage);
        }),
        delay(answerTimeoutMs, undefined, { signal: timeout.signal }).then(() => {
          throw new Error('the refreshing thread is busy; try again in a moment');
        }),
      ]);
    } finally {
      questions.delete(id);
      timeout.abort();
    }
  }

  return {
    podHours,
    state: () => state,
    packed: () => packed,
    async stop() {
      stopping = true;
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.postMessage({ kind: 'stop' } satisfies ControlMessage);
      await endsWithin(stopTimeoutMs, ended);
      return endsWithin(terminateTimeoutMs, worker.terminate());
    },
  };
}

async function endsWithin(ms: number, end: Promise<unknown>): Promise<boolean> {
  const timeout = new AbortController();
  const isInTime = await Promise.race([
    end.then(() => true),
    delay(ms, false, { signal: timeout.signal }).catch(() => false),
  ]);
  timeout.abort();
  return isInTime;
}
