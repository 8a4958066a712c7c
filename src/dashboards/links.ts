import { DashboardLinkBuilder, DashboardLinkType } from '@grafana/grafana-foundation-sdk/dashboard';
import { type Board, boards, type ClusterScope, tag } from './identity.ts';
import { placeholder } from './interpolation.ts';

/** The row of links at the top: every other dashboard of the set, with the variables and the time range of this one. */
export function boardLinks(): DashboardLinkBuilder {
  return new DashboardLinkBuilder('evictrank')
    .type(DashboardLinkType.Dashboards)
    .icon('external link')
    .tooltip('Other evictrank dashboards, with the same variables and time range')
    .tags([tag])
    .asDropdown(false)
    .targetBlank(false)
    .includeVars(true)
    .keepTime(true);
}

/** Where a cell leads: a dashboard, and the columns of the row that become its variables. */
export interface CellLink {
  readonly to: Board;
  /** Variable name → column title. */
  readonly set: Readonly<Record<string, string>>;
}

export interface DataLink {
  readonly title: string;
  readonly url: string;
}

/** A data link of a table cell. Variables that the row does not name are carried over from the dashboard. */
export function cellLink(link: CellLink, scope: ClusterScope): DataLink {
  const { uid, title } = boards[link.to];
  const columns = scope === 'several-clusters' ? { cluster: 'Cluster', ...link.set } : link.set;
  const set = Object.entries(columns).map(
    ([name, column]) => `var-${name}=${placeholder(`__data.fields["${column}"]`)}`,
  );
  const kept = ['datasource', 'cluster'].filter((name) => !(name in columns));
  const query = [
    ...kept.map((name) => placeholder(name, 'queryparam')),
    ...set,
    placeholder('__url_time_range'),
  ];
  return { title, url: `/d/${uid}?${query.join('&')}` };
}
