import { TableSortByFieldStateBuilder } from '@grafana/grafana-foundation-sdk/common';
import type { DynamicConfigValue } from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/table';
import type { ClusterScope } from '../identity.ts';
import { type CellLink, cellLink } from '../links.ts';
import { mapping, type Shown } from '../palette.ts';
import { type Level, steps, thresholds } from '../thresholds.ts';
import { datasource } from '../variables.ts';
import { type PanelSize, type PanelText, tableTarget } from './target.ts';

interface ColumnLook {
  readonly title: string;
  readonly pixels?: number;
  readonly link?: CellLink;
  readonly shown?: Readonly<Record<string, Shown>>;
}

/** A label of the rows. */
export interface LabelColumn extends ColumnLook {
  readonly label: string;
}

/** The value of a query; `as` is its refId. */
export interface ValueColumn extends ColumnLook {
  readonly as: string;
  readonly expr: string;
  readonly unit: string;
  readonly decimals?: number;
  readonly level?: Level;
  /** The query is run only for its labels. */
  readonly hidden?: boolean;
}

export type Column = LabelColumn | ValueColumn;

interface Table extends PanelText, PanelSize {
  /** `one-cluster` also for a table whose rows are not within one cluster. */
  readonly scope: ClusterScope;
  /** From left to right. All queries share the labels that name a row; only the first one may add others. */
  readonly columns: readonly Column[];
  readonly sortBy: string;
  readonly descending?: boolean;
}

const isValue = (column: Column): column is ValueColumn => 'as' in column;

/** Widths of the labels whose values are short. Those of names share what is left of the row. */
const labelPixels: Readonly<Record<string, number>> = {
  group: 125,
  decided_by: 140,
  priority: 110,
  qos_class: 110,
};

/** Numbers are short: such a column is as wide as its title needs. */
function usualPixels(column: Column): number | undefined {
  return isValue(column) ? Math.max(100, 30 + 8 * column.title.length) : labelPixels[column.label];
}

function look(column: Column, scope: ClusterScope): DynamicConfigValue[] {
  // Grafana would print the reason why the whole panel may be empty into each empty cell.
  const properties: DynamicConfigValue[] = [{ id: 'noValue', value: '–' }];
  if (isValue(column)) {
    properties.push({ id: 'unit', value: column.unit }, { id: 'decimals', value: column.decimals ?? 0 });
    if (column.level !== undefined) {
      properties.push({ id: 'thresholds', value: { mode: 'absolute', steps: steps(column.level) } });
    }
  }
  const coloured = column.shown !== undefined || (isValue(column) && column.level !== undefined);
  if (coloured) properties.push({ id: 'custom.cellOptions', value: { type: 'color-text' } });
  if (column.shown !== undefined) properties.push({ id: 'mappings', value: [mapping(column.shown)] });
  if (column.link !== undefined) properties.push({ id: 'links', value: [cellLink(column.link, scope)] });
  const pixels = column.pixels ?? usualPixels(column);
  if (pixels !== undefined) properties.push({ id: 'custom.width', value: pixels });
  return properties;
}

/** Field name of a column before it is renamed: Grafana calls the value `Value` where only one query answered. */
function fieldName(column: Column, queries: number): string {
  if (!isValue(column)) return column.label;
  return queries === 1 ? 'Value' : `Value #${column.as}`;
}

/** Merges the answers row by row, then puts the columns in order and drops all other fields. */
function organize(columns: readonly Column[], labels: ReadonlySet<string>) {
  const queries = columns.filter(isValue).length;
  const shown = columns.filter((column) => !isValue(column) || column.hidden !== true);
  const names = new Map(shown.map((column) => [fieldName(column, queries), column.title]));
  // Where all other queries came back empty, the first one's value is called `Value`.
  const first = columns.find(isValue);
  if (queries > 1 && first !== undefined && first.hidden !== true) names.set('Value', first.title);
  const hidden = columns.filter((column) => isValue(column) && column.hidden === true);
  const excluded = ['Time', ...hidden.map((c) => fieldName(c, queries)), ...labels].filter(
    (n) => !names.has(n),
  );
  return {
    excludeByName: Object.fromEntries(excluded.map((name) => [name, true])),
    indexByName: Object.fromEntries([...names.keys()].map((name, index) => [name, index])),
    renameByName: Object.fromEntries(names),
  };
}

/** Labels that any query of the set may carry; those that no column shows are dropped. */
const knownLabels: ReadonlySet<string> = new Set([
  'cluster',
  'namespace',
  'pod',
  'node',
  'container',
  'group',
  'qos_class',
  'priority',
  'priority_class',
  'workload',
  'workload_kind',
  'decided_by',
]);

/** One row for each set of labels, one column for each label or query, as of the end of the time range. */
export function table(spec: Table): PanelBuilder {
  const cluster: Column[] = spec.scope === 'several-clusters' ? [{ label: 'cluster', title: 'Cluster' }] : [];
  const columns = [...cluster, ...spec.columns];
  const panel = new PanelBuilder()
    .title(spec.title)
    .description(spec.description)
    .noValue(spec.noValue)
    .datasource(datasource)
    .span(spec.width)
    .height(spec.height)
    .unit('none')
    .thresholds(thresholds('plain'))
    .filterable(true)
    .sortBy([new TableSortByFieldStateBuilder().displayName(spec.sortBy).desc(spec.descending ?? false)])
    .withTransformation({ id: 'merge', options: {} })
    .withTransformation({ id: 'organize', options: organize(columns, knownLabels) });
  for (const column of columns) {
    if (isValue(column)) panel.withTarget(tableTarget(column.as, column.expr));
    panel.overrideByName(column.title, look(column, spec.scope));
  }
  return panel;
}
