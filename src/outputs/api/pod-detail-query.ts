import type { Clock } from '../../foundation/clock.ts';
import { describeError, EvictrankError } from '../../foundation/errors.ts';
import { collectPodDetail } from '../../inputs/pod-detail-inputs.ts';
import type { QueryScope } from '../../inputs/scope.ts';
import type { Pod } from '../../model/pod.ts';
import { buildPodDetail, type PodDetail } from '../../model/pod-detail.ts';
import type { PrometheusClient } from '../../prometheus/client.ts';
import { isCanceled } from '../../prometheus/failures.ts';

/** The containers of a pod, or the sentence that says why they are not known. */
export type PodDetailOutcome = PodDetail | { readonly unavailable: string };

export interface PodDetailBackend {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly clock: Clock;
  /** Longest wait for all queries of one pod: somebody is looking at a page meanwhile. */
  readonly timeoutMs?: number;
}

/** Never rejects for a backend that fails: an explanation without the containers is better than none. */
export async function askForPodDetail(pod: Pod, backend: PodDetailBackend): Promise<PodDetailOutcome> {
  const { client, scope, clock, timeoutMs = 5_000 } = backend;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    return buildPodDetail(await collectPodDetail({ client, scope, pod, timeMs: clock(), signal }));
  } catch (error) {
    if (!(error instanceof EvictrankError)) throw error;
    const why = isCanceled(error)
      ? `Prometheus did not answer within ${timeoutMs / 1000} s`
      : describeError(error);
    return { unavailable: `Its containers are not shown: ${why}.` };
  }
}
