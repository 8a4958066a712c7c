import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChildServer } from '../../src/demo/child-server.ts';
import { caseNodes } from '../../src/demo/cluster/demo-nodes.ts';
import { unmappedPriorityClass } from '../../src/demo/cluster/priority-classes.ts';
import { findFreePort } from '../../src/demo/loopback.ts';
import { missingBuild } from '../support/build.ts';
import { queryInstant } from '../support/prometheus.ts';
import { type NativeProject, startProject } from './native-project.ts';
import { type StagedApp, stageApp } from './staged-app.ts';

/** Services are started as the compose file says, from what the Dockerfile puts into the images. */
const needsBuild = missingBuild();
const startMs = 240_000;

const small = ['--nodes=15', '--pods=1'];

describe.skipIf(needsBuild !== '')(`docker compose, natively${needsBuild}`, () => {
  let app: StagedApp | undefined;
  let demo: NativeProject | undefined;
  let real: NativeProject | undefined;

  const project = (name: 'demo' | 'real'): NativeProject => {
    const found = name === 'demo' ? demo : real;
    if (found === undefined) throw new Error(`${name} did not start`);
    return found;
  };
  const valuesOf = async (url: string, query: string): Promise<number[]> =>
    (await queryInstant(url, query, Date.now())).map(({ value }) => value);

  beforeAll(async () => {
    app = await stageApp();
    const { folder } = app;
    // The demo's image has the build's packages as well: that is the repository itself.
    const appFolder = (target: string): string => (target === 'demo' ? process.cwd() : folder);
    demo = await startProject({ profile: 'demo', appFolder, more: { seeder: small, 'live-writer': small } });
    real = await startProject({
      profile: 'real',
      appFolder,
      environment: { PROMETHEUS_URL: demo.url('prometheus') },
    });
  }, startMs);

  afterAll(async () => {
    await real?.stop();
    await demo?.stop();
    await app?.remove();
  });

  it.each([
    ['demo', 'prometheus'],
    ['demo', 'evictrank'],
    ['demo', 'alertmanager'],
    ['real', 'prometheus-real'],
    ['real', 'evictrank-real'],
    ['real', 'alertmanager'],
  ] as const)('%s: the health check of %s holds', async (profile, service) => {
    await project(profile).check(service);
  });

  it('demo: the seeder fills Prometheus once, and the live writer finds that it has', () => {
    expect(project('demo').output('seeder')).toMatch(/done: \d+ samples in \d+ series/);
    expect(project('demo').output('live-writer')).toMatch(/has been filled at \d{4}-/);
  });

  it('demo: the live writer keeps the cluster fresh', async () => {
    await expect
      .poll(() => valuesOf(project('demo').url('prometheus'), 'time() - min(timestamp(kube_node_info))'), {
        timeout: 25_000,
        interval: 2_000,
      })
      .toEqual([expect.closeTo(0, -1.8)]);
  });

  it.each([
    ['demo', 'evictrank', 'log-shipper'],
    // Nobody told it the PriorityClasses, so only the excess counts.
    ['real', 'evictrank-real', 'ingress-nginx'],
  ] as const)('%s: %s ranks the seed node, %s first', async (profile, service, pod) => {
    const response = await fetch(`${project(profile).url(service)}/api/v1/nodes/${caseNodes.seed}`);
    expect(await response.json()).toMatchObject({
      complete: true,
      pods: expect.arrayContaining([expect.objectContaining({ rank: 1, pod })]),
    });
  });

  it.each([
    ['demo', 'prometheus'],
    ['real', 'prometheus-real'],
  ] as const)(
    '%s: Prometheus has scraped evictrank, with the labels as evictrank gave them, beside the cluster’s own series',
    async (profile, service) => {
      const url = project(profile).url(service);
      await expect
        .poll(() => valuesOf(url, 'count(evictrank_pod_info{exported_namespace="",namespace!=""})'), {
          timeout: 40_000,
          interval: 1_000,
        })
        .toEqual([expect.toSatisfy((count: number) => count > 100)]);
      expect(await valuesOf(url, 'count(kube_node_info)')).toEqual([15]);
    },
  );

  const dataOf = async (url: string) => ((await (await fetch(url)).json()) as { data: unknown }).data;

  it.each([
    ['demo', 'prometheus'],
    ['real', 'prometheus-real'],
  ] as const)('%s: Prometheus sends alerts to the Alertmanager', async (profile, service) => {
    const alertmanager = `${project(profile).url('alertmanager')}/api/v2/alerts`;
    await expect
      .poll(() => dataOf(`${project(profile).url(service)}/api/v1/alertmanagers`), { timeout: 30_000 })
      .toMatchObject({ activeAlertmanagers: [{ url: alertmanager }] });
  });

  it.each([
    ['demo', 'prometheus', /^ok$/],
    // Evaluated once a minute only, so some rules may not have had their turn.
    ['real', 'prometheus-real', /^(ok|unknown)$/],
  ] as const)(
    '%s: Prometheus can evaluate every rule',
    async (profile, service, health) => {
      await expect
        .poll(
          async () => {
            const { groups } = (await dataOf(`${project(profile).url(service)}/api/v1/rules`)) as {
              groups: { name: string; rules: { name: string; health: string }[] }[];
            };
            expect(groups.map(({ name }) => name)).toEqual(
              expect.arrayContaining(['evictrank-pods', 'evictrank-recording']),
            );
            return groups.flatMap(({ rules }) => rules).filter((rule) => !health.test(rule.health));
          },
          { timeout: 40_000, interval: 1_000 },
        )
        .toEqual([]);
    },
    60_000,
  );

  it('demo: evictrank knows the PriorityClasses of the demo cluster, which it does not by itself', async () => {
    const unmapped = async (profile: 'demo' | 'real', service: string): Promise<string[]> => {
      const response = await fetch(`${project(profile).url(service)}/api/v1/status`);
      const { data } = (await response.json()) as { data: { problems: { kind: string; subject: string }[] } };
      return data.problems
        .filter(({ kind }) => kind === 'priority_class_unmapped')
        .map(({ subject }) => subject);
    };
    expect(await unmapped('demo', 'evictrank')).toEqual([unmappedPriorityClass]);
    expect(await unmapped('real', 'evictrank-real')).toEqual(
      expect.arrayContaining([unmappedPriorityClass, 'batch-low', 'node-agents']),
    );
  });

  it('evictrank tells that it cannot read PriorityClasses outside of a pod', async () => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const server = await startChildServer({
      name: 'evictrank',
      command: process.execPath,
      args: [
        'dist/main.js',
        'serve',
        `--prometheus.url=${project('demo').url('prometheus')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--kubernetes.priority-classes=true',
      ],
      readyUrl: `${url}/-/ready`,
      environment: { KUBERNETES_SERVICE_HOST: '', KUBERNETES_SERVICE_PORT: '' },
    });
    try {
      const status = await (await fetch(`${url}/api/v1/status`)).json();
      expect(status).toMatchObject({
        data: {
          problems: expect.arrayContaining([
            expect.objectContaining({
              kind: 'priority_classes_unread',
              message: expect.stringContaining('this is not a pod'),
            }),
          ]),
        },
      });
    } finally {
      await server.stop();
    }
  });
});
