import { describe, expect, test } from 'vitest';
import type { EvictionCandidate } from '../../src/kubelet/candidate.ts';
import { compareOrder } from '../../src/kubelet/order-comparison.ts';
import { memoryPolicy } from '../../src/kubelet/policies.ts';
import { rankCandidates } from '../../src/kubelet/rank.ts';
import { parseRankedLogLine } from '../../src/kubelet/ranked-log-line.ts';

const A = { namespace: 'ns', name: 'a', uid: undefined };
const B = { namespace: 'other', name: 'b-1', uid: undefined };
const HEAD = 'I0617 16:18:42.212966 3814777 eviction_manager.go:410] ';

describe('a log line with the ranking', () => {
  const CASES: readonly { name: string; line: string; pods: unknown }[] = [
    {
      name: 'of Kubernetes 1.20 and before',
      line: 'I0322 15:27:33 7481 eviction_manager.go:358] eviction manager: pods ranked for eviction: a_ns(0da1-4c), b-1_other(1e39)',
      pods: [
        { ...A, uid: '0da1-4c' },
        { ...B, uid: '1e39' },
      ],
    },
    {
      name: 'with quoted names and commas',
      line: `${HEAD}"Eviction manager: pods ranked for eviction" pods=["ns/a","other/b-1"]`,
      pods: [A, B],
    },
    {
      name: 'with plain names and spaces',
      line: `${HEAD}"Eviction manager: pods ranked for eviction" pods=[ns/a other/b-1]`,
      pods: [A, B],
    },
    {
      name: 'with the whole list quoted',
      line: `${HEAD}"Eviction manager: pods ranked for eviction" pods="[ns/a other/b-1]"`,
      pods: [A, B],
    },
    {
      name: 'in JSON',
      line: '{"ts":1.0,"v":0,"msg":"Eviction manager: pods ranked for eviction","pods":[{"name":"a","namespace":"ns"},{"name":"b-1","namespace":"other"}]}',
      pods: [A, B],
    },
    { name: 'with no pods', line: `${HEAD}"Eviction manager: pods ranked for eviction" pods=[]`, pods: [] },
    { name: 'that is another line', line: `${HEAD}"Eviction manager: must evict pod(s)"`, pods: undefined },
    { name: 'that is broken JSON', line: '{"msg":"Eviction manager: pods ranked', pods: undefined },
    {
      name: 'whose pods cannot all be read',
      line: `${HEAD}"Eviction manager: pods ranked for eviction" pods=["calico-node","ns/a"]`,
      pods: undefined,
    },
  ];
  for (const { name, line, pods } of CASES) {
    test(name, () => {
      expect(parseRankedLogLine(line)).toEqual(pods);
    });
  }
});

describe("the kubelet's order against ours", () => {
  const pod = (name: string, usage: number, isProtected = false): EvictionCandidate => ({
    namespace: 'ns',
    name,
    priority: 0,
    usage,
    request: 0,
    isProtected,
  });
  const ranked = rankCandidates(
    [pod('a', 30), pod('b', 20), pod('c', 20), pod('d', 10), pod('static', 99, true)],
    memoryPolicy,
  );
  const logged = (...names: string[]) => names.map((name) => ({ namespace: 'ns', name, uid: undefined }));

  test('protected pods and the order of ties make no difference', () => {
    const same = compareOrder(logged('static', 'a', 'c', 'b', 'd'), ranked);
    expect(same).toEqual({ agreed: 4, parting: undefined, onlyLogged: [], onlyRanked: [] });
  });

  test('the first place where they part is named, with both pods', () => {
    const { agreed, parting } = compareOrder(logged('a', 'd', 'b', 'c'), ranked);
    expect(agreed).toBe(1);
    expect(parting?.kubelet.candidate.name).toBe('d');
    expect(parting?.ours.candidate.name).toBe('b');
  });

  test('pods that only one side knows are listed, and do not part the rest', () => {
    const comparison = compareOrder(logged('gone', 'a', 'd'), ranked);
    expect(comparison.parting).toBeUndefined();
    expect(comparison.agreed).toBe(2);
    expect(comparison.onlyLogged.map(({ name }) => name)).toEqual(['gone']);
    expect(comparison.onlyRanked.map(({ candidate }) => candidate.name)).toEqual(['b', 'c']);
  });
});
