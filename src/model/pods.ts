import type { CollectedInputs } from '../inputs/collect.ts';
import type { QosClass } from '../kubelet/qos-class.ts';
import type { Sample } from '../prometheus/client.ts';
import type { Cluster } from './cluster.ts';
import type { LivePods } from './generations.ts';
import { clusterOf, clustersOf } from './keys.ts';
import { firstSamples } from './lookup.ts';
import type { OwnedPod, Pod } from './pod.ts';
import { priorityLookup } from './priority.ts';
import { type InputProblem, problem } from './problem.ts';
import { initLookup, initNeedLookup, requestLookup } from './request.ts';
import { workloadText } from './sizing-facts.ts';
import { usageLookup } from './usage.ts';
import { workloadLookup } from './workload.ts';

const qosClasses: ReadonlySet<string> = new Set<QosClass>(['Guaranteed', 'Burstable', 'BestEffort']);

export interface BuiltPods extends Pick<Cluster, 'finishedPods' | 'initNeedBytes' | 'problems'> {
  readonly pods: readonly Pod[];
  /** Those of them whose usage came as a sample that was dropped. */
  readonly lostUsage: ReadonlySet<Pod>;
}

/** The living pods with everything known of each, and what was odd about them. */
export function buildPods(
  inputs: CollectedInputs,
  live: LivePods,
  priorityClasses: ReadonlyMap<string, number>,
): BuiltPods {
  const { rows } = inputs;
  const keys = rows.pods.keys;
  const usage = usageLookup(inputs, live);
  const initsOf = initLookup(inputs, live);
  const requestOf = requestLookup(inputs, live, initsOf);
  const initNeedOf = initNeedLookup(inputs, live, initsOf);
  const initNeedBytes = new Map<string, number>();
  // A pod without a series requests nothing where others have theirs; where nobody has, the cluster's exporter is missing
  // or drops the metric, and nothing is known.
  const withRequests = clustersOf(rows.pod_request);
  const workloadOf = workloadLookup(inputs);
  const priorities = priorityLookup(inputs, live, priorityClasses);
  const qosSamples = firstSamples(rows.pod_qos, live, 'byGeneration');
  const staticPods = firstSamples(rows.static_pods, live, 'byGeneration');
  const orderUnknown: string[] = [];
  const lostUsage = new Set<Pod>();

  const pods: Pod[] = [];
  for (const [number, living] of live.living.entries()) {
    if (living === undefined) continue;
    const { labels } = living.sample;
    const priorityClass = labels.priority_class || undefined;
    const cluster = clusterOf(living.sample, keys);
    const request = withRequests.has(cluster) ? requestOf(number) : undefined;
    if (request?.isOrderUnknown) orderUnknown.push(displayName(living.sample, keys));
    const namespace = labels[keys.namespace] ?? '';
    const workload = workloadOf(living.sample);
    const need = initNeedOf(number);
    if (need !== undefined) {
      const key = workloadText({ cluster, namespace, ...workload });
      initNeedBytes.set(key, Math.max(need, initNeedBytes.get(key) ?? 0));
    }
    const pod: Pod = {
      cluster,
      namespace,
      name: labels[keys.pod] ?? '',
      workload,
      uid: living.uid || undefined,
      node: labels[keys.node] ?? '',
      phase: living.phase === 'Running' ? 'Running' : 'Pending',
      qosClass: qosClassOf(qosSamples[number]),
      priority: priorities.priorityOf(number, priorityClass),
      priorityClass,
      isStatic: staticPods[number] !== undefined || labels.created_by_kind === 'Node',
      usageBytes: usage.bytesOf(number),
      requestBytes: request?.bytes,
    };
    pods.push(pod);
    if (usage.isLost(number)) lostUsage.add(pod);
  }
  return {
    pods,
    lostUsage,
    initNeedBytes,
    finishedPods: live.finished.map(
      (sample): OwnedPod => ({
        cluster: clusterOf(sample, keys),
        namespace: sample.labels[keys.namespace] ?? '',
        name: sample.labels[keys.pod] ?? '',
        workload: workloadOf(sample),
      }),
    ),
    problems: [
      ...priorities.problems(),
      ...podProblems(
        live.overlapping.map((sample) => displayName(sample, keys)),
        orderUnknown,
      ),
    ],
  };
}

function displayName(sample: Sample, keys: CollectedInputs['rows']['pods']['keys']): string {
  return `${sample.labels[keys.namespace] ?? ''}/${sample.labels[keys.pod] ?? ''}`;
}

function qosClassOf(sample: Sample | undefined): QosClass | undefined {
  const name = sample?.labels.qos_class;
  return name !== undefined && qosClasses.has(name) ? (name as QosClass) : undefined;
}

function podProblems(overlapping: readonly string[], orderUnknown: readonly string[]): InputProblem[] {
  const found: InputProblem[] = [];
  if (orderUnknown.length > 0) {
    found.push(
      problem('sidecar_order_unknown', {
        subject: 'init_request',
        message: `${orderUnknown.length} pods mix sidecars with init containers that request more; no metric shows their order, so sidecars are taken to come first: ${firstFew(orderUnknown)}`,
        remedy: "scrape kube-scheduler's /metrics/resources, whose kube_pod_resource_request knows the order",
      }),
    );
  }
  if (overlapping.length > 0) {
    found.push(
      problem('pod_generations_overlap', {
        subject: 'pods',
        message: `${overlapping.length === 1 ? '1 pod was' : `${overlapping.length} pods were`} just recreated under ${overlapping.length === 1 ? 'its' : 'their'} old name; the newest generation is shown: ${firstFew(overlapping)}`,
        remedy: 'none needed: the old series go stale within five minutes',
      }),
    );
  }
  return found;
}

/** The first names in their order, for a message. */
export function firstFew(names: readonly string[]): string {
  const shown = names.toSorted().slice(0, 5).join(', ');
  return names.length > 5 ? `${shown}, …` : shown;
}
