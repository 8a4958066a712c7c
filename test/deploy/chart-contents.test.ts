import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { startChildServer } from '../../src/demo/child-server.ts';
import { findFreePort } from '../../src/demo/loopback.ts';
import { missingBuild } from '../support/build.ts';
import { missingGo } from '../support/tool-cache.ts';
import { everything, withValue } from './chart-values.ts';
import { chart, Helm, type KubernetesObject, only, requiredValues, type Values } from './helm.ts';
import { plainManifest } from './plain-manifest.ts';

const readText = (path: string): string => readFileSync(path, 'utf8');
const readYaml = (path: string) => parse(readText(path));
/** For comparing with blocks inside of lists, without their indentation. */
const docs = readText('docs/deployment.md').replaceAll(/^ {3}/gm, '');
const stackValues = readYaml('deploy/helm/kube-prometheus-stack.values.yaml') as Values;
const dashboardsIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('the chart', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    expect(readYaml(`${chart}/Chart.yaml`)).toMatchObject({ version, appVersion: version });
  });

  it('has a schema for every value, and for no other', () => {
    const schema = JSON.parse(readText(`${chart}/values.schema.json`));
    delete schema.properties.global;
    const check = (
      values: Values,
      { properties, additionalProperties }: typeof schema,
      path: string,
    ): void => {
      expect(Object.keys(properties), path).toEqual(Object.keys(values));
      expect(additionalProperties, path).toBe(false);
      for (const [key, inner] of Object.entries<typeof schema>(properties)) {
        if (inner.properties !== undefined) check(values[key] as Values, inner, `${path}.${key}`);
      }
    };
    check(readYaml(`${chart}/values.yaml`), schema, 'values');
  });
});

describe.skipIf(missingGo !== '')(`what the Helm chart installs${missingGo}`, () => {
  let helm: Helm;
  let folder = '';

  beforeAll(async () => {
    helm = await Helm.obtain();
    folder = await mkdtemp(join(tmpdir(), 'evictrank-chart-'));
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const rulesWith = (values: object): KubernetesObject =>
    only(
      helm.objects(withValue(everything, 'prometheusRule', { enabled: true, ...values })),
      'PrometheusRule',
    );

  it('are the alert and recording rules of alerts/, as they are', () => {
    expect(rulesWith({}).spec).toEqual(readYaml('alerts/prometheusrule.yaml').spec);
  });

  it('are rules that lead to the runbook of the reader', () => {
    const text = JSON.stringify(rulesWith({ runbookUrl: 'https://wiki.example.org/evictrank' }));
    expect(text).toContain('https://wiki.example.org/evictrank#evictranknode');
    expect(text).not.toContain('evictrank.example');
  });

  it('are rules built with parameters of the reader', () => {
    const manifest = readText('alerts/prometheusrule.yaml').replaceAll('severity: warning', 'severity: page');
    expect(rulesWith({ manifest }).spec).toEqual(parse(manifest).spec);
  });

  it.each([
    ['dashboards', false],
    ['dashboards/several-clusters', true],
  ])('are the dashboards of %s, as they are, each where a sidecar finds it', (source, severalClusters) => {
    const objects = helm.objects({ ...requiredValues, dashboards: { severalClusters } });
    const found = objects.filter(({ metadata }) => metadata.labels?.grafana_dashboard === '1');
    const texts = Object.assign({}, ...found.map((object) => object.data as Record<string, string>));
    const committed = dashboardsIn(source).map((name) => [name, readText(join(source, name))]);
    expect(committed.length).toBeGreaterThan(4);
    expect(texts).toEqual(Object.fromEntries(committed));
    expect(found).toHaveLength(committed.length);
  });

  it('fits into the Secret in which Helm keeps a release', () => {
    // The chart and what it rendered, as gzipped JSON in base64 (helm `pkg/storage/driver/util.go`); a Secret holds 1 MiB.
    helm.package(folder);
    const archive = readFileSync(
      join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''),
    );
    const manifest = gzipSync(helm.template(everything));
    expect(((archive.length + manifest.length) * 4) / 3).toBeLessThan(500_000);
  });

  it('ends with notes that say what to do next', async () => {
    // helm template does not print the notes, so they are rendered as a file of a copy of the chart.
    const copy = join(folder, 'with-notes');
    await cp(chart, copy, { recursive: true, dereference: true });
    await cp(join(copy, 'templates/NOTES.txt'), join(copy, 'files/notes.txt'));
    writeFileSync(
      join(copy, 'templates/notes.yaml'),
      'kind: Notes\nmetadata: {name: notes}\ntext: {{ tpl (.Files.Get "files/notes.txt") . | quote }}\n',
    );
    const notesOf = (values: Values): string =>
      parse(
        helm.template(values, { folder: copy }).split('templates/notes.yaml\n')[1]?.split('---\n')[0] ?? '',
      ).text;
    expect(docs).toContain(notesOf(stackValues).trim());
    expect(notesOf(stackValues)).toContain('set prometheusRule.runbookUrl');
    expect(notesOf(requiredValues)).toContain('targets: [evictrank.monitoring.svc:9896]');
    expect(notesOf(everything)).not.toMatch(/scrape_configs|runbookUrl/);
  });

  it('is what docs/deployment.md says for kube-prometheus-stack', () => {
    const names = helm
      .objects(stackValues)
      .map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`);
    expect(docs).toContain(names.join('\n'));
    expect(docs).toContain(stringify(stackValues).trim());
  });

  it('is what deploy/kubernetes.yaml has for those without Helm', async () => {
    await expect(plainManifest(helm)).toMatchFileSnapshot('../../deploy/kubernetes.yaml');
  });

  const needsBuild = missingBuild();
  it.skipIf(needsBuild !== '')(
    `is a service that starts with its settings and answers its probes${needsBuild}`,
    async () => {
      const objects = helm.objects(withValue(requiredValues, 'prometheus.url', 'http://127.0.0.1:1'));
      const port = await findFreePort();
      const settings = objects.find(
        ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'evictrank',
      );
      const file = join(folder, 'evictrank.yaml');
      writeFileSync(file, settings?.data['evictrank.yaml'].replace('":9896"', `"127.0.0.1:${port}"`));
      const [container] = only(objects, 'Deployment').spec.template.spec.containers;
      const args = container.args.map((arg: string) => arg.replace('/etc/evictrank/evictrank.yaml', file));
      const url = (probe: string): string => `http://127.0.0.1:${port}${container[probe].httpGet.path}`;
      const server = await startChildServer({
        name: 'evictrank',
        command: process.execPath,
        args: ['dist/main.js', ...args],
        readyUrl: url('livenessProbe'),
      });
      try {
        // There is no Prometheus, so it is alive and not ready.
        expect((await fetch(url('readinessProbe'))).status).toBe(503);
      } finally {
        await server.stop();
      }
    },
  );
});
