// Pieces of descriptions. `{{ … }}` is Prometheus' template language; what is known when the rules are built is
// written into the sentence.

const inCluster = '{{ with $labels.cluster }} of cluster {{ . }}{{ end }}';

export const thePod = `Pod {{ $labels.namespace }}/{{ $labels.pod }} on node {{ $labels.node }}${inCluster}`;
export const theNode = `Node {{ $labels.node }}${inCluster}`;
export const theWorkload = `{{ $labels.workload_kind }} {{ $labels.namespace }}/{{ $labels.workload }}${inCluster}`;
export const theService = `evictrank at {{ $labels.instance }}${inCluster}`;

/** The alert's value in units a person reads. */
export const value = {
  bytes: '{{ $value | humanize1024 }}B',
  share: '{{ $value | humanizePercentage }}',
  number: '{{ $value | humanize }}',
  duration: '{{ $value | humanizeDuration }}',
} as const;

export const explainPod = '`evictrank explain {{ $labels.namespace }}/{{ $labels.pod }}`';
export const rankNode = '`evictrank rank --node {{ $labels.node }}`';

/** 536870912 → `512MiB`, as `humanize1024` would write it. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  return `${Number((bytes / 2 ** (10 * power)).toPrecision(4))}${units[power]}`;
}

/** 0.25 → `25%`. */
export function formatShare(share: number): string {
  return `${Number((share * 100).toPrecision(4))}%`;
}

interface ListWording {
  /** How one answer is written, with `$found.Labels`. */
  readonly each: string;
  /** What is written where there is no answer. */
  readonly otherwise: string;
  /** Label to sort by, for a query whose answer has no order of its own. */
  readonly sortedBy?: string;
}

/**
 * The answers of a query made when the alert is rendered, joined by commas. `<cluster>` and `<node>` in the
 * query stand for the quoted labels of the alert; the cluster is empty where there is none, which matches.
 */
export function listOf(query: string, { each, otherwise, sortedBy }: ListWording): string {
  const labels = (query.match(/<cluster>|<node>/g) ?? []).map((token) => `$labels.${token.slice(1, -1)}`);
  const format = query.replaceAll('%', '%%').replaceAll(/<cluster>|<node>/g, '%q');
  const sorting = sortedBy === undefined ? '' : ` | sortByLabel "${sortedBy}"`;
  const answers = `printf \`${format}\` ${labels.join(' ')} | query${sorting}`;
  return `{{ range $index, $found := ${answers} }}{{ if $index }}, {{ end }}${each}{{ else }}${otherwise}{{ end }}`;
}
