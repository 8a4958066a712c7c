import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type AlertmanagerServer, startAlertmanager } from '../../src/demo/alertmanager-server.ts';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import { buildDemoCluster } from '../../src/demo/cluster/demo-cluster.ts';
import { hourMs, minuteMs } from '../../src/demo/cluster/units.ts';
import { type LiveWriter, startLiveWriter } from '../../src/demo/live-writer.ts';
import { findFreePort } from '../../src/demo/loopback.ts';
import { remoteWrite, type WrittenSeries } from '../../src/demo/remote-write.ts';
import { findTool } from '../../src/demo/tool-search.ts';
import { compareText } from '../../src/foundation/text-order.ts';
import { metrics } from '../../src/outputs/metrics/catalogue.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { startTestService, type TestService } from '../support/service.ts';

/**
 * The committed rules in a real Prometheus over the demo cluster, with the service scraped beside it, and what an
 * Alertmanager receives. Only the waiting is taken out (`for`, `keep_firing_for`): the rules' own promtool tests prove it to the second.
 */
const cluster = buildDemoCluster({ nowMs: Date.now() });
const folder = mkdtempSync(join(tmpdir(), 'evictrank-rules-'));

let prometheus: TestPrometheus;
let alertmanager: AlertmanagerServer;
let service: TestService;
let writer: LiveWriter;

/** A day, so that workloads have enough history for a recommendation. */
const windowHours = 25;

beforeAll(async () => {
  const { nowMs } = cluster;
  alertmanager = await startAlertmanager(findTool('alertmanager') ?? 'prometheus-alertmanager');
  const servicePort = await findFreePort();
  prometheus = await startPrometheusWith(
    seriesOf(cluster, { startMs: nowMs - windowHours * hourMs, endMs: nowMs, usageStepMs: 2 * minuteMs }),
    {
      ruleFiles: [withoutWaiting('alerts/evictrank.rules.yaml'), resolve('alerts/recording.rules.yaml')],
      alertmanagers: [alertmanager.address],
      scrapeTargets: { evictrank: `127.0.0.1:${servicePort}` },
      intervalSeconds: 2,
      // A description is made anew at each evaluation; by default it would be sent again only after a minute.
      flags: ['--rules.alert.resend-delay=2s'],
    },
  );
  await remoteWrite(await headroomOfLastHour(), { url: prometheus.url });
  writer = startLiveWriter({
    url: prometheus.url,
    cluster,
    writtenToMs: nowMs,
    clock: Date.now,
    intervalMs: 5_000,
    onError: (error) => console.error(error),
  });
  const classes = Object.entries(cluster.priorityClasses).map(([name, value]) => `${name}=${value}`);
  service = await startTestService(prometheus.url, {
    port: servicePort,
    flags: [
      `--priority-classes=${classes.join(',')}`,
      `--window.duration=${windowHours - 1}h`,
      '--refresh.interval=5s',
    ],
  });
  await service.statusWhen(({ data }) => data?.windowCoverageRatio === 1, 60_000);
}, 180_000);

afterAll(async () => {
  for (const server of [service, writer, prometheus, alertmanager]) await server?.stop();
  rmSync(folder, { recursive: true });
});

/** The same rules, each firing as long as its expression holds. */
function withoutWaiting(file: string): string {
  const rules = parse(readFileSync(file, 'utf8')) as {
    groups: { rules: { for?: string; keep_firing_for?: string }[] }[];
  };
  for (const rule of rules.groups.flatMap((group) => group.rules)) {
    delete rule.for;
    delete rule.keep_firing_for;
  }
  const copy = join(folder, 'rules.yaml');
  writeFileSync(copy, stringify(rules));
  return copy;
}

/** What a service that ran for the last hour would have exported of each node: the trend needs it. */
async function headroomOfLastHour(): Promise<readonly WrittenSeries[]> {
  const thresholdBytes = 100 * 2 ** 20;
  const response = await fetch(`${prometheus.url}/api/v1/query_range`, {
    method: 'POST',
    body: new URLSearchParams({
      query: `sum by (node) (kube_node_status_capacity{resource="memory"}) - sum by (node) (container_memory_working_set_bytes{id="/"}) - ${thresholdBytes}`,
      start: String((cluster.nowMs - hourMs) / 1000),
      end: String((cluster.nowMs - minuteMs) / 1000),
      step: '60',
    }),
  });
  const { data } = (await response.json()) as {
    data: { result: { metric: { node: string }; values: [number, string][] }[] };
  };
  return data.result.map(({ metric, values }) => ({
    labels: {
      __name__: metrics.nodeEvictionHeadroom.name,
      node: metric.node,
      job: 'evictrank',
      instance: 'earlier',
    },
    timesMs: values.map(([seconds]) => seconds * 1000),
    values: values.map(([, value]) => Number(value)),
  }));
}

interface ReceivedAlert {
  readonly endsAt: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

async function receivedAlerts(): Promise<readonly ReceivedAlert[]> {
  const response = await fetch(`${alertmanager.url}/api/v2/alerts`);
  return (await response.json()) as readonly ReceivedAlert[];
}

/** Alert and what it is about, of pods by their workload: `Name subject`. */
function summaryOf({ labels }: ReceivedAlert): string {
  const { alertname, namespace, node, kind, workload, pod } = labels;
  const subject =
    pod !== undefined
      ? `${namespace}/${workloadOf(pod)}`
      : workload !== undefined
        ? `${namespace}/${workload}`
        : (node ?? kind ?? '');
  return `${alertname} ${subject}`.trim();
}

function workloadOf(pod: string): string {
  return cluster.pods.find(({ name }) => name === pod)?.workload.name ?? pod;
}

/** Everything the synthetic cluster was made to raise, and nothing else. */
const expected = [
  'EvictrankGuaranteedPodRankedFirst batch/model-scorer',
  'EvictrankImportantPodExceedsRequest ingress/ingress',
  'EvictrankImportantPodExceedsRequest payments/fraud-scorer',
  'EvictrankInputsIncomplete node_without_usage',
  'EvictrankInputsIncomplete pod_generations_overlap',
  'EvictrankInputsIncomplete priority_class_unmapped',
  'EvictrankInputsIncomplete sidecar_order_unknown',
  'EvictrankNodeThresholdPredicted ip-10-0-3-52',
  'EvictrankNodeUnderMemoryPressure ip-10-0-1-61',
  'EvictrankNodeWithoutUsageData ip-10-0-3-23',
  'EvictrankPodNextToGo media/captions',
  'EvictrankPodNextToGo media/thumbnailer',
  'EvictrankPodNextToGo media/waveforms',
  'EvictrankPodOomKilledWithoutPressure media/transcoder',
  'EvictrankPodOverRequest ingress/ingress',
  'EvictrankPodOverRequest payments/fraud-scorer',
  'EvictrankPodOverRequest search/indexer',
  'EvictrankPodOverRequest shop/checkout',
  'EvictrankPodsEvicted ip-10-0-1-61',
  'EvictrankPriorityInflation',
  'EvictrankWorkloadRequestWaste analytics/report-builder',
  'EvictrankWorkloadRequestWaste analytics/warehouse',
];

/** The last alerts seen that are still firing, once they are what is expected or the time is over. */
async function alertsOnceSettled(): Promise<readonly ReceivedAlert[]> {
  const giveUpAt = performance.now() + 90_000;
  for (;;) {
    const firing = (await receivedAlerts()).filter(({ endsAt }) => Date.parse(endsAt) > Date.now());
    // The first descriptions may be older than the first scrape of the ranks they name.
    const isSettled =
      summariesOf(firing).join() === expected.join() &&
      firing.every(({ annotations }) => !annotations.description?.includes('to go: unknown'));
    if (isSettled || performance.now() > giveUpAt) return firing;
    await new Promise((wake) => setTimeout(wake, 500));
  }
}

function summariesOf(alerts: readonly ReceivedAlert[]): readonly string[] {
  return [...new Set(alerts.map(summaryOf))].sort(compareText);
}

describe('an Alertmanager behind the demo cluster', () => {
  let alerts: readonly ReceivedAlert[];
  beforeAll(async () => {
    alerts = await alertsOnceSettled();
  }, 100_000);

  it('receives exactly what the cluster was made to raise', () => {
    expect(summariesOf(alerts)).toEqual(expected);
  });

  it('is told the pods that go next from the node under pressure', () => {
    const pressure = alerts.find(({ labels }) => labels.alertname === 'EvictrankNodeUnderMemoryPressure');
    expect(pressure?.annotations.description).toMatch(
      /The next pods to go: media\/\S+, media\/\S+, \w+\/\S+\./,
    );
    expect(pressure?.labels.severity).toBe('critical');
  });

  it('gets no annotation whose template failed', () => {
    for (const { annotations } of alerts) {
      expect(JSON.stringify(annotations)).not.toMatch(/error|<no value>|%!/i);
    }
  });
});
