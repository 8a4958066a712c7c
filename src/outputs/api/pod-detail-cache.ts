import NodeCache from 'node-cache';
import type { Clock } from '../../foundation/clock.ts';
import { describeError, EvictrankError } from '../../foundation/errors.ts';
import { collectPodDetail } from '../../inputs/pod-detail-inputs.ts';
import type { QueryScope } from '../../inputs/scope.ts';
import { joinKey } from '../../model/keys.ts';
import type { Pod } from '../../model/pod.ts';
import { buildPodDetail, type PodDetail } from '../../model/pod-detail.ts';
import type { PrometheusClient } from '../../prometheus/client.ts';
import { isCanceled } from '../../prometheus/failures.ts';

/** The containers of a pod, or the sentence that says why they are not known. */
export type PodDetailOutcome = PodDetail | { readonly unavailable: string };

/** Never rejects for a backend that fails: an explanation without the containers is better than none. */
export type PodDetailReader = (pod: Pod) => Promise<PodDetailOutcome>;

export interface PodDetailReaderDeps {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly clock: Clock;
  /** Longest wait for all queries of one pod: somebody is looking at a page meanwhile. */
  readonly timeoutMs?: number;
  readonly maxPods?: number;
  /** Specs hardly change, and a resize should show soon. */
  readonly ttlSeconds?: number;
}

/** A failure is remembered for so long, so that a page that is reloaded does not add to the load of a sick backend. */
const FAILURE_TTL_SECONDS = 10;

/** Asks Prometheus about a pod when it is looked at; bounded in number and time, and one question at a time per pod. */
export function createPodDetailReader(deps: PodDetailReaderDeps): PodDetailReader {
  const { timeoutMs = 5_000, maxPods = 1_000, ttlSeconds = 60 } = deps;
  const cache = new NodeCache({
    // Clones would be made at every look; what is kept here is read-only.
    useClones: false,
    stdTTL: ttlSeconds,
    checkperiod: ttlSeconds,
    maxKeys: maxPods,
  });
  const underWay = new Map<string, Promise<PodDetailOutcome>>();

  function remember(key: string, outcome: PodDetailOutcome): void {
    // node-cache throws where it is full; then this one is asked for again.
    if (cache.getStats().keys >= maxPods && !cache.has(key)) return;
    cache.set(key, outcome, 'unavailable' in outcome ? FAILURE_TTL_SECONDS : ttlSeconds);
  }

  async function ask(pod: Pod, key: string): Promise<PodDetailOutcome> {
    try {
      const outcome = await readPodDetail(pod, deps, timeoutMs);
      remember(key, outcome);
      return outcome;
    } finally {
      underWay.delete(key);
    }
  }

  return (pod) => {
    const key = joinKey(pod.cluster, pod.namespace, pod.name, pod.uid);
    const known = cache.get<PodDetailOutcome>(key);
    if (known !== undefined) return Promise.resolve(known);
    const asked = underWay.get(key) ?? ask(pod, key);
    underWay.set(key, asked);
    return asked;
  };
}

async function readPodDetail(
  pod: Pod,
  { client, scope, clock }: PodDetailReaderDeps,
  timeoutMs: number,
): Promise<PodDetailOutcome> {
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
