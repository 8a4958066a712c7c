import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import { buildDemoCluster } from '../../src/demo/cluster/demo-cluster.ts';
import { hourMs } from '../../src/demo/cluster/units.ts';
import { formatBytes } from '../../src/foundation/byte-text.ts';
import type { WorkloadRow } from '../../src/outputs/api/workload-list.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { commandOutput, type ReviewJson, reviewOutput } from '../support/review.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { openPage, startBrowser } from './browser.ts';

// All cases, few ordinary pods, and a little over a day: the least that anything is recommended from.
const cluster = buildDemoCluster({ nowMs: Date.now(), nodes: 16, pods: 1 });
const classes = Object.entries(cluster.priorityClasses).map(([name, value]) => `${name}=${value}`);

let prometheus: TestPrometheus;
let service: TestService;
let browser: Browser;
let folder: string;
let fromPrometheus: ReviewJson;
let fromSnapshot: ReviewJson;
let snapshotFile: string;
let exported: ReadonlyMap<string, number>;

const ofSnapshot = (...flags: readonly string[]): Promise<string> =>
  commandOutput(cluster.nowMs, ['review', '--snapshot', snapshotFile, ...flags]);

beforeAll(async () => {
  const { nowMs } = cluster;
  folder = await mkdtemp(join(tmpdir(), 'evictrank-review-'));
  snapshotFile = join(folder, 'snapshot.json');
  prometheus = await startPrometheusWith(
    seriesOf(cluster, { startMs: nowMs - 27 * hourMs, endMs: nowMs, usageStepMs: 4 * 60_000 }),
  );
  [browser, service] = await Promise.all([
    startBrowser(),
    startTestService(prometheus.url, {
      flags: [`--priority-classes=${classes.join(',')}`, '--refresh.interval=5s'],
    }),
  ]);
  await service.statusWhen(({ data }) => data?.windowCoverageRatio === 1, 60_000);
  exported = recommendedSeries((await service.get('/metrics')).body);
  fromPrometheus = JSON.parse(await reviewOutput(cluster, prometheus.url, ['--output=json'])) as ReviewJson;
  await writeFile(snapshotFile, await reviewOutput(cluster, prometheus.url, [], 'snapshot'));
  fromSnapshot = JSON.parse(await ofSnapshot('--output=json')) as ReviewJson;
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await prometheus?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** By namespace/kind/name. */
function recommendedSeries(metricsText: string): ReadonlyMap<string, number> {
  const lines = metricsText.matchAll(/^evictrank_workload_memory_recommended_request_bytes\{(.*)\} (\S+)$/gm);
  return new Map(
    [...lines].map(([, labels = '', value]) => {
      const of = (name: string): string => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
      return [`${of('namespace')}/${of('workload_kind')}/${of('workload')}`, Number(value)];
    }),
  );
}

type Recommended = Pick<WorkloadRow, 'recommendedRequestBytes' | 'noRecommendation'>;

/** What rows of any output recommend, by namespace/kind/name; those with living pods alone, as the service has them. */
function recommendations(
  rows: readonly (Recommended & Pick<WorkloadRow, 'namespace' | 'workloadKind' | 'workload' | 'replicas'>)[],
): Readonly<Record<string, Recommended>> {
  return Object.fromEntries(
    rows
      .filter(({ replicas }) => replicas > 0)
      .map(({ namespace, workloadKind, workload, recommendedRequestBytes, noRecommendation }) => [
        `${namespace}/${workloadKind}/${workload}`,
        { recommendedRequestBytes, noRecommendation },
      ]),
  );
}

/** Of a CSV whose cells hold no commas and no quotes, but for reasons. */
function csvRows(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split('\n');
  return lines.map((line) => {
    const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
      cell.replaceAll('"', ''),
    );
    return Object.fromEntries(head.split(',').map((name, i) => [name, cells[i] ?? '']));
  });
}

const csvRecommendations = (text: string) =>
  recommendations(
    csvRows(text).map((row) => ({
      namespace: row.namespace ?? '',
      workloadKind: row.workloadKind ?? '',
      workload: row.workload ?? '',
      replicas: Number(row.replicas),
      recommendedRequestBytes:
        row.recommendedRequestBytes === '' ? null : Number(row.recommendedRequestBytes),
      noRecommendation: row.noRecommendation === '' ? null : (row.noRecommendation ?? null),
    })),
  );

describe('one recommendation for each workload', () => {
  test('is there at all: some have one, others a reason', () => {
    const all = Object.values(recommendations(fromPrometheus.workloads));
    expect(
      all.filter(({ recommendedRequestBytes }) => recommendedRequestBytes !== null).length,
    ).toBeGreaterThan(20);
    for (const { recommendedRequestBytes, noRecommendation } of all) {
      expect(recommendedRequestBytes === null).toBe(noRecommendation !== null);
    }
  });

  test('in the metrics, where a workload without one has no series', () => {
    const expected = Object.entries(recommendations(fromPrometheus.workloads)).flatMap(
      ([name, { recommendedRequestBytes }]) =>
        recommendedRequestBytes === null ? [] : [[name, recommendedRequestBytes]],
    );
    expect(Object.fromEntries(exported)).toEqual(Object.fromEntries(expected));
  });

  test('in the API, as JSON and as CSV', async () => {
    const { workloads } = await service.json<{ workloads: WorkloadRow[] }>('/api/v1/workloads');
    expect(recommendations(workloads)).toEqual(recommendations(fromPrometheus.workloads));
    const { body } = await service.get('/api/v1/workloads?format=csv');
    expect(csvRecommendations(body)).toEqual(recommendations(fromPrometheus.workloads));
  });

  test('in the review of a snapshot, as JSON and as CSV', async () => {
    expect(recommendations(fromSnapshot.workloads)).toEqual(recommendations(fromPrometheus.workloads));
    expect(csvRecommendations(await ofSnapshot('--output=csv'))).toEqual(
      recommendations(fromPrometheus.workloads),
    );
  });

  test.each([
    ['OOM-killed', 'media', 'Deployment', 'transcoder'],
    ['with an init container that needs more', 'payments', 'Deployment', 'ledger'],
    ['of two containers', 'shop', 'Deployment', 'cart'],
    ['leaking', 'search', 'Deployment', 'indexer'],
    ['scaled on memory', 'shop', 'Deployment', 'recommendations'],
    ['short-lived', 'ci', 'Deployment', 'preview-412'],
    ['without stats', 'platform', 'Deployment', 'ghost'],
  ])('on the page and in the reports: a workload %s', async (_what, namespace, kind, name) => {
    const { recommendedRequestBytes, noRecommendation } =
      recommendations(fromPrometheus.workloads)[`${namespace}/${kind}/${name}`] ?? {};
    const { page } = await openPage(
      browser,
      `${service.url}/#/workloads?search=${namespace}/${name}&kind=${kind}`,
    );
    const row = await rowOf(page, name);
    const text =
      recommendedRequestBytes == null ? String(noRecommendation) : formatBytes(recommendedRequestBytes);
    expect(row).toContain(text);
    for (const flags of [[], ['--output=markdown'], ['--output=html']]) {
      for (const report of [
        await reviewOutput(cluster, prometheus.url, ['--namespace', namespace, ...flags]),
        await ofSnapshot('--namespace', namespace, ...flags),
      ]) {
        const line = report
          .replaceAll('<wbr>', '')
          .split(/\n|<tr>/)
          .find((part) => new RegExp(`^(\\| |<th scope="row">)?${namespace}/${kind}/${name}[ <]`).test(part));
        expect(line).toMatch(recommendedRequestBytes == null ? /none: / : new RegExp(`\\b${text}\\b`));
      }
    }
  });
});

async function rowOf(page: Page, name: string): Promise<string> {
  const row = page.getByRole('row').filter({ hasText: name });
  await expect.poll(() => row.count()).toBe(1);
  return (await row.textContent()) ?? '';
}

/** What only containers, cpu and the pods that wait can tell. */
const unknownToSnapshots: ReadonlySet<string> = new Set([
  'injected_class',
  'limit_range_class',
  'request_above_any_node',
]);

describe('the review of a snapshot', () => {
  test.each([
    ['table', (text: string) => text.split('\n').slice(0, 4).join('\n')],
    ['markdown', (text: string) => text.split('## Findings')[0] ?? ''],
    ['html', (text: string) => text.split('<h2>')[0] ?? ''],
    ['json', (text: string) => text.split('"cluster"')[0] ?? ''],
  ])('says at its head what it does not know: %s', async (format, headOf) => {
    const sentence = /review of a snapshot, which holds no containers/;
    expect(headOf(await ofSnapshot(`--output=${format}`))).toMatch(sentence);
    expect(await reviewOutput(cluster, prometheus.url, [`--output=${format}`])).not.toMatch(sentence);
  });

  test('says so in every line of CSV, and at the head of patches', async () => {
    const rows = csvRows(await ofSnapshot('--output=csv'));
    expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(['snapshot']));
    expect(await ofSnapshot('--patch')).toMatch(/^# Incomplete: This is the review of a snapshot/);
  });

  test('gives no number that the review of its Prometheus does not give', () => {
    const whole = new Map(
      fromPrometheus.workloads.map((one) => [`${one.namespace}/${one.workloadKind}/${one.workload}`, one]),
    );
    for (const { findings, containers, ...row } of fromSnapshot.workloads) {
      const fuller = whole.get(`${row.namespace}/${row.workloadKind}/${row.workload}`);
      const known = Object.entries(row).filter(([, value]) => value !== null);
      expect(fuller).toMatchObject(Object.fromEntries(known));
      expect(containers).toEqual([]);
      const ids = fuller?.findings.map(({ id }) => id).filter((id) => !unknownToSnapshots.has(id));
      expect(findings.map(({ id }) => id)).toEqual(ids);
    }
    const { nodesNeeded, findings, ...sums } = fromSnapshot.cluster;
    expect(nodesNeeded).toBeNull();
    expect(fromPrometheus.cluster.nodesNeeded).not.toBeNull();
    expect(fromPrometheus.cluster).toMatchObject(sums);
    expect(fromPrometheus.cluster.findings).toEqual(expect.arrayContaining([...findings]));
    expect(fromSnapshot.nodes).toEqual(fromPrometheus.nodes);
  });
});
