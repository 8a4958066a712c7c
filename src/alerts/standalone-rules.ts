import type { Parameters } from './parameters.ts';
import { maxBy, podNameKey, restoreLabels, select, theirs, watchedNamespaces } from './promql.ts';
import { type AlertDefinition, type RecordingDefinition, type RuleGroup, toAlertRule } from './rule.ts';
import { formatShare, thePod, value } from './wording.ts';

const recorded = {
  request: 'namespace_pod:memory_request_bytes:sum',
  hourlyPeak: 'namespace_pod:memory_working_set_bytes:max1h',
  hourOverRequest: 'namespace_pod:memory_working_set_over_request:bool1h',
  windowPeak: 'namespace_pod:memory_working_set_bytes:max7d',
  shareOverRequest: 'namespace_pod:memory_working_set_over_request:avg7d',
  observedHours: 'namespace_pod:memory_working_set_over_request:count7d',
} as const;

/** A series recorded once an hour is stale for all but five minutes of it; this reads its last sample. */
const lastHourly = (name: string, matcher = '') => `last_over_time(${select(name, matcher)}[65m])`;

/**
 * The usage/request alert for a cluster without the service. Raw series are read over one hour, once an hour; the
 * seven days are taken over the 168 hourly maxima.
 */
export function standaloneGroups(parameters: Parameters): readonly RuleGroup[] {
  return [
    {
      name: 'evictrank-standalone',
      rules: [requestRule(parameters), toAlertRule(parameters, alert(parameters))],
    },
    { name: 'evictrank-standalone-hourly', interval: '1h', rules: hourlyRules(parameters) },
  ];
}

/**
 * Effective request of live pods: the scheduler's own number where it is scraped, else the formula of
 * kubernetes pkg/api/v1/resource/helpers.go from kube-state-metrics: the larger of Σ containers + Σ sidecars and
 * the largest plain init container, plus overhead. The order of sidecars and init containers is not exported:
 * init containers after a sidecar are taken without it.
 */
function requestRule(parameters: Parameters): RecordingDefinition {
  const perPod = (expression: string) =>
    maxBy(podNameKey, restoreLabels(parameters, ['namespace', 'pod'], expression));
  const perContainer = (expression: string) =>
    maxBy(
      `${podNameKey}, container`,
      restoreLabels(parameters, ['namespace', 'pod', 'container'], expression),
    );
  const containers = perContainer(
    theirs(parameters, 'kube_pod_container_resource_requests', 'resource="memory"'),
  );
  const initContainers = perContainer(
    theirs(parameters, 'kube_pod_init_container_resource_requests', 'resource="memory"'),
  );
  const sidecars = perContainer(
    theirs(parameters, 'kube_pod_init_container_info', 'restart_policy="Always"'),
  );
  const live = perPod(`${theirs(parameters, 'kube_pod_status_phase', 'phase=~"Running|Pending"')} == 1`);
  return {
    record: recorded.request,
    expr: `(
  ${perPod(theirs(parameters, 'kube_pod_resource_request', 'resource="memory"'))}
  or
  max by (${podNameKey}) (
    sum by (${podNameKey}) (
      ${containers}
      or
      ${initContainers}
        and on (${podNameKey}, container)
      ${sidecars}
    )
    or
    label_replace(
      max by (${podNameKey}) (
        ${initContainers}
          unless on (${podNameKey}, container)
        ${sidecars}
      ),
      "part", "init", "pod", ".*"
    )
  )
  + on (${podNameKey})
  (
    ${perPod(theirs(parameters, 'kube_pod_overhead_memory_bytes'))}
    or
    0 * ${live}
  )
)
and on (${podNameKey})
${live}`,
  };
}

function hourlyRules(parameters: Parameters): readonly RecordingDefinition[] {
  const peakOf = (selector: string) =>
    maxBy(podNameKey, restoreLabels(parameters, ['namespace', 'pod'], `max_over_time(${selector}[1h])`));
  const ofLivePods = `and on (${podNameKey})\n${recorded.request}`;
  return [
    {
      record: recorded.hourlyPeak,
      expr: `${peakOf(theirs(parameters, 'pod_memory_working_set_bytes'))}
or
${peakOf(theirs(parameters, 'container_memory_working_set_bytes', 'container=""', 'pod!=""', 'image=""'))}`,
    },
    {
      record: recorded.hourOverRequest,
      expr: `${lastHourly(recorded.hourlyPeak)} > bool on (${podNameKey}) ${recorded.request}`,
    },
    { record: recorded.windowPeak, expr: `max_over_time(${recorded.hourlyPeak}[7d])\n${ofLivePods}` },
    {
      record: recorded.shareOverRequest,
      expr: `avg_over_time(${recorded.hourOverRequest}[7d])\n${ofLivePods}`,
    },
    {
      record: recorded.observedHours,
      expr: `count_over_time(${recorded.hourOverRequest}[7d])\n${ofLivePods}`,
    },
  ];
}

/** The node comes from `kube_pod_info` as the many side: a pod seen on two nodes for a moment is no error. */
function alert(parameters: Parameters): AlertDefinition {
  const { peakRatio, timeOverShare, minimumHours } = parameters;
  const watched = watchedNamespaces(parameters);
  const placed = maxBy(
    `${podNameKey}, node`,
    restoreLabels(parameters, ['namespace', 'pod', 'node'], theirs(parameters, 'kube_pod_info')),
  );
  return {
    alert: 'EvictrankStandalonePodOverRequest',
    about: 'pod',
    severity: 'warning',
    expr: `(
  ${lastHourly(recorded.windowPeak, watched)} / (${recorded.request} > 0) > ${peakRatio}
  and on (${podNameKey})
  ${lastHourly(recorded.shareOverRequest)} > ${timeOverShare}
  and on (${podNameKey})
  ${lastHourly(recorded.observedHours)} >= ${minimumHours}
)
* on (${podNameKey}) group_right ()
${placed}`,
    for: '30m',
    keepFiringFor: '15m',
    summary: 'A pod uses more memory than it requests for a good share of the last seven days.',
    description: `${thePod} peaked at ${value.share} of its memory request and was above the request in more than ${formatShare(timeOverShare)} of the observed hours: whenever it is, it is evicted before every pod that stays within its request. Raise its request, or find out with \`kubectl top pod --namespace {{ $labels.namespace }} {{ $labels.pod }} --containers\` what grew.`,
  };
}
