import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableHide,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { type MetricFamily, metrics } from '../outputs/metrics/catalogue.ts';
import type { ClusterScope } from './identity.ts';
import { placeholder } from './interpolation.ts';
import { select } from './queries/selector.ts';

export const datasource = { type: 'prometheus', uid: placeholder('datasource') } as const;

/** `all` offers "All" and several values; `single` asks for one. */
type Choice = 'all' | 'single';

interface QueryVariable {
  readonly name: string;
  readonly label: string;
  readonly from: MetricFamily;
  readonly matchers: readonly string[];
  readonly choice: Choice;
}

function queryVariable({ name, label, from, matchers, choice }: QueryVariable): QueryVariableBuilder {
  const query = `label_values(${select(from, ...matchers)}, ${name})`;
  const variable = new QueryVariableBuilder(name)
    .label(label)
    .datasource(datasource)
    .query({ query, refId: 'StandardVariableQuery' })
    .definition(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalCaseInsensitiveAsc);
  if (choice === 'single') return variable;
  // `.*` matches an absent label, which the list of all known values would not.
  return variable
    .includeAll(true)
    .multi(true)
    .allValue('.*')
    .current({ selected: true, text: ['All'], value: ['$__all'] });
}

const inCluster = 'cluster=~"$cluster"';
const inNamespace = 'namespace=~"$namespace"';

/** The variables of the set, always in this order. Each reads only variables before it. */
export const variables = {
  datasource: () => new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'),
  cluster: (scope: ClusterScope) =>
    queryVariable({
      name: 'cluster',
      label: 'Cluster',
      from: metrics.nodeComplete,
      matchers: [],
      choice: 'all',
    }).hide(scope === 'one-cluster' ? VariableHide.HideVariable : VariableHide.DontHide),
  namespace: (choice: Choice) =>
    queryVariable({
      name: 'namespace',
      label: 'Namespace',
      from: metrics.podInfo,
      matchers: [inCluster],
      choice,
    }),
  node: (choice: Choice) =>
    queryVariable({ name: 'node', label: 'Node', from: metrics.nodeComplete, matchers: [inCluster], choice }),
  workload: () =>
    queryVariable({
      name: 'workload',
      label: 'Workload',
      from: metrics.podInfo,
      matchers: [inCluster, inNamespace],
      choice: 'all',
    }),
  pod: () =>
    queryVariable({
      name: 'pod',
      label: 'Pod',
      from: metrics.podInfo,
      matchers: [inCluster, inNamespace, 'workload=~"$workload"'],
      choice: 'single',
    }),
} as const;
