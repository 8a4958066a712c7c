import type { CollectedInputs } from '../../inputs/collect.ts';
import { type Exporter, type QueryScope, series } from '../../inputs/scope.ts';
import type { Finding } from './finding.ts';
import type { Probing } from './probe.ts';
import { askQuietly } from './quiet-query.ts';

type LabelName = 'namespace' | 'pod' | 'container' | 'node' | 'uid';

/** Which labels of which exporter have a setting, and where to look for them. */
const labelled: Readonly<
  Record<Exporter, { readonly metrics: readonly string[]; readonly labels: readonly LabelName[] }>
> = {
  ksm: { metrics: ['kube_pod_info'], labels: ['namespace', 'pod', 'node', 'uid'] },
  cadvisor: {
    metrics: ['container_memory_working_set_bytes', 'pod_memory_working_set_bytes'],
    labels: ['namespace', 'pod', 'container', 'node'],
  },
  scheduler: { metrics: ['kube_pod_resource_request'], labels: ['namespace', 'pod'] },
};

/**
 * Labels that a scrape without `honor_labels` has renamed: the exporter's own `pod` is in `exported_pod`, and `pod` is
 * the pod of the exporter.
 */
export async function findRenamedLabels(probing: Probing): Promise<Finding[]> {
  const searches = (Object.keys(labelled) as Exporter[]).flatMap((exporter) =>
    labelled[exporter].labels.map(async (label): Promise<Finding[]> => {
      const wanted = `exported_${label}`;
      const used = probing.scope.labels[exporter][label];
      if (used === wanted) return [];
      const query = labelled[exporter].metrics
        .map((metric) => `topk(1, ${series(probing.scope, metric, `${wanted}!=""`)})`)
        .join(' or ');
      const [found] = await askQuietly(probing, query);
      if (found === undefined) return [];
      return [
        {
          severity: 'problem',
          subject: exporter,
          message: `${found.labels.__name__ ?? labelled[exporter].metrics[0]} has a label ${wanted}="${found.labels[wanted]}": it is scraped without honor_labels, and the label ${used} names something else`,
          remedy: `set --labels.${exporter}.${label}=${wanted}, or honor_labels: true in the scrape job`,
        },
      ];
    }),
  );
  return (await Promise.all(searches)).flat();
}

/** Settings that name a label which the series do not have. */
export function findMissingLabels({ rows }: CollectedInputs): Finding[] {
  const looked = [
    [rows.pods, 'ksm', ['namespace', 'pod', 'uid', 'node']],
    [rows.pod_usage, 'cadvisor', ['namespace', 'pod']],
    [rows.pod_priority, 'scheduler', ['namespace', 'pod']],
  ] as const;
  return looked.flatMap(([row, exporter, labels]) =>
    labels
      .filter((label) => row.samples.length > 0 && row.samples.every(({ labels: l }) => !l[row.keys[label]]))
      .map(
        (label): Finding => ({
          severity: 'problem',
          subject: exporter,
          message: `no series of ${row.source?.metric} has the label ${row.keys[label]} that should hold the ${label}`,
          remedy: `set --labels.${exporter}.${label} to the label that does`,
        }),
      ),
  );
}

/** Several clusters in one store without a word of it in the settings: their nodes and pods would be mixed. */
export async function findMixedClusters(probing: Probing): Promise<Finding[]> {
  if (probing.scope.labels.ksm.cluster !== undefined) return [];
  const query = `count by (cluster) (${series(probing.scope, 'kube_pod_info', 'cluster!=""')})`;
  const clusters = (await askQuietly(probing, query)).map(({ labels }) => labels.cluster ?? '');
  if (clusters.length < 2) return [];
  return [
    {
      severity: 'problem',
      subject: 'cluster',
      message: `kube_pod_info has ${clusters.length} values of the label cluster (${clusters.slice(0, 5).join(', ')}): nodes and pods of the same name are taken for one`,
      remedy: `set --labels.cluster=cluster, or --prometheus.selector='cluster="${clusters[0] ?? ''}"' for one of them`,
    },
  ];
}

/** The labels that say what a series is about, for grouping. */
export function identifyingLabels(scope: QueryScope, exporter: Exporter): string[] {
  const { cluster, namespace, pod, uid, container } = scope.labels[exporter];
  const own =
    exporter === 'ksm' ? [cluster, namespace, pod, uid] : [cluster, namespace, pod, container, 'id'];
  return own.filter((label) => label !== undefined);
}
