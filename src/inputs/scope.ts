/** The exporters that name the same things by labels of their own. */
export type Exporter = 'ksm' | 'cadvisor' | 'scheduler';

/** Actual label names, by what they hold. `cluster` is undefined where the store holds one cluster. */
export interface LabelKeys {
  readonly cluster: string | undefined;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly node: string;
  readonly uid: string;
}

/** What every query is restricted to and how the labels are called there. */
export interface QueryScope {
  readonly labels: Readonly<Record<Exporter, LabelKeys>>;
  /** Matchers added to every selector, as PromQL; undefined = none. */
  readonly matchers: string | undefined;
}

/** `metric{matchers…}` within the scope. Matchers are PromQL text, already escaped. */
export function series(scope: QueryScope, metric: string, ...matchers: readonly string[]): string {
  const all = scope.matchers === undefined ? matchers : [...matchers, scope.matchers];
  return all.length === 0 ? metric : `${metric}{${all.join(',')}}`;
}

/** The selector itself, or whether and how high its series were over a range that ends at the evaluation time. */
export function overRange(selector: string, range: string | undefined): string {
  return range === undefined ? selector : `max_over_time(${selector}[${range}])`;
}

/** The same scope, narrowed by further matchers. */
export function narrow(scope: QueryScope, matchers: readonly string[]): QueryScope {
  if (matchers.length === 0) return scope;
  const all = scope.matchers === undefined ? matchers : [scope.matchers, ...matchers];
  return { ...scope, matchers: all.join(',') };
}

/**
 * Aggregates to the identifying labels. Every input goes through this before any sum or join: a high-availability
 * pair, two scrape jobs for one target or a restarted container give the same object several series.
 */
export function maxBy(labels: readonly (string | undefined)[], expression: string): string {
  return `max by (${labelList(labels)}) (${expression})`;
}

/** The same for series that say all with their labels: they are there whatever their value. */
export function groupBy(labels: readonly (string | undefined)[], expression: string): string {
  return `group by (${labelList(labels)}) (${expression})`;
}

export function sumBy(labels: readonly (string | undefined)[], expression: string): string {
  return `sum by (${labelList(labels)}) (${expression})`;
}

export function labelList(labels: readonly (string | undefined)[]): string {
  return labels.filter((label) => label !== undefined).join(', ');
}
