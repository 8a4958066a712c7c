import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decidedBy } from '../../src/dashboards/queries/deciding.ts';
import type { WrittenSeries } from '../../src/demo/remote-write.ts';
import type { EvictionCandidate } from '../../src/kubelet/candidate.ts';
import { memoryPolicy } from '../../src/kubelet/policies.ts';
import { type RankedCandidate, rankCandidates } from '../../src/kubelet/rank.ts';
import { metrics } from '../../src/outputs/metrics/catalogue.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { queryInstant } from './prometheus-answers.ts';

/** Few values each, so that every comparator decides often and ties are common. */
const podShape = fc.record({
  priority: fc.constantFrom(-10, 0, 1000),
  usage: fc.constantFrom(undefined, 0, 50, 100, 150),
  request: fc.constantFrom(0, 60, 100),
  isProtected: fc.constantFrom(false, false, false, true),
});
const nodePods = fc.array(podShape, { minLength: 1, maxLength: 12 });

type Ranked = RankedCandidate<EvictionCandidate>;

const nodes: readonly (readonly Ranked[])[] = fc.sample(nodePods, { numRuns: 150, seed: 7 }).map((pods) =>
  rankCandidates(
    pods.map((pod, i) => ({ ...pod, namespace: 'ns', name: `pod-${i}` })),
    memoryPolicy,
  ),
);

function seriesOf(ranked: readonly Ranked[], node: string, atMs: number): WrittenSeries[] {
  return ranked.flatMap(({ candidate, standing }) => {
    const labels = { namespace: 'ns', pod: candidate.name, node };
    const one = (name: string, more: Readonly<Record<string, string>>, value: number): WrittenSeries => ({
      labels: { __name__: name, ...labels, ...more },
      timesMs: [atMs],
      values: [value],
    });
    const group = one(metrics.podComparatorGroup.name, { basis: 'now', group: standing.group }, 1);
    const info = one(metrics.podInfo.name, { priority: String(candidate.priority) }, 1);
    if (standing.rank === undefined) return [group, info];
    return [group, info, one(metrics.podEvictionRiskRank.name, { basis: 'now' }, standing.rank)];
  });
}

/** What the table shows: tied pods share the comparator that puts all of them before the next rank. */
function shownFor(ranked: readonly Ranked[], index: number): string | undefined {
  const { rank } = ranked[index]?.standing ?? {};
  if (rank === undefined) return undefined;
  const lastOfRank = ranked.findLast(({ standing }) => standing.rank === rank);
  return lastOfRank?.standing.decidedBy ?? 'last';
}

describe('the label decided_by', () => {
  const atMs = Math.floor(Date.now() / 60_000) * 60_000;
  let prometheus: TestPrometheus;
  beforeAll(async () => {
    prometheus = await startPrometheusWith(nodes.flatMap((ranked, i) => seriesOf(ranked, `node-${i}`, atMs)));
  });
  afterAll(() => prometheus.stop());

  test('names the comparator that the kubelet rules name, on every node and for every ranked pod', async () => {
    const series = await queryInstant(prometheus.url, decidedBy('now', 'node=~".+"'), atMs / 1000);
    const shown = new Map(series.map(({ metric }) => [`${metric.node}/${metric.pod}`, metric.decided_by]));
    const expected = new Map<string, string>();
    for (const [i, ranked] of nodes.entries()) {
      for (const [index, { candidate }] of ranked.entries()) {
        const decided = shownFor(ranked, index);
        if (decided !== undefined) expected.set(`node-${i}/${candidate.name}`, decided);
      }
    }
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
    expect(new Set(expected.values())).toEqual(
      new Set(['no_stats', 'exceeds_request', 'priority', 'over_request', 'last']),
    );
  });
});
