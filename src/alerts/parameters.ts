import { z } from 'zod';
import { EvictrankError } from '../foundation/errors.ts';
import {
  alertLabels,
  bytes,
  count,
  labelName,
  labels,
  regex,
  seconds,
  selector,
  share,
} from './parameter-kinds.ts';

/** What can be wrong with `--set`: every problem at once, one line each. */
export class ParameterError extends EvictrankError {
  override readonly name = 'ParameterError';
}

/**
 * Everything a reader may set, one row each. Defaults are texts, as on the command line, so that they go
 * through the same checks. `docs/alerts.md` has the same rows.
 */
export const parameterTable = {
  namespaces: row('.+', regex, 'Namespaces whose pods and workloads are watched (regular expression).'),
  excludedNamespaces: row(
    'kube-system|kube-public|kube-node-lease',
    regex,
    'Namespaces left out of those (regular expression).',
  ),
  protectedNamespaces: row(
    'kube-system',
    regex,
    'Namespaces in which no evictable pod may be BestEffort (regular expression).',
  ),
  evictrankSelector: row('', selector, "Matchers added to every selector of the service's own metrics."),
  kubernetesSelector: row(
    '',
    selector,
    'Matchers added to every selector of kube-state-metrics, kubelet and cAdvisor metrics.',
  ),
  clusterLabel: row(
    'cluster',
    labelName,
    'Label with the cluster on kube-state-metrics, kubelet and cAdvisor series.',
  ),
  namespaceLabel: row(
    'exported_namespace',
    labelName,
    'Label that replaces `namespace` on those series wherever it is present.',
  ),
  podLabel: row(
    'exported_pod',
    labelName,
    'Label that replaces `pod` on those series wherever it is present.',
  ),
  containerLabel: row(
    'exported_container',
    labelName,
    'Label that replaces `container` on those series wherever it is present.',
  ),
  nodeLabel: row(
    'exported_node',
    labelName,
    'Label that replaces `node` on those series wherever it is present.',
  ),
  kubeletNodeLabel: row(
    'node',
    labelName,
    'Label with the node on `kubelet_evictions`; often `instance` where the scrape adds no `node`.',
  ),
  peakRatio: row(
    '1.1',
    z.coerce.number().gt(0),
    'Window peak divided by request above which a pod is reported.',
  ),
  timeOverShare: row('0.25', share, 'Share of the observed hours above the request that it takes as well.'),
  minimumHours: row('24', count, 'Hours observed before the standalone rules judge a pod.'),
  distanceBytes: row('512Mi', bytes, 'Eviction distance below which a pod is next to go.'),
  headroomShare: row(
    '0.05',
    share,
    'Node headroom divided by allocatable memory below which it takes effect.',
  ),
  pressureHeadroomBytes: row(
    '0',
    bytes,
    'Node headroom below which a node is under pressure; above 0 is earlier.',
  ),
  trendSeconds: row('3600', seconds, 'How far ahead the trend of a node may cross its threshold.'),
  trendHeadroomShare: row(
    '0.25',
    share,
    'Headroom divided by allocatable memory above which a trend is taken for noise.',
  ),
  guaranteedRank: row('3', count, 'Highest rank at which a Guaranteed pod is reported.'),
  highPriority: row('1000', count, 'Priority from which a pod counts as important.'),
  highPriorityShare: row('0.5', share, 'Share of the evictable pods with such a priority that is inflation.'),
  evictions: row('1', count, 'Memory evictions on a node in 15 minutes that are reported.'),
  oomKills: row('1', count, 'OOM kills of a container in 15 minutes that are reported.'),
  wasteBytes: row(
    '4Gi',
    bytes,
    'Requested and not needed by all pods of a workload, above which it is waste.',
  ),
  wasteShare: row('0.5', share, 'Share of the request that must not be needed as well.'),
  staleSeconds: row('900', seconds, 'Age of the data above which the service is stale.'),
  coverageRatio: row('0.9', share, 'Share of the window that must have been read.'),
  runbookUrl: row(
    'https://evictrank.example/alerts/RUNBOOK.md',
    z.url().regex(/^[^`#]*$/, 'expected an address without a fragment'),
    'Where your team reads `alerts/RUNBOOK.md`; the name of the alert is appended as `#fragment`.',
  ),
  labels: row('', alertLabels, 'Labels added to every alert, `name=value,name=value`.'),
  manifestLabels: row(
    '',
    labels,
    'Labels of the `PrometheusRule` object, for example the `release=…` the operator selects by.',
  ),
} as const;

export type ParameterName = keyof typeof parameterTable;
export type Parameters = {
  readonly [Name in ParameterName]: z.output<(typeof parameterTable)[Name]['schema']>;
};

/**
 * Defaults with the given `name=value` settings applied; the last one of a name wins.
 * @throws ParameterError naming every unknown name and every bad value.
 */
export function readParameters(settings: readonly string[]): Parameters {
  const problems: string[] = [];
  const given: Record<string, string> = {};
  for (const setting of settings) {
    const [name = '', ...rest] = setting.split('=');
    if (!Object.hasOwn(parameterTable, name)) problems.push(`${name}: no such parameter`);
    else if (rest.length === 0) problems.push(`${name}: expected ${name}=value`);
    else given[name] = rest.join('=');
  }
  const values = Object.entries(parameterTable).map(([name, { fallback, schema }]) => {
    const result = schema.safeParse(given[name] ?? fallback);
    if (!result.success) problems.push(`${name}: ${result.error.issues.map((i) => i.message).join('; ')}`);
    return [name, result.data];
  });
  if (problems.length > 0) {
    throw new ParameterError(problems.join('\n'), { remedy: 'docs/alerts.md lists the parameters' });
  }
  return Object.freeze(Object.fromEntries(values)) as Parameters;
}

interface ParameterRow<Schema extends z.ZodType> {
  readonly fallback: string;
  readonly schema: Schema;
  readonly help: string;
}

function row<Schema extends z.ZodType>(fallback: string, schema: Schema, help: string): ParameterRow<Schema> {
  return { fallback, schema, help };
}
