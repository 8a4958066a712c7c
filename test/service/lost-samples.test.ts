import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Ladder } from '../../src/outputs/api/ladder.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type Scenario, scenarioSeries, valued } from './scenarios.ts';

/** Only a Prometheus stores NaN; VictoriaMetrics takes it for no sample. */
const scenarios = {
  labels: {
    name: 'that say all with their labels',
    change: valued(
      /^kube_(pod_info|pod_owner|replicaset_owner|job_owner|pod_init_container_info)$/,
      Number.NaN,
    ),
  },
  phase: {
    name: 'of the phase of a pod',
    change: (series) =>
      series.labels.pod === 'within' ? valued(/^kube_pod_status_phase$/, Number.NaN)(series) : [series],
  },
} as const satisfies Record<string, Scenario>;

let prometheus: TestPrometheus;
let service: TestService | undefined;
beforeAll(async () => {
  const nowMs = Date.now();
  prometheus = await startPrometheusWith(
    Object.entries<Scenario>(scenarios).flatMap(([id, scenario]) => [...scenarioSeries(id, scenario, nowMs)]),
  );
});
afterEach(() => service?.stop());
afterAll(() => prometheus?.stop());

async function serve(id: keyof typeof scenarios): Promise<TestService> {
  const flags = [`--prometheus.selector=scenario="${id}"`, '--window.duration=1h'];
  service = await startTestService(prometheus.url, { flags });
  return service;
}

it(`NaN in series ${scenarios.labels.name} changes nothing`, async () => {
  const running = await serve('labels');
  const ladder = await running.json<Ladder>('/api/v1/nodes/ip-10-0-0-1');
  expect(ladder.complete).toBe(true);
  expect(ladder.pods.map(({ rank, pod }) => [rank, pod])).toEqual([
    [1, 'over'],
    [2, 'none'],
    [3, 'within'],
  ]);
});

it(`NaN ${scenarios.phase.name} is not taken for a pod that has finished: its node is not ranked, and why is told`, async () => {
  const running = await serve('phase');
  const ladder = await running.json<Ladder>('/api/v1/nodes/ip-10-0-0-1');
  expect(ladder).toMatchObject({ complete: false });
  expect(ladder.pods.map(({ rank, pod }) => [rank, pod])).toEqual([
    [null, 'over'],
    [null, 'none'],
  ]);
  const { data } = await running.statusWhen(() => true);
  expect(data?.problems).toContainEqual(
    expect.objectContaining({
      kind: 'samples_dropped',
      subject: 'pod_phase',
      message: expect.stringContaining('a/within'),
    }),
  );
  const { body } = await running.get('/metrics');
  expect(body).toContain('evictrank_node_complete{node="ip-10-0-0-1"} 0');
  const { summary } = (await running.json<{ explanation: { summary: string } }>('/api/v1/pods/a/over'))
    .explanation;
  expect(summary).toMatch(/^Not ranked: what is said of 1 pod on ip-10-0-0-1 is NaN/);
});
