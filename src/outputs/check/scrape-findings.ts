import type { CollectedInputs } from '../../inputs/collect.ts';
import { type Exporter, labelList, series } from '../../inputs/scope.ts';
import type { Sample } from '../../prometheus/client.ts';
import type { Finding } from './finding.ts';
import { identifyingLabels } from './label-findings.ts';
import type { Probing } from './probe.ts';
import { askQuietly } from './quiet-query.ts';

/** Series that say the same thing twice: a high-availability pair, or two jobs with one target. */
export async function findDuplicates(probing: Probing, { rows }: CollectedInputs): Promise<Finding[]> {
  const looked: (readonly [Exporter, string])[] = [['ksm', 'kube_pod_info']];
  const usage = rows.pod_usage.source?.metric.split(' ')[0];
  if (usage !== undefined) looked.push(['cadvisor', usage]);
  const found = await Promise.all(
    looked.map(async ([exporter, metric]): Promise<Finding[]> => {
      const { container, pod } = probing.scope.labels[exporter];
      // The sandbox of an earlier attempt has the same labels but for its id, and no image of its own.
      const matchers = metric.startsWith('container_') ? [`${container}=""`, 'image=""', `${pod}!=""`] : [];
      const all = series(probing.scope, metric, ...matchers);
      const keys = labelList(identifyingLabels(probing.scope, exporter));
      const repeated = `count by (${keys}) (${all}) > 1`;
      const [count] = await askQuietly(probing, `count(${repeated})`);
      if (count === undefined || count.value === 0) return [];
      const example = await askQuietly(probing, `${all} and on (${keys}) topk(1, ${repeated})`);
      return [duplicateFinding(metric, count.value, example)];
    }),
  );
  return found.flat();
}

function duplicateFinding(metric: string, count: number, example: readonly Sample[]): Finding {
  const names = new Set(example.flatMap(({ labels }) => Object.keys(labels)));
  const differing = [...names].filter((name) => new Set(example.map(({ labels }) => labels[name])).size > 1);
  const [label] = differing;
  const value = example.map(({ labels }) => (label === undefined ? '' : labels[label])).find((text) => text);
  return {
    severity: 'note',
    subject: metric,
    message: `${count} pods have several series of ${metric}${differing.length === 0 ? '' : `, which differ in ${differing.join(', ')}`}; the largest counts, so ranks are right, but every query reads them all`,
    remedy:
      label === undefined || value === undefined
        ? 'scrape each target once'
        : `scrape each target once, or set --prometheus.selector='${label}="${value}"' where everything needed has that label`,
  };
}

/** Targets that cannot be scraped, by job. */
export async function findDownTargets(probing: Probing): Promise<Finding[]> {
  const down = await askQuietly(probing, 'count by (job) (up == 0)');
  return down.map(({ labels, value }) => ({
    severity: 'note',
    subject: labels.job ?? 'up',
    message: `${value} ${value === 1 ? 'target' : 'targets'} of job ${labels.job ?? '?'} cannot be scraped (up == 0)`,
    remedy: 'see the targets page of Prometheus',
  }));
}

/** Where nothing at all is known of an exporter: the jobs there are, so that a reader sees which is missing. */
export async function findMissingJobs(probing: Probing, { rows }: CollectedInputs): Promise<Finding[]> {
  const missing = [
    rows.pods.outcome === 'empty' && rows.pod_phase.outcome === 'empty' ? 'kube-state-metrics' : undefined,
    rows.pod_usage.outcome === 'empty' ? "the kubelet's /metrics/cadvisor" : undefined,
  ].filter((name) => name !== undefined);
  if (missing.length === 0) return [];
  const jobs = (await askQuietly(probing, 'count by (job) (up)')).map(({ labels }) => labels.job ?? '?');
  return missing.map((name) => ({
    severity: 'problem',
    subject: name,
    message: `nothing of ${name} is there; ${jobs.length === 0 ? 'this Prometheus scrapes nothing' : `the jobs are ${jobs.toSorted().join(', ')}`}`,
    remedy: `add a scrape job for ${name}, or check --prometheus.selector and --prometheus.tenant`,
  }));
}
