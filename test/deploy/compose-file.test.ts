import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { demoPriorityClasses } from '../../src/demo/cluster/priority-classes.ts';
import { dockerImage } from '../../src/demo/prometheus-binary.ts';
import { prometheusConfig } from '../../src/demo/prometheus-server.ts';
import { type GoProgram, missingGo, obtainGoProgram } from '../support/tool-cache.ts';
import { mountsOf, portOf, readComposeFile, servicesOf } from './compose-file.ts';

const file = readComposeFile();
const services = Object.entries(file.services);
const readYaml = (path: string): unknown => parse(readFileSync(path, 'utf8'));

describe('docker-compose.yml', () => {
  it('starts the demo unless another profile is asked for', () => {
    expect(readFileSync('.env', 'utf8')).toMatch(/^COMPOSE_PROFILES=demo$/m);
    const names = (profile: string) => servicesOf(file, profile).map(([name]) => name);
    const demo = ['prometheus', 'seeder', 'live-writer', 'evictrank', 'alertmanager', 'grafana'];
    expect(new Set(names('demo'))).toEqual(new Set(demo));
    expect(names('demo').indexOf('seeder')).toBeGreaterThan(names('demo').indexOf('prometheus'));
    expect(new Set(names('real'))).toEqual(
      new Set(['prometheus-real', 'evictrank-real', 'alertmanager', 'grafana']),
    );
  });

  it('takes nothing but PROMETHEUS_URL from the environment', () => {
    const variables = readFileSync('docker-compose.yml', 'utf8').matchAll(/\$\{(\w+)/g);
    expect(new Set([...variables].map(([, name]) => name))).toEqual(new Set(['PROMETHEUS_URL']));
  });

  it.each(services)('%s: has a pinned image', (_name, { image }) => {
    expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
  });

  it.each(services)('%s: is reached from this machine only', (_name, service) => {
    expect(service.ports ?? []).toEqual(
      (service.ports ?? []).filter((port) => /^127\.0\.0\.1:\d+:\d+$/.test(port)),
    );
    if (service.ports !== undefined) expect(portOf(service)?.outside).toBe(portOf(service)?.inside);
  });

  it.each(services)('%s: can gain nothing and, but for Grafana, writes only to volumes', (name, service) => {
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.read_only === true).toBe(name !== 'grafana');
  });

  it.each(services)(
    '%s: mounts files that are there, read-only, and volumes that are declared',
    (_name, service) => {
      for (const { source, isVolume, isReadOnly } of mountsOf(service)) {
        expect(isVolume ? source in file.volumes : existsSync(source), source).toBe(true);
        expect(isReadOnly).toBe(!isVolume);
      }
    },
  );

  it.each(services)('%s: is told only of paths that are mounted', (_name, service) => {
    const targets = [...mountsOf(service), ...(service.configs ?? [])].map(({ target }) => target);
    const paths = (service.command ?? []).flatMap((arg) => /^--[\w.-]+=(\/.*)$/.exec(arg)?.[1] ?? []);
    for (const path of paths) {
      expect(
        targets.some((target) => path === target || path.startsWith(`${target}/`)),
        path,
      ).toBe(true);
    }
  });

  it('has every server watched by a health check', () => {
    const unwatched = services.filter(([, { healthcheck }]) => healthcheck === undefined);
    expect(unwatched.map(([name]) => name)).toEqual(['seeder', 'live-writer']);
  });

  it('runs the Prometheus that the demo would take from Docker, with its storage settings', () => {
    expect(file.services.prometheus?.image).toBe(dockerImage);
    expect(file.services['prometheus-real']?.image).toBe(dockerImage);
    const { storage } = readYaml('deploy/compose/prometheus.yml') as { storage: unknown };
    expect(storage).toEqual((prometheusConfig({}) as { storage: unknown }).storage);
  });

  it('tells evictrank the PriorityClasses of the demo cluster', () => {
    const classes = Object.entries(demoPriorityClasses).map(([name, value]) => `${name}=${value}`);
    expect(file.services.evictrank?.command).toContain(`--priority-classes=${classes.join(',')}`);
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const [, { image, build }] of services.filter(([, service]) => service.build !== undefined)) {
      expect(image).toBe(`${build?.target === 'demo' ? 'evictrank-demo' : 'evictrank'}:${version}`);
    }
  });

  it('holds alerts back as docs/alerts.md advises', () => {
    const { inhibit_rules } = readYaml('deploy/compose/alertmanager.yml') as { inhibit_rules: unknown };
    const [, advised = ''] =
      /```yaml\n(inhibit_rules:[\s\S]*?)```/.exec(readFileSync('docs/alerts.md', 'utf8')) ?? [];
    expect({ inhibit_rules }).toEqual(parse(advised));
  });
});

/** The loader that docker compose itself is built on, with its schema and its checks. */
const composeLoader: GoProgram = {
  name: 'compose-go',
  module: 'github.com/compose-spec/compose-go/v2',
  path: 'cmd',
  version: 'v2.16.2',
};

describe.skipIf(missingGo !== '')(`the loader of docker compose${missingGo}`, () => {
  let program = '';
  // This small front end of the loader fills in defaults only, never the environment.
  const load = (path: string): string =>
    execFileSync(program, [path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  beforeAll(async () => {
    program = await obtainGoProgram(composeLoader);
  }, 300_000);

  it('accepts the file, and fills in the same as the tests here', () => {
    const loaded = parse(load('docker-compose.yml')) as ReturnType<typeof readComposeFile>;
    for (const [name, service] of Object.entries(loaded.services)) {
      expect(service.command, name).toEqual(file.services[name]?.command);
      expect(service.environment, name).toEqual(file.services[name]?.environment);
      expect(service.healthcheck?.test, name).toEqual(file.services[name]?.healthcheck?.test);
    }
    expect(Object.keys(loaded.services)).toHaveLength(services.length);
    expect(loaded.configs['prometheus-real']?.content).toBe(file.configs['prometheus-real']?.content);
  });

  it('refuses a file with a mistake', () => {
    expect(() => load('test/deploy/fixtures/compose-with-a-mistake.yaml')).toThrow('helthcheck');
  });
});

/** Fields that Grafana's provisioning reads (grafana/grafana `pkg/services/provisioning/{datasources,dashboards}/types.go`). */
const datasourceFile = z.strictObject({
  apiVersion: z.literal(1),
  datasources: z.array(
    z.strictObject({
      name: z.string(),
      uid: z.string(),
      type: z.literal('prometheus'),
      access: z.literal('proxy'),
      url: z.url(),
      isDefault: z.literal(true),
      editable: z.boolean(),
      jsonData: z.strictObject({ httpMethod: z.enum(['GET', 'POST']), timeInterval: z.string() }),
    }),
  ),
});
const providerFile = z.strictObject({
  apiVersion: z.literal(1),
  providers: z.array(
    z.strictObject({
      name: z.string(),
      folder: z.string(),
      type: z.literal('file'),
      disableDeletion: z.boolean(),
      allowUiUpdates: z.boolean(),
      options: z.strictObject({ path: z.string() }),
    }),
  ),
});

/** Settings are `GF_SECTION_KEY` (grafana/grafana `conf/defaults.ini`). */
const grafanaSettings = new Set([
  'GF_ANALYTICS_CHECK_FOR_PLUGIN_UPDATES',
  'GF_ANALYTICS_CHECK_FOR_UPDATES',
  'GF_ANALYTICS_REPORTING_ENABLED',
  'GF_AUTH_ANONYMOUS_ENABLED',
  'GF_AUTH_ANONYMOUS_ORG_ROLE',
  'GF_AUTH_BASIC_ENABLED',
  'GF_AUTH_DISABLE_LOGIN_FORM',
  'GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH',
]);

describe('Grafana in docker-compose.yml', () => {
  const grafana = file.services.grafana;
  const provisioning = 'deploy/compose/grafana/provisioning';
  const mounts = grafana === undefined ? [] : mountsOf(grafana);

  it('lets anybody on this machine view, and nobody log in', () => {
    expect(Object.keys(grafana?.environment ?? {}).filter((name) => !grafanaSettings.has(name))).toEqual([]);
    expect(grafana?.environment).toMatchObject({
      GF_AUTH_ANONYMOUS_ENABLED: 'true',
      GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
      GF_AUTH_BASIC_ENABLED: 'false',
      GF_AUTH_DISABLE_LOGIN_FORM: 'true',
    });
  });

  it('reads the Prometheus of the project', () => {
    const { datasources } = datasourceFile.parse(readYaml(join(provisioning, 'datasources/prometheus.yaml')));
    expect(datasources).toMatchObject([{ url: 'http://prometheus:9090' }]);
    for (const profile of ['demo', 'real']) {
      const names = servicesOf(file, profile).flatMap(([name, { networks }]) => [
        name,
        ...(networks?.default.aliases ?? []),
      ]);
      expect(names).toContain('prometheus');
    }
  });

  it('loads every dashboard of one cluster, each uid once', () => {
    const { providers } = providerFile.parse(readYaml(join(provisioning, 'dashboards/evictrank.yaml')));
    const folder = providers[0]?.options.path ?? '';
    const committed = readdirSync('dashboards').filter((name) => name.endsWith('.json'));
    const mounted = mounts.filter(({ target }) => target.startsWith(`${folder}/`));
    expect(committed.length).toBeGreaterThan(0);
    expect(new Set(mounted.map(({ source }) => source))).toEqual(
      new Set(committed.map((name) => `./dashboards/${name}`)),
    );
    const uids = mounted.map(
      ({ source }) => (JSON.parse(readFileSync(source, 'utf8')) as { uid: string }).uid,
    );
    expect(new Set(uids).size).toBe(mounted.length);
    const home = grafana?.environment?.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH;
    expect(mounted.map(({ target }) => target)).toContain(home);
  });
});
