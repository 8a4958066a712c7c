import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { PodSpec } from '../../src/kubelet/pod-spec.ts';
import { reviewPatches } from '../../src/outputs/review/review-patch.ts';
import { KubernetesSchemas } from '../deploy/kubernetes-schemas.ts';
import { memory, mi, reviewOf } from './sample-review.ts';

type Fields = Readonly<Record<string, unknown>>;

const containers = [
  { name: 'app', image: 'app:1', resources: { requests: { memory: '400Mi' }, limits: { memory: '400Mi' } } },
  { name: 'other', image: 'other:1' },
];
// Without restartPolicy, which versions before 1.28 do not know; the patch does not touch it.
const sidecars = [{ name: 'proxy', image: 'proxy:1' }];
const template = {
  metadata: { labels: { app: 'api' } },
  spec: { containers, initContainers: sidecars, restartPolicy: 'Always' },
};
const selector = { matchLabels: { app: 'api' } };

/** A whole object of each kind that patches are made for. */
const objects: Readonly<Record<string, Fields>> = {
  Deployment: { spec: { selector, template } },
  StatefulSet: { spec: { selector, template, serviceName: 'api' } },
  DaemonSet: { spec: { selector, template } },
  ReplicaSet: { spec: { selector, template } },
  CronJob: {
    spec: {
      schedule: '0 * * * *',
      jobTemplate: {
        spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
      },
    },
  },
};

const spec: PodSpec = {
  containers: [{ name: 'app', requests: memory(400), limits: memory(400) }, { name: 'other' }],
  initContainers: [{ name: 'proxy', isSidecar: true }],
};

/** As the API server merges it: maps by key, containers by name. */
function mergeStrategically(target: unknown, patch: unknown): unknown {
  if (Array.isArray(target) && Array.isArray(patch)) {
    const named = (list: readonly unknown[]) => list as readonly (Fields & { readonly name: string })[];
    return named(target)
      .map((one) => mergeStrategically(one, named(patch).find(({ name }) => name === one.name) ?? {}))
      .concat(named(patch).filter(({ name }) => !named(target).some((one) => one.name === name)));
  }
  if (!isFields(target) || !isFields(patch)) return patch;
  const merged = Object.entries(patch).map(([key, value]) => [
    key,
    Object.hasOwn(target, key) ? mergeStrategically(target[key], value) : value,
  ]);
  return { ...target, ...Object.fromEntries(merged) };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

test('every kind of patch leaves an object that every version of Kubernetes takes, changed in resources alone', async () => {
  const schemas = await KubernetesSchemas.obtain();
  const patched = Object.entries(objects).map(([kind, object]) => {
    const review = reviewOf(
      { name: 'api', requestBytes: mi(400), usageBytes: mi(90), workload: { kind, name: 'api' } },
      spec,
    );
    const documents = parseAllDocuments(reviewPatches(review));
    expect(documents).toHaveLength(1);
    const patch = documents[0]?.toJS() as Fields;
    const merged = mergeStrategically({ metadata: { name: 'api' }, ...object }, patch) as Fields;
    const images = JSON.stringify(merged).match(/"image":"[^"]*"/g);
    expect(images).toEqual(['"image":"app:1"', '"image":"other:1"', '"image":"proxy:1"']);
    expect(JSON.stringify(merged).match(/"memory":"\d+Mi"/g)).toHaveLength(4);
    return merged;
  });
  expect(schemas.problemsOf(patched)).toBe('');
  // The schemas do refuse what is not there.
  const wrong = mergeStrategically(patched[0], { spec: { template: { spec: { container: [] } } } });
  expect(schemas.problemsOf([wrong as object])).toContain('container');
}, 120_000);
