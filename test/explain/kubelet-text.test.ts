import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { explainKubeletText } from '../../src/explain/kubelet-text.ts';
import type { Pod } from '../../src/model/pod.ts';
import { readOracleFile } from '../oracle-cases.ts';
import { nodeOf, podOf, snapshotOf } from '../snapshot/sample-snapshot.ts';

const current =
  'The node was low on resource: memory. Threshold quantity: 100Mi, available: 84Mi. Container api was using 1408Mi, request is 1Gi, has larger consumption of memory. ';
const quiet = 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 84Mi. ';

describe('an eviction message', () => {
  test('of today names resource, threshold, comparator and remedy', () => {
    expect(explainKubeletText(current)).toEqual({
      kind: 'node_pressure',
      summary: 'Evicted because the node ran low on memory: 84Mi available, below the threshold of 100Mi.',
      resource: 'memory',
      threshold: { quantity: '100Mi', available: '84Mi' },
      group: 'exceeds_request',
      decidedBy: 'exceeds_request',
      named: [{ what: 'container', name: 'api', usage: '1408Mi', request: '1Gi' }],
      reasons: ['api used 1408Mi with a request of 1Gi, which put the pod in the first group.'],
      remedies: ['Request at least 1408Mi of memory for api, or make it use less.'],
      caveats: [
        "The message compares each container with its own request, the kubelet's order compares the whole pod: a pod within its request may be listed here for one container.",
      ],
    });
  });

  test('that names no container means the second group, or no statistics', () => {
    expect(explainKubeletText(quiet)).toMatchObject({
      group: 'within_request',
      decidedBy: 'priority',
      named: [],
      caveats: [expect.stringContaining('no statistics')],
    });
  });

  test('is found inside of what somebody pasted, wrapped or with other lines behind it', () => {
    const describeOutput = `Status:       Failed\nReason:       Evicted\nMessage:      ${current}\nIP:           10.0.0.7\n`;
    expect(explainKubeletText(describeOutput)).toEqual(explainKubeletText(current));
    expect(explainKubeletText(current.replace('request is', 'request\n  is'))).toEqual(
      explainKubeletText(current),
    );
    const limit = 'Usage of EmptyDir volume "cache" exceeds the limit "1Gi". ';
    expect(explainKubeletText(`Message: ${limit}\nIP: x`)).toMatchObject({
      kind: 'storage_limit',
      summary:
        'Evicted because emptyDir volume cache used more local storage than its own limit of 1Gi; the node and other pods played no part.',
      remedies: ['Raise the limit of emptyDir volume cache, or write less.'],
    });
  });

  const { cases } = z
    .object({
      cases: z.array(
        z.object({
          id: z.int(),
          resource: z.string(),
          message: z.string(),
          annotations: z.record(z.string(), z.string()),
        }),
      ),
    })
    .parse(readOracleFile('eviction_message.json'));

  test('of the kubelet itself is read whole: every case names the same containers as its annotations', () => {
    expect(cases).toHaveLength(57);
    for (const { id, resource, message, annotations } of cases) {
      const meaning = explainKubeletText(message);
      const offenders = (annotations.offending_containers ?? '').split(',').filter((name) => name !== '');
      expect(meaning, `case ${id}`).toMatchObject({
        kind: 'node_pressure',
        resource,
        named: offenders.map((name) => ({ what: 'container', name })),
      });
      expect(JSON.stringify(meaning), `case ${id}`).not.toContain('is not known');
    }
  });

  test('with an impossible number is refused', () => {
    expect(() => explainKubeletText(current.replace('1408Mi', '14x8'))).toThrow(/quantities must match/);
  });

  test('of something else is called unknown', () => {
    for (const text of ['', 'Back-off restarting failed container', 'pods ranked for eviction']) {
      expect(explainKubeletText(text).kind).toBe('unknown');
    }
  });
});

function nodesOf(pods: readonly (Partial<Pod> & { name: string })[]) {
  const here = nodeOf({ name: 'n1', pods: pods.map(podOf) });
  const elsewhere = nodeOf({ name: 'n2', pods: [podOf({ name: 'far', node: 'n2' })] });
  return snapshotOf([elsewhere, here]).nodes;
}

const line = (...names: string[]) =>
  `I1201 10:00:00.1 1 eviction_manager.go:366] "Eviction manager: pods ranked for eviction" pods=[${names.map((name) => `"default/${name}"`).join(',')}]`;

describe("a line of the kubelet's log", () => {
  const pods = [
    { name: 'a', usageBytes: 300, priority: -1 },
    { name: 'b', usageBytes: 400 },
    { name: 'c', usageBytes: 50 },
    { name: 'agent', isStatic: true },
  ];

  test('that agrees is said to agree; the node is found by its pods', () => {
    expect(explainKubeletText(line('a', 'agent', 'b', 'c'), nodesOf(pods))).toMatchObject({
      kind: 'ranked_pods',
      summary:
        'The kubelet listed 4 pods in the order in which it would evict them, default/a first. This ranking of n1 has the 3 pods that both know in the same order.',
      comparison: { node: 'n1', compared: 3, agreed: 3, parting: undefined, onlyLogged: [], onlyRanked: [] },
    });
  });

  test('that differs is shown where the orders part, with the comparator it hangs on', () => {
    expect(explainKubeletText(line('a', 'c', 'b', 'gone'), nodesOf(pods))).toMatchObject({
      summary:
        'The kubelet listed 4 pods in the order in which it would evict them, default/a first. This ranking of n1 agrees on the first 1 of the 3 pods that both know. In 2nd place the kubelet had default/c, this ranking has default/b. By the figures here, default/b goes before default/c: default/b uses more memory than it requests, default/c does not. Most likely their usage has changed since, or a request is not the one the kubelet goes by. No longer on the node: default/gone.',
      comparison: {
        agreed: 1,
        parting: {
          place: 2,
          kubelet: { namespace: 'default', pod: 'c' },
          ours: { namespace: 'default', pod: 'b' },
          decidedBy: 'exceeds_request',
        },
        onlyLogged: ['default/gone'],
      },
    });
  });

  test('is explained without a comparison where no node holds its pods, or the node is not ranked', () => {
    expect(explainKubeletText(line('x'))).toMatchObject({ kind: 'ranked_pods', comparison: undefined });
    const blind = nodesOf([{ name: 'a', usageBytes: undefined }]);
    expect(explainKubeletText(line('a'), blind)).toMatchObject({
      summary: expect.stringContaining('It cannot be compared: no pod on n1 has a known memory usage'),
      comparison: undefined,
    });
  });

  test('is found among other lines', () => {
    const log = `I1201 something else\n${line('a', 'b', 'c')}\nI1201 more`;
    expect(explainKubeletText(log, nodesOf(pods))).toMatchObject({ comparison: { agreed: 3 } });
  });
});
