import NodeCache from 'node-cache';
import { joinKey } from '../../model/keys.ts';
import type { Pod } from '../../model/pod.ts';
import { askForPodDetail, type PodDetailBackend, type PodDetailOutcome } from './pod-detail-query.ts';

/** Never rejects for a backend that fails. */
export type PodDetailReader = (pod: Pod) => Promise<PodDetailOutcome>;

export interface PodDetailCacheSettings {
  readonly maxPods?: number;
  /** Specs hardly change, and a resize should show soon. */
  readonly ttlSeconds?: number;
}

/** A failure is remembered for so long, so that a page that is reloaded does not add to the load of a sick backend. */
const FAILURE_TTL_SECONDS = 10;

/** Asks Prometheus about a pod when it is looked at; bounded in number and time, and one question at a time per pod. */
export function createPodDetailReader(backend: PodDetailBackend & PodDetailCacheSettings): PodDetailReader {
  const { maxPods = 1_000, ttlSeconds = 60 } = backend;
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
      const outcome = await askForPodDetail(pod, backend);
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
