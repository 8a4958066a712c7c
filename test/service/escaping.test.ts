import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mi } from '../../src/demo/cluster/units.ts';
import type { WrittenSeries } from '../../src/demo/remote-write.ts';
import { findTool } from '../../src/demo/tool-search.ts';
import type { QueryScope } from '../../src/inputs/scope.ts';
import type { Ladder } from '../../src/outputs/api/ladder.ts';
import { askForPodDetail } from '../../src/outputs/api/pod-detail-query.ts';
import type { PodList } from '../../src/outputs/api/pod-list.ts';
import { quoteString } from '../../src/prometheus/selector.ts';
import { clientFor } from '../prometheus/settings.ts';
import { podOf } from '../snapshot/sample-snapshot.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { scenarioSeries, threePods } from './scenarios.ts';

/** Label values may be any UTF-8. Each of these breaks out of a query, or is changed, where it is not escaped. */
const wildNames = [
  'a"b',
  'ends with a backslash\\',
  '\\"} or up{job="',
  'a} or vector(1) or up{',
  "it's `quoted`",
  'two\nlines\r\nand a\ttab',
  '.*',
  'a|b',
  '$1 $x %s',
  '{}[]()<>&;#',
  '雪だるま ☃ 🦄',
  'e\u0301 and \u00e9 are two',
  'right to left \u202e and \u0001',
  ' spaces ',
] as const;

const store = 'store "of" \\ {all}\n☃';

/** Some limit must be exported for limits to count as known. */
const limitedPods = threePods.map((pod) => ({
  ...pod,
  containers: pod.containers.map((container) =>
    pod.name === 'within' ? { ...container, limit: mi(1024) } : container,
  ),
}));

/** The small cluster once for each wild name, which stands in the labels of cluster, node, uid and one pod. */
function* wildSeries(nowMs: number): Generator<WrittenSeries> {
  for (const [i, name] of wildNames.entries()) {
    for (const series of scenarioSeries('wild', { name: '', pods: () => limitedPods }, nowMs)) {
      const { labels } = series;
      const isNone = labels.pod === 'none';
      yield {
        ...series,
        labels: {
          ...labels,
          store,
          cluster: name,
          ...(labels.node === undefined ? {} : { node: `node ${name}` }),
          ...(labels.uid === undefined ? {} : { uid: `${labels.uid} ${name}` }),
          ...(isNone ? { pod: name, namespace: name } : {}),
          ...(labels.container ? { container: `${labels.container}-${i}` } : {}),
        },
      };
    }
  }
}

let prometheus: TestPrometheus;
let service: TestService;
beforeAll(async () => {
  prometheus = await startPrometheusWith([...wildSeries(Date.now())]);
  service = await startTestService(prometheus.url, {
    flags: [
      '--labels.cluster=cluster',
      `--prometheus.selector=store=${quoteString(store)},scenario!="a}b"`,
      '--window.duration=1h',
    ],
  });
});
afterAll(async () => {
  await service?.stop();
  await prometheus?.stop();
});

const rows = wildNames.map((name, i) => [JSON.stringify(name), name, i] as const);

describe('names of every kind', () => {
  it.each(rows)('%s is ranked in its own cluster', async (_shown, name) => {
    const path = `/api/v1/nodes/${encodeURIComponent(`node ${name}`)}?cluster=${encodeURIComponent(name)}`;
    const { node, pods } = await service.json<Ladder>(path);
    expect(node).toBe(`node ${name}`);
    expect(pods.map(({ rank, namespace, pod }) => [rank, namespace, pod])).toEqual([
      [1, 'a', 'over'],
      [2, name, name],
      [3, 'a', 'within'],
    ]);
  });

  it.each(rows)('%s asks about the containers of its own cluster', async (_shown, name, i) => {
    const { explanation } = await service.json<{
      explanation: { resources: { containers: { name: string; requests: object }[] } };
    }>(`/api/v1/pods/a/within?cluster=${encodeURIComponent(name)}`);
    const containers = explanation.resources.containers.map((container) => container.name);
    expect(containers).toHaveLength(2);
    for (const container of containers) expect(container).toMatch(new RegExp(`-${i}$`));
  });

  it.each(rows)('%s as a pod is asked about by itself', async (_shown, name, i) => {
    const client = clientFor(prometheus.url);
    const names = {
      cluster: 'cluster',
      namespace: 'namespace',
      pod: 'pod',
      container: 'container',
      node: 'node',
      uid: 'uid',
    };
    const scope: QueryScope = {
      labels: { ksm: names, cadvisor: names, scheduler: names },
      matchers: undefined,
    };
    const pod = podOf({ name, namespace: name, cluster: undefined, uid: undefined });
    const detail = await askForPodDetail(pod, { client, scope, clock: Date.now });
    expect(detail).toMatchObject({
      spec: { containers: [{ name: expect.stringMatching(new RegExp(`-${i}$`)) }] },
    });
  });

  it('are listed page by page, each once', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await service.json<PodList>(`/api/v1/pods?limit=4&basis=now${cursor}`);
      seen.push(...page.pods.map(({ cluster, pod }) => JSON.stringify([cluster, pod])));
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toHaveLength(3 * wildNames.length);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('are exported so that promtool reads them', async () => {
    const { body } = await service.get('/metrics');
    const promtool = findTool('promtool');
    if (promtool === undefined) throw new Error('promtool is missing: apt-get install prometheus');
    expect(execFileSync(promtool, ['check', 'metrics'], { input: body, encoding: 'utf8' })).toBe('');
    expect(body.match(/^evictrank_pod_info\{/gm)).toHaveLength(3 * wildNames.length);
  });

  it('leave no query failed', async () => {
    const { data, lastRefresh } = await service.json<{
      data: { inputs: { outcome: string }[]; problems: { kind: string }[] };
      lastRefresh: { outcome: string };
    }>('/api/v1/status');
    expect(lastRefresh.outcome).toBe('ok');
    expect(data.inputs.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(data.problems.filter(({ kind }) => /failed/.test(kind))).toEqual([]);
  });

  it('break no line of the log', () => {
    for (const line of service.output().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });
});
