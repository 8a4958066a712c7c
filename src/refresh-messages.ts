import type { Config } from './config/options.ts';
import type { Pod } from './model/pod.ts';
import type { PackedText } from './outputs/metrics/page.ts';
import type { QueryObserver } from './prometheus/client.ts';
import type { RefreshOutcome } from './snapshot/refresh-loop.ts';
import type { SnapshotHead, SnapshotPiece } from './snapshot/transfer.ts';
import type { PodHour } from './window/pod-hours.ts';

/** What the refreshing thread is started with. */
export interface RefreshWorkerData {
  readonly config: Config;
}

export type PodName = Pick<Pod, 'cluster' | 'namespace' | 'name'>;

export type QueryEvent = Parameters<QueryObserver['queryDone']>[0];

/** From the refreshing thread to the serving one. Each `piece` waits for a `next` before another is sent. */
export type RefreshMessage =
  | { readonly kind: 'piece'; readonly piece: SnapshotPiece }
  | {
      readonly kind: 'published';
      readonly head: SnapshotHead;
      readonly packed: PackedText;
      /** Time since the evaluation; each thread's monotonic clock has a zero of its own. */
      readonly ageMs: number;
    }
  | { readonly kind: 'done'; readonly outcome: RefreshOutcome; readonly queries: readonly QueryEvent[] }
  | { readonly kind: 'podHours'; readonly id: number; readonly hours: readonly PodHour[] | undefined }
  | { readonly kind: 'stopped' };

/** From the serving thread to the refreshing one. */
export type ControlMessage =
  | { readonly kind: 'next' }
  /** Answered by a message of the same kind and id. */
  | { readonly kind: 'podHours'; readonly id: number; readonly pod: PodName }
  | { readonly kind: 'stop' };
