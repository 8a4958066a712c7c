import type { CollectedInputs } from '../inputs/collect.ts';
import type { QosClass } from '../kubelet/qos-class.ts';
import type { Sample } from '../prometheus/client.ts';
import type { InputProblem } from './cluster.ts';
import type { LivePods } from './generations.ts';
import { clusterOf, generationKey } from './keys.ts';
import { samplesBy } from './lookup.ts';
import type { OwnedPod, Pod } from './pod.ts';
import { priorityLookup } from './priority.ts';
import { problem } from './problem.ts';
import { requestLookup } from './request.ts';
import { usageLookup } from './usage.ts';
import { workloadLookup } from './workload.ts';

const qosClasses: ReadonlySet<string> = new Set<QosClass>(['Guaranteed', 'Burstable', 'BestEffort']);

/** The living pods with everything known of each, and what was odd about them. */
export function buildPods(
  inputs: CollectedInputs,
  live: LivePods,
  priorityClasses: ReadonlyMap<string, number>,
): { pods: Pod[]; finishedPods: OwnedPod[]; problems: InputProblem[] } {
  const { rows } = inputs;
  const keys = rows.pods.keys;
  const usageOf = usageLookup(inputs);
  const requestOf = requestLookup(inputs);
  const workloadOf = workloadLookup(inputs);
  const priorities = priorityLookup(inputs, priorityClasses);
  const qosSamples = samplesBy(rows.pod_qos, generationKey);
  const staticPods = new Set(
    rows.static_pods.samples.map((sample) => generationKey(sample, rows.static_pods.keys)),
  );
  const orderUnknown: string[] = [];

  const ownedPod = (sample: Sample): OwnedPod => ({
    cluster: clusterOf(sample, keys),
    namespace: sample.labels[keys.namespace] ?? '',
    name: sample.labels[keys.pod] ?? '',
    workload: workloadOf(sample),
  });
  const pods = [...live.byName].map(([name, sample]): Pod => {
    const generation = generationKey(sample, keys) ?? '';
    const uid = sample.labels[keys.uid] || undefined;
    const priorityClass = sample.labels.priority_class || undefined;
    const request = requestOf(name, generation);
    if (request?.isOrderUnknown) orderUnknown.push(displayName(sample, keys));
    return {
      ...ownedPod(sample),
      uid,
      node: sample.labels[keys.node] ?? '',
      phase: live.phaseByGeneration.get(generation) === 'Running' ? 'Running' : 'Pending',
      qosClass: qosClassOf(qosSamples.get(generation)),
      priority: priorities.priorityOf(name, priorityClass),
      priorityClass,
      isStatic: staticPods.has(generation) || sample.labels.created_by_kind === 'Node',
      usageBytes: usageOf(name, uid),
      requestBytes: request?.bytes,
    };
  });
  return {
    pods,
    finishedPods: live.finished.map(ownedPod),
    problems: [...priorities.problems(), ...podProblems(live, orderUnknown)],
  };
}

function displayName(sample: Sample, keys: CollectedInputs['rows']['pods']['keys']): string {
  return `${sample.labels[keys.namespace] ?? ''}/${sample.labels[keys.pod] ?? ''}`;
}

function qosClassOf(samples: readonly Sample[] | undefined): QosClass | undefined {
  const name = samples?.[0]?.labels.qos_class;
  return name !== undefined && qosClasses.has(name) ? (name as QosClass) : undefined;
}

function podProblems(live: LivePods, orderUnknown: readonly string[]): InputProblem[] {
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
  if (live.collapsed !== undefined) {
    const name = live.collapsed.split('\0').slice(1).join('/');
    found.push(
      problem('labels_renamed', {
        subject: 'pods',
        message: `many pods go by the one name ${name}: kube-state-metrics is scraped without honor_labels, so its labels name itself`,
        remedy:
          'set honor_labels: true for that job, or --labels.ksm.namespace=exported_namespace --labels.ksm.pod=exported_pod --labels.ksm.container=exported_container',
      }),
    );
  } else if (live.overlapping.length > 0) {
    const names = live.overlapping.map((key) => key.split('\0').slice(1).join('/'));
    found.push(
      problem('pod_generations_overlap', {
        subject: 'pods',
        message: `${names.length} pods were just recreated under their old name; the newest generation is shown: ${firstFew(names)}`,
        remedy: 'none needed: the old series go stale within five minutes',
      }),
    );
  }
  return found;
}

function firstFew(names: readonly string[]): string {
  const shown = names.toSorted().slice(0, 5).join(', ');
  return names.length > 5 ? `${shown}, …` : shown;
}
