import { metrics } from '../outputs/metrics/catalogue.ts';
import type { Parameters } from './parameters.ts';
import { maxBy, nodeKey, ours } from './promql.ts';
import type { AlertDefinition } from './rule.ts';
import { formatShare, theNode, theService, value } from './wording.ts';

/** A replica of the service; two scrape jobs for one target are one replica. */
const replicaKey = 'cluster, instance';

/** Alerts about the service itself: what the other alerts rest on. */
export function serviceAlerts(parameters: Parameters): readonly AlertDefinition[] {
  const series = (metric: (typeof metrics)[keyof typeof metrics], ...matchers: string[]) =>
    ours(parameters, metric, ...matchers);
  return [
    {
      alert: 'EvictrankAbsent',
      about: 'service',
      severity: 'warning',
      expr: `absent(${series(metrics.buildInfo)})`,
      for: '10m',
      keepFiringFor: '5m',
      summary: 'evictrank is not being scraped, so no other eviction alert can fire.',
      description:
        'Prometheus has no sample of evictrank: it is down, or no scrape job reaches it. Check its pod with `kubectl get pods --all-namespaces --selector app.kubernetes.io/name=evictrank` and its target on the page /targets of Prometheus.',
    },
    {
      alert: 'EvictrankStale',
      about: 'service',
      severity: 'warning',
      expr: `time() - ${maxBy(replicaKey, series(metrics.lastRefreshTimestamp))} > ${parameters.staleSeconds}`,
      for: '5m',
      keepFiringFor: '5m',
      summary: 'evictrank serves old data.',
      description: `${theService} serves data that are ${value.duration} old. Its log names the reason; \`evictrank check\` asks the query backend for every input.`,
    },
    {
      alert: 'EvictrankSourceDown',
      about: 'service',
      severity: 'warning',
      expr: `${maxBy(replicaKey, series(metrics.sourceUp))} < 1`,
      for: '10m',
      keepFiringFor: '5m',
      summary: 'evictrank gets no answer from its query backend.',
      description: `${theService} got no data from its query backend at the last refresh. Check the backend and its limits; \`evictrank check\` shows which query fails and why.`,
    },
    {
      alert: 'EvictrankInputsIncomplete',
      about: 'service',
      severity: 'info',
      expr: `${maxBy(`${replicaKey}, kind`, series(metrics.inputProblems))} > 0`,
      for: '1h',
      keepFiringFor: '15m',
      summary: 'Inputs of evictrank are missing or odd, so some ranks may be wrong.',
      description: `${theService} found ${value.number} problems of kind {{ $labels.kind }} in its inputs. \`evictrank check\` names each, what it makes wrong, and the setting that repairs it.`,
    },
    {
      alert: 'EvictrankWindowNotCovered',
      about: 'service',
      severity: 'info',
      expr: `${maxBy(replicaKey, series(metrics.windowCoverage))} < ${parameters.coverageRatio}`,
      for: '2h',
      keepFiringFor: '15m',
      summary: 'evictrank has not read its whole window, so peaks may be too low.',
      description: `${theService} has read ${value.share} of its window and should have ${formatShare(parameters.coverageRatio)}. A backfill takes minutes: check with \`evictrank check\` whether the backend keeps enough history and answers range queries.`,
    },
    {
      alert: 'EvictrankNodeWithoutUsageData',
      about: 'node',
      severity: 'warning',
      expr: `${maxBy(nodeKey, series(metrics.nodeComplete))} < 1`,
      for: '15m',
      keepFiringFor: '10m',
      summary: 'A node has no usage data, so its pods are not ranked.',
      description: `${theNode} has pods but no usage data for them: nothing is ranked there and no pod alert can fire. Check that its kubelet is scraped; \`evictrank check\` names the missing input.`,
    },
    {
      alert: 'EvictrankLabelsRenamed',
      about: 'service',
      severity: 'warning',
      expr: `${maxBy('cluster, job', series(metrics.podInfo, 'exported_namespace!=""'))} > 0`,
      for: '10m',
      keepFiringFor: '5m',
      summary: 'evictrank is scraped without honor_labels, so alerts name the wrong pods.',
      description:
        'Scrape job {{ $labels.job }}{{ with $labels.cluster }} of cluster {{ . }}{{ end }} renames the labels namespace and pod of evictrank to exported_namespace and exported_pod. Set `honor_labels: true` on the scrape job (`honorLabels: true` on the ServiceMonitor).',
    },
  ];
}
