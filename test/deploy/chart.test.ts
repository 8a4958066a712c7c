import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../src/config/config.ts';
import { readChartValues } from '../../src/docs/chart-values.ts';
import { missingGo, missingPip } from '../support/tool-cache.ts';
import { everything, minimum, otherValues, valueAt, withValue } from './chart-values.ts';
import { chart, Helm, isBuiltIn, newestKubernetes, only, requiredValues, type Values } from './helm.ts';
import { KubernetesSchemas } from './kubernetes-schemas.ts';

const cases: readonly (readonly [string, Values])[] = [
  ['what is required', requiredValues],
  ['everything', everything],
  ['as little as possible', minimum],
];

/** As the Prometheus operator reads it (prometheus-operator `pkg/apis/monitoring/v1/servicemonitor_types.go`). */
const serviceMonitorSpec = z.strictObject({
  selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
  endpoints: z.tuple([
    z.strictObject({
      port: z.literal('http'),
      honorLabels: z.literal(true),
      interval: z.string().optional(),
      metricRelabelings: z.array(z.object({ action: z.string() })).optional(),
      scheme: z.enum(['http', 'https']).optional(),
      basicAuth: z.object({ username: z.object({ name: z.string(), key: z.string() }) }).optional(),
    }),
  ]),
});

describe.skipIf(missingGo !== '')(`the Helm chart${missingGo}`, () => {
  let helm: Helm;
  beforeAll(async () => {
    helm = await Helm.obtain();
  }, 600_000);

  const podOf = (values: Values) => only(helm.objects(values), 'Deployment').spec.template.spec;
  const settingsOf = (values: Values): string =>
    helm.objects(values).find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'evictrank')
      ?.data['evictrank.yaml'];

  it.each(cases)('passes the strict linter with %s', (_name, values) => {
    const said = helm.run(['lint', chart, '--strict'], values);
    expect(said).toContain('0 chart(s) failed');
    expect(said).not.toMatch(/WARNING|ERROR/);
  });

  describe.skipIf(missingPip !== '')(`and Kubernetes' own schemas${missingPip}`, () => {
    let schemas: KubernetesSchemas;
    beforeAll(async () => {
      schemas = await KubernetesSchemas.obtain();
    }, 300_000);

    it('begin with the same version', () => {
      const { kubeVersion } = parse(readFileSync(`${chart}/Chart.yaml`, 'utf8')) as { kubeVersion: string };
      expect(kubeVersion).toBe(`>=${schemas.versions[0]}.0-0`);
      expect(newestKubernetes).toBe(`${schemas.versions.at(-1)}.0`);
    });

    it.each(cases)(
      'agree in every version on %s',
      (_name, values) => {
        const builtIn = helm.objects(values).filter(isBuiltIn);
        expect(builtIn.length).toBeGreaterThan(2);
        expect(schemas.problemsOf(builtIn)).toBe('');
      },
      60_000,
    );

    it('would disagree on an unknown field', () => {
      const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { prots: [] } };
      expect(schemas.problemsOf([service])).toContain('prots');
    });
  });

  it('is refused by an older Kubernetes', () => {
    expect(() => helm.template(requiredValues, { kubernetes: '1.24.0' })).toThrow('>=1.25.0-0');
  });

  it.each(readChartValues().map((row) => [row.path, row] as const))('lets %s have an effect', (path, row) => {
    const isSet = valueAt(everything, path) !== undefined;
    const other = otherValues[path] ?? (isSet ? { value: JSON.parse(row.default) as unknown } : undefined);
    expect(other, 'say in otherValues what else it could be').toBeDefined();
    // Dashboards are most of the text, and few values are about them.
    const beside = {
      ...(path.startsWith('dashboards.') ? {} : { 'dashboards.enabled': false }),
      ...other?.beside,
    };
    const before = Object.entries(beside).reduce<Values>(
      (values, [name, value]) => withValue(values, name, value),
      everything,
    );
    expect(helm.template(withValue(before, path, other?.value))).not.toBe(helm.template(before));
  });

  it.each<[string, Values, RegExp]>([
    ['no Prometheus', { image: requiredValues.image }, /prometheus\.url is required/],
    ['no image', { prometheus: requiredValues.prometheus }, /image\.repository is required/],
    [
      'a value that it does not know',
      { ...requiredValues, replica: 1 },
      /additional properties 'replica' not allowed/,
    ],
    [
      'a setting of its own again',
      { ...requiredValues, config: { 'prometheus.url': 'x' } },
      /prometheus\.url/,
    ],
    ['two pods for one window', withValue(everything, 'replicas', 2), /allows one replica/],
    [
      'no service account at all',
      { ...requiredValues, serviceAccount: { create: false } },
      /serviceAccount\.name is required/,
    ],
    [
      'an endpoint that names another port',
      withValue(everything, 'serviceMonitor.endpoint', { port: 'other' }),
      /invalid propertyName 'port'/,
    ],
    ['rules that are none', withValue(everything, 'prometheusRule.manifest', 'a: b'), /no spec\.groups/],
    [
      'a budget that forbids draining',
      withValue(everything, 'podDisruptionBudget.maxUnavailable', 0),
      /minimum/,
    ],
  ])('refuses %s', (_name, values, message) => {
    expect(() => helm.template(values)).toThrow(message);
  });

  it.each(cases)('gives evictrank settings that it accepts with %s', (_name, values) => {
    const fileText = settingsOf(values);
    expect(loadConfig({ flags: {}, environment: {}, fileText })).toMatchObject({
      prometheusUrl: 'http://prometheus:9090',
      listen: { host: undefined, port: 9896 },
      kubernetesPriorityClasses: values !== minimum,
      windowFile: values === everything ? '/var/lib/evictrank/window' : undefined,
      prometheusMaxBodyBytes: values === everything ? 536870912 : 268435456,
    });
  });

  // https://kubernetes.io/docs/concepts/security/pod-security-standards/, profile "restricted".
  it.each(cases)('meets the restricted Pod Security Standard with %s', (_name, values) => {
    const pod = podOf(values);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.securityContext.runAsUser).toBeGreaterThan(0);
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) expect(pod[field]).toBeUndefined();
    expect(pod.containers).toHaveLength(1);
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.containers[0].ports).toEqual([{ name: 'http', containerPort: 9896 }]);
    const kinds = pod.volumes.flatMap((volume: object) =>
      Object.keys(volume).filter((key) => key !== 'name'),
    );
    expect(['configMap', 'persistentVolumeClaim']).toEqual(expect.arrayContaining(kinds));
  });

  it('asks the API for PriorityClasses and nothing else, and only with a token where it does', () => {
    const objects = helm.objects(requiredValues);
    expect(only(objects, 'ClusterRole').rules).toEqual([
      { apiGroups: ['scheduling.k8s.io'], resources: ['priorityclasses'], verbs: ['list'] },
    ]);
    const { subjects, roleRef } = only(objects, 'ClusterRoleBinding');
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'evictrank', namespace: 'monitoring' }]);
    expect(roleRef.name).toBe(only(objects, 'ClusterRole').metadata.name);
    expect(podOf(requiredValues)).toMatchObject({
      serviceAccountName: 'evictrank',
      automountServiceAccountToken: true,
    });
    expect(podOf(minimum)).toMatchObject({ serviceAccountName: 'own', automountServiceAccountToken: false });
    expect(helm.objects(minimum).map(({ kind }) => kind)).toEqual(['ConfigMap', 'Service', 'Deployment']);
  });

  it('selects the pods that it makes, everywhere', () => {
    const objects = helm.objects(everything);
    const { matchLabels } = only(objects, 'Deployment').spec.selector;
    expect(only(objects, 'Deployment').spec.template.metadata.labels).toMatchObject(matchLabels);
    expect(only(objects, 'Service').spec.selector).toEqual(matchLabels);
    expect(only(objects, 'NetworkPolicy').spec.podSelector.matchLabels).toEqual(matchLabels);
    expect(only(objects, 'PodDisruptionBudget').spec.selector.matchLabels).toEqual(matchLabels);
    const monitor = serviceMonitorSpec.parse(only(objects, 'ServiceMonitor').spec);
    expect(only(objects, 'Service').metadata.labels).toMatchObject(monitor.selector.matchLabels);
    expect(only(objects, 'Service').spec.ports).toEqual([{ name: 'http', port: 9896, targetPort: 'http' }]);
  });

  it('restarts the pods with new settings', () => {
    const checksumOf = (values: Values) =>
      only(helm.objects(values), 'Deployment').spec.template.metadata.annotations['checksum/settings'];
    const other = withValue(requiredValues, 'config', { 'log.level': 'debug' });
    expect(checksumOf(other)).not.toBe(checksumOf(requiredValues));
  });
});
