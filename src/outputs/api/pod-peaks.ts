import type { Pod } from '../../model/pod.ts';
import type { RankedPod } from '../../snapshot/snapshot.ts';
import type { PodHour } from '../../window/pod-hours.ts';
import { HttpProblem } from './problem-details.ts';

/** Asks the window about one pod; undefined where the window does not know it. Rejects where nobody answers in time. */
export type PodHoursReader = (
  pod: Pick<Pod, 'cluster' | 'namespace' | 'name'>,
) => Promise<readonly PodHour[] | undefined>;

export interface PodPeaks {
  readonly namespace: string;
  readonly pod: string;
  readonly requestBytes: number | null;
  /** Oldest first; the last hour is still running. Empty where the window does not know the pod. */
  readonly hours: readonly {
    readonly endsAt: string;
    /** Highest working set in the hour; null = no data, or not read yet. */
    readonly peakBytes: number | null;
  }[];
}

/** @throws HttpProblem 503 where there is no window, or it does not answer */
export async function podPeaks({ pod }: RankedPod, readHours: PodHoursReader | undefined): Promise<PodPeaks> {
  const hours = await readHours?.(pod).catch((cause: Error) => {
    throw new HttpProblem(503, 'No peaks now', cause.message);
  });
  if (readHours === undefined) throw new HttpProblem(503, 'No peaks', 'these data have no window');
  return {
    namespace: pod.namespace,
    pod: pod.name,
    requestBytes: pod.requestBytes ?? null,
    hours: (hours ?? []).map(({ endsAtMs, peakBytes }) => ({
      endsAt: new Date(endsAtMs).toISOString(),
      peakBytes: peakBytes ?? null,
    })),
  };
}
