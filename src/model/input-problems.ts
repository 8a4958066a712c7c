import { inputCatalogue, inputIds } from '../inputs/catalogue.ts';
import type { CollectedInputs } from '../inputs/collect.ts';
import type { InputSpec } from '../inputs/source.ts';
import { clusterGaps } from './cluster-gaps.ts';
import { firstFew } from './pods.ts';
import { type InputProblem, problem } from './problem.ts';

/** What is wrong with the inputs themselves: empty where data are expected, failed, or with a notice of the backend. */
export function inputProblems(inputs: CollectedInputs): InputProblem[] {
  const { rows } = inputs;
  const lacking = clusterGaps(inputs);
  return inputIds.flatMap((id) => {
    const spec: InputSpec = inputCatalogue[id];
    const { outcome, error, notices, samples, dropped, keys, source } = rows[id];
    const metrics = spec.sources.map((source) => source.metric).join(', ');
    const found: InputProblem[] = [...new Set(notices)].map((notice) =>
      problem('backend_notice', {
        subject: id,
        message: `the backend says of ${id}: ${notice}`,
        remedy: 'see the notice',
      }),
    );
    if (dropped.length > 0) {
      const whose = dropped.map((labels) =>
        spec.identity.map((label) => labels[keys[label]] ?? '').join('/'),
      );
      found.push(
        problem('samples_dropped', {
          subject: id,
          message: `${dropped.length} of ${dropped.length + samples.length} samples of ${source?.metric ?? metrics} are NaN, infinite or beyond 2^53 and were dropped: ${firstFew(whose)}. What they say is unknown, and a node whose order depends on it is not ranked.`,
          remedy: `see ${id} in Prometheus, and which exporter or rule writes such values`,
        }),
      );
    }
    if (outcome === 'failed') {
      found.push(
        problem('input_failed', {
          subject: id,
          message: `${error?.message ?? 'the query failed'}. ${spec.cost}`,
          remedy: error?.remedy ?? spec.remedy,
        }),
      );
    }
    const unnamed = spec.identity.filter((label) => samples.some((sample) => !sample.labels[keys[label]]));
    if (unnamed.length > 0) {
      const names = unnamed.map((label) => keys[label]).join(', ');
      found.push(
        problem('label_missing', {
          subject: id,
          message: `series of ${source?.metric ?? id} without the label ${names} are left out`,
          remedy: `set ${unnamed.map((label) => `--labels.${source?.exporter ?? 'ksm'}.${label}`).join(', ')} to the label that holds it`,
        }),
      );
    }
    if (id === 'renamed_labels' && outcome === 'ok' && rows.pods.keys.pod === 'pod') {
      found.push(
        problem('labels_renamed', {
          subject: 'pods',
          message:
            'kube-state-metrics is scraped without honor_labels: its labels namespace and pod name itself, and those of the pods are called exported_…',
          remedy:
            'set honor_labels: true for that job, or --labels.ksm.namespace=exported_namespace --labels.ksm.pod=exported_pod --labels.ksm.container=exported_container',
        }),
      );
    }
    if (outcome === 'empty' && spec.whenEmpty === 'problem') {
      found.push(
        problem('input_empty', {
          subject: id,
          message: `no series of ${metrics}. ${spec.cost}`,
          remedy: spec.remedy,
        }),
      );
    }
    return [...found, ...lacking(id)];
  });
}
