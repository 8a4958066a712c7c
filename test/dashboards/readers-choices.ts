import { metrics } from '../../src/outputs/metrics/catalogue.ts';
import type { Choices } from './interpolate.ts';
import { queryInstant } from './prometheus-answers.ts';
import type { Store } from './proof.ts';

const all: Choices = { cluster: '.*', namespace: '.*', node: '.*', workload: '.*', pod: '.*' };

/**
 * What a reader of a dashboard would choose: everything or, where it asks for one node or pod, the node with least
 * headroom and, of its pods whose distance is known, the one furthest over its request.
 */
export async function readersChoices(file: string, store: Store): Promise<Choices> {
  const first = async (query: string): Promise<Readonly<Partial<Record<string, string>>>> =>
    (await queryInstant(store.url, query, store.endSeconds))[0]?.metric ?? {};
  if (!/(^|\/)(node-ladder|pod)\.json$/.test(file)) return all;

  const { node = '' } = await first(`bottomk(1, ${metrics.nodeEvictionHeadroom.name})`);
  if (file.endsWith('node-ladder.json')) return { ...all, node };
  const ratio = `${metrics.podMemoryUsageRequestRatio.name}{basis="now", node="${node}"}`;
  const distance = `${metrics.podEvictionDistance.name}{node="${node}"}`;
  const info = metrics.podInfo.name;
  const furthest = `topk(1, ${ratio} and on (namespace, pod, node) ${distance})`;
  const pod = await first(`${furthest} * on (namespace, pod, node) group_left (workload) ${info}`);
  return { ...all, namespace: pod.namespace ?? '', workload: pod.workload ?? '', pod: pod.pod ?? '' };
}
