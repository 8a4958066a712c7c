import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repeated, type Scenario, scenarioSeries, threePods, without } from '../service/scenarios.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { startSession } from './session.ts';

/** Faults of one store each, and what `evictrank check` must say of it. */
const faults: Readonly<
  Record<string, Scenario & { readonly says: readonly RegExp[]; readonly status: number }>
> = {
  fine: { name: 'nothing wrong', says: [/kube_pod_info/, /100% of pods/], status: 0 },
  renamed: {
    name: 'labels renamed',
    scrape: { honorsStateLabels: false },
    says: [/--labels\.ksm\.namespace=exported_namespace/],
    status: 1,
  },
  silent: {
    name: 'no cAdvisor',
    change: without(/^container_/),
    says: [/pod_usage/, /cadvisor/],
    status: 1,
  },
  twice: {
    name: 'every target scraped twice',
    change: repeated(/^kube_|^container_/, { job: 'another' }),
    says: [/several series of kube_pod_info, which differ in job/],
    status: 0,
  },
  unmapped: {
    name: 'a priority class nobody knows',
    pods: () => threePods.map((pod) => ({ ...pod, priorityClass: 'gold', priority: 7 })),
    says: [/PriorityClass gold is not known.*3 pods/, /--priority-classes=gold=VALUE/],
    status: 1,
  },
};

const session = startSession();
let prometheus: TestPrometheus;
beforeAll(async () => {
  const nowMs = Date.now();
  prometheus = await startPrometheusWith(
    Object.entries(faults).flatMap(([id, fault]) => [...scenarioSeries(id, fault, nowMs)]),
  );
});
afterAll(async () => {
  session.end();
  await prometheus?.stop();
});

describe('check', () => {
  test.each(Object.entries(faults).map(([id, fault]) => [fault.name, id, fault] as const))(
    'finds %s and names the remedy',
    async (_name, id, { says, status }) => {
      const flags = ['--prometheus.url', prometheus.url, '--prometheus.selector', `scenario="${id}"`];
      const result = await live(...flags);
      for (const pattern of says) expect(result.stdout).toMatch(pattern);
      expect(result.status).toBe(status);
    },
  );

  test.each([
    [-120_000, /the clock here is 1(19|20|21) s behind that of the backend/],
    [120_000, /the clock here is 1(19|20|21) s ahead of that of the backend/],
  ])('finds a clock that is %i ms off', async (offMs, message) => {
    const flags = ['--prometheus.url', prometheus.url, '--prometheus.selector', 'scenario="fine"'];
    const { stdout, status } = await runAt(Date.now() + offMs, ...flags);
    expect(stdout).toMatch(message);
    expect(stdout).toContain('set both clocks by NTP');
    expect(status).toBe(1);
  });

  test('prints the same as json', async () => {
    const flags = ['--prometheus.url', prometheus.url, '--prometheus.selector', 'scenario="unmapped"'];
    const { stdout } = await live(...flags, '--output', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      runningPods: 3,
      findings: expect.arrayContaining([expect.objectContaining({ severity: 'problem' })]),
    });
  });

  test('of a Prometheus that is not there fails in one line', async () => {
    const { status, stderr, stdout } = await session.run('check', '--prometheus.url', 'http://127.0.0.1:1');
    expect(stderr.trim().split('\n').at(-1)).toMatch(/ECONNREFUSED/);
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });
});

/** With the time of now: the store holds the last ten minutes. */
function live(...args: readonly string[]) {
  return runAt(Date.now(), ...args);
}

async function runAt(nowMs: number, ...args: readonly string[]) {
  const session = startSession({ nowMs });
  try {
    return await session.run('check', ...args);
  } finally {
    session.end();
  }
}
