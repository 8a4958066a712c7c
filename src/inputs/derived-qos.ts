import { labelList, maxBy, type QueryScope, series, sumBy } from './scope.ts';

/**
 * The QoS class computed from requests and limits, for stores that lack kube_pod_status_qos_class: ComputePodQOS in
 * pkg/apis/core/v1/helper/qos compares pod-wide sums, counts init containers, and takes zero quantities as unset.
 * Without the series of limits or of containers nothing is derived, for every pod would look Burstable or BestEffort.
 */
export function derivedQosClass(scope: QueryScope): string {
  const { cluster, namespace, pod, uid, container } = scope.labels.ksm;
  const podLabels = [cluster, namespace, pod, uid];
  const onPod = `on (${labelList(podLabels)})`;

  const ofContainers = (suffix: string, ...matchers: string[]): string =>
    ['container', 'init_container']
      .map((kind) =>
        maxBy([...podLabels, container], series(scope, `kube_pod_${kind}_${suffix}`, ...matchers)),
      )
      .join(' or ');
  const setTo = (suffix: 'requests' | 'limits', resource: string): string =>
    `((${ofContainers(`resource_${suffix}`, `resource="${resource}"`)}) > 0)`;
  const countBy = (expression: string): string => `count by (${labelList(podLabels)}) (${expression})`;
  const containers = countBy(ofContainers('info'));
  const classed = (name: string, expression: string): string =>
    `label_replace(${expression}, "qos_class", "${name}", "", "")`;

  const isGuaranteedFor = (resource: string): string => {
    const limits = setTo('limits', resource);
    const requests = setTo('requests', resource);
    return `(${countBy(limits)} == ${onPod} ${containers} and ${onPod} (${sumBy(podLabels, limits)} == ${onPod} ${sumBy(podLabels, requests)}))`;
  };
  const guaranteed = `(${isGuaranteedFor('memory')} and ${onPod} ${isGuaranteedFor('cpu')})`;
  const isAnythingSet = countBy(
    (['requests', 'limits'] as const)
      .flatMap((suffix) => ['cpu', 'memory'].map((resource) => setTo(suffix, resource)))
      .join(' or '),
  );
  const isKnown = ['kube_pod_container_resource_limits', 'kube_pod_container_info']
    .map((metric) => `and on () (count(${series(scope, metric)}) > 0)`)
    .join(' ');
  return `(${[
    classed('Guaranteed', guaranteed),
    classed('Burstable', isAnythingSet),
    classed('BestEffort', containers),
  ].join(` or ${onPod} `)}) ${isKnown}`;
}
