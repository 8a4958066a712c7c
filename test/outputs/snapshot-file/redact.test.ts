import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareText } from '../../../src/foundation/text-order.ts';
import { problem } from '../../../src/model/problem.ts';
import { redactSnapshot } from '../../../src/outputs/snapshot-file/redact.ts';
import { snapshotDocument } from '../../../src/outputs/snapshot-file/schema.ts';
import { serializeSnapshot } from '../../../src/outputs/snapshot-file/write.ts';
import { abstentionNames } from '../../../src/review/recommendation.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { assertProperty } from '../../property.ts';
import { nodeOf, podOf, snapshotOf } from '../../snapshot/sample-snapshot.ts';

/** A name with a mark that no text of this program has, so that it is found wherever it is left. */
const markedName = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.nat({ max: 3 }))
  .map(([text, number]) => `Zq${number}${text}`);

const cluster = fc.option(markedName, { nil: undefined });
const amount = fc.option(fc.nat({ max: 1000 }), { nil: undefined });

const arbitraryPod = fc
  .record({
    cluster,
    namespace: markedName,
    name: markedName,
    uid: cluster,
    priority: fc.integer({ min: -5, max: 5 }),
    priorityClass: cluster,
    workload: fc.record({
      kind: fc.constantFrom('Pod', 'Node', 'Deployment', 'ZqRollout', 'DaemonSet'),
      name: markedName,
    }),
    usageBytes: amount,
    requestBytes: amount,
    isStatic: fc.boolean(),
  })
  .map((facts) => podOf(facts));

const arbitrarySnapshot = fc
  .array(
    fc.record({
      name: markedName,
      cluster,
      kubeletVersion: fc.option(fc.constantFrom('v1.20.2', 'v1.30.1-Zq-036c24b', 'Zq'), { nil: undefined }),
      pods: fc.array(arbitraryPod, { maxLength: 8 }),
    }),
    { maxLength: 3 },
  )
  .map((nodes): Snapshot => {
    const snapshot = snapshotOf(nodes.map((node) => nodeOf(node)));
    return {
      ...snapshot,
      inputs: [
        { id: 'pods', outcome: 'ok', source: 'kube_pod_info', series: 3, error: undefined },
        { id: 'Zq-input', outcome: 'failed', source: 'Zq-source', series: 0, error: 'Zq-error' },
      ],
      problems: [
        problem('node_without_usage', { subject: nodes[0]?.name ?? 'pods', message: 'Zq-m', remedy: 'Zq-r' }),
        problem('window_not_saved', { subject: '/Zq/file', message: 'Zq-m', remedy: 'Zq-r' }),
      ],
    };
  });

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Everything that may be said in a redacted file. */
const allowed = [
  /^(cluster|namespace|node|pod|uid|workload|kind|class)_\d+$/,
  /^\[redacted\]$/,
  /^v1\.(20|30)$/,
  /^(Pod|Node|Deployment|DaemonSet)$/,
  /^(Running|Pending)$/,
  /^(Guaranteed|Burstable|BestEffort)$/,
  /^(no_stats|exceeds_request|within_request|protected|priority|over_request|tie)$/,
  /^(ok|failed|pods|kube_pod_info|node_without_usage|window_not_saved)$/,
  new RegExp(`^(${abstentionNames.join('|')})$`),
];

test('no name and no text of the cluster is left, and nothing is there that was not decided about', () => {
  assertProperty(
    fc.property(arbitrarySnapshot, (snapshot) => {
      const redacted = redactSnapshot(snapshot);
      expect(serializeSnapshot(redacted, '1.2.3')).not.toContain('Zq');
      expect(textsOf(redacted).filter((text) => !allowed.some((form) => form.test(text)))).toEqual([]);
    }),
  );
});

test('the same name has the same pseudonym in every place, and another name another one', () => {
  const twins = [
    podOf({ name: 'web', namespace: 'a', node: 'n1', workload: { kind: 'Pod', name: 'web' } }),
    podOf({ name: 'web', namespace: 'b', node: 'n1', workload: { kind: 'Node', name: 'n1' } }),
    podOf({ name: 'api', namespace: 'a', node: 'n1', workload: { kind: 'Deployment', name: 'web' } }),
  ];
  const { nodes, workloads } = redactSnapshot(snapshotOf([nodeOf({ pods: twins })]));
  expect(nodes[0]?.pods.map(({ pod }) => [pod.namespace, pod.name, pod.node, pod.workload])).toEqual([
    ['namespace_1', 'pod_1', 'node_1', { kind: 'Deployment', name: 'workload_1' }],
    ['namespace_1', 'pod_2', 'node_1', { kind: 'Pod', name: 'pod_2' }],
    ['namespace_2', 'pod_2', 'node_1', { kind: 'Node', name: 'node_1' }],
  ]);
  expect(workloads.map(({ workload }) => workload.name).toSorted(compareText)).toEqual([
    'node_1',
    'pod_2',
    'workload_1',
  ]);
});

test('numbers, ranks and their order are as before, and what is read back is what was written', () => {
  assertProperty(
    fc.property(arbitrarySnapshot, (snapshot) => {
      const redacted = redactSnapshot(snapshot);
      expect(withoutTexts(redacted)).toEqual(withoutTexts(snapshot));
      const text = serializeSnapshot(redacted, '1.2.3');
      expect(snapshotDocument.parse(JSON.parse(text)).snapshot).toEqual(redacted);
    }),
  );
});

test('pseudonyms sort as the names do, so that pods that tie stay in their order', () => {
  const pods = Array.from({ length: 12 }, (_, i) => podOf({ name: `p${i}` }));
  const before = snapshotOf([nodeOf({ pods })]);
  const order = redactSnapshot(before).nodes[0]?.pods.map(({ pod }) => pod.name) ?? [];
  expect(order).toEqual(order.toSorted(compareText));
  expect(new Set(order).size).toBe(12);
});

/** The snapshot with a mark in the place of every text that may be a name. */
function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value === 'string') return 'text';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutTexts(part)]));
}

test('a file of before there were versions of kubelets in it can still be read', () => {
  const { nodes } = snapshotOf([nodeOf({ kubeletVersion: 'v1.30.1', pods: [podOf({ name: 'a' })] })]);
  const document = JSON.parse(serializeSnapshot({ ...snapshotOf([]), nodes }, '1.2.3'));
  const read = () => snapshotDocument.parse(document).snapshot.nodes[0]?.node.kubeletVersion;
  expect(read()).toBe('v1.30.1');
  delete document.snapshot.nodes[0].node.kubeletVersion;
  expect(read()).toBeUndefined();
});
