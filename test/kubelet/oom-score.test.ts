import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type CriticalityFacts, isCriticalPod } from '../../src/kubelet/critical.ts';
import { CURRENT_RULES, rulesOfKubelet } from '../../src/kubelet/kubelet-version.ts';
import { oomScores } from '../../src/kubelet/oom-score.ts';
import { type PodSpec, parseResourceList } from '../../src/kubelet/pod-spec.ts';
import { computeQosClass } from '../../src/kubelet/qos.ts';
import { caseHead, caseName, nullable, readOracleCases, wholeNumber } from '../oracle-cases.ts';
import { oracleContainer, toPodSpec } from '../oracle-pods.ts';

const cases = readOracleCases(
  'oom_score_adj',
  z.strictObject({
    ...caseHead,
    priority: nullable(z.int()),
    annotations: z.record(z.string(), z.string()),
    containers: z.array(oracleContainer),
    initContainers: z.array(oracleContainer),
    memoryCapacityBytes: wholeNumber.transform(Number),
    isCriticalPod: z.boolean(),
    class: z.string(),
    result: z.array(
      z.strictObject({
        container: z.string(),
        init: z.literal(true).optional(),
        oomScoreAdj: z.union([
          z.int(),
          z
            .string()
            .startsWith('panics: ')
            .transform(() => undefined),
        ]),
      }),
    ),
  }),
);

describe('the kubelet sets oom_score_adj', () => {
  for (const one of cases) {
    test(caseName(one), () => {
      const spec = toPodSpec(one);
      expect(isCriticalPod(one)).toBe(one.isCriticalPod);
      expect(computeQosClass(spec)).toBe(one.class);
      expect(
        oomScores(spec, one, {
          memoryCapacityBytes: one.memoryCapacityBytes,
          rules: rulesOfKubelet('v1.20.2'),
        }),
      ).toEqual(
        one.result.map(({ container, init, oomScoreAdj }) => ({
          container,
          isInit: init ?? false,
          oomScoreAdj,
        })),
      );
    });
  }
});

describe('since 1.22 only node-critical pods are spared', () => {
  const spec = toPodSpec({
    containers: [{ name: 'app', requests: undefined, limits: undefined }],
    initContainers: [],
  });
  const score = (pod: CriticalityFacts, version: string | undefined) =>
    oomScores(spec, pod, { memoryCapacityBytes: 1, rules: rulesOfKubelet(version) })[0]?.oomScoreAdj;
  const clusterCritical = { priority: 2_000_000_000, priorityClass: 'system-cluster-critical' };
  const nodeCritical = { priority: 2_000_001_000, priorityClass: 'system-node-critical' };

  test.each([
    ['v1.20.2', clusterCritical, -997],
    ['v1.21.14', clusterCritical, -997],
    ['v1.22.0', clusterCritical, 1000],
    ['v1.36.0', clusterCritical, 1000],
    [undefined, clusterCritical, 1000],
    ['v1.20.2', nodeCritical, -997],
    ['v1.36.0', nodeCritical, -997],
    [undefined, nodeCritical, -997],
    // A static pod is never evicted, and yet the class alone decides here.
    ['v1.20.2', { isStatic: true }, -997],
    ['v1.36.0', { isStatic: true }, 1000],
    ['v1.36.0', { isStatic: true, priorityClass: 'system-node-critical' }, -997],
    // Only a critical pod can be node-critical: without its priority the name says nothing.
    ['v1.36.0', { priorityClass: 'system-node-critical' }, 1000],
  ])('%s, %j: %i', (version, pod, expected) => {
    expect(score(pod, version)).toBe(expected);
  });
});

describe('later versions', () => {
  const CAPACITY_BYTES = 8_000_000_000;
  const container = (name: string, memory?: string, isSidecar = false) => ({
    name,
    isSidecar,
    requests: parseResourceList(memory === undefined ? { cpu: '100m' } : { cpu: '100m', memory }),
  });
  const scores = (spec: PodSpec) =>
    Object.fromEntries(
      oomScores(spec, {}, { memoryCapacityBytes: CAPACITY_BYTES, rules: CURRENT_RULES }).map(
        ({ container: name, oomScoreAdj }) => [name, oomScoreAdj],
      ),
    );

  test('a sidecar is not killed before the container it serves', () => {
    const spec = {
      containers: [container('api', '4G'), container('worker', '2G')],
      initContainers: [
        container('proxy', '80M', true),
        container('large', '6G', true),
        container('init', '80M'),
      ],
    };
    // 750 is that of the smallest main container; a sidecar that asks for more keeps its own.
    expect(scores(spec)).toEqual({ api: 500, worker: 750, proxy: 750, large: 250, init: 990 });
  });

  test('what the pod level requests beyond the containers is shared evenly among them all', () => {
    const spec = {
      containers: [container('a', '1G'), container('b')],
      initContainers: [container('sidecar', undefined, true)],
      resources: { requests: parseResourceList({ memory: '4G' }) },
    };
    // (4 − 1) / 3 = 1 GB more for each.
    expect(scores(spec)).toEqual({ a: 750, b: 875, sidecar: 875 });
  });

  test('without a known capacity only the classes that need none have a score', () => {
    const burstable = { containers: [container('a', '1G')], initContainers: [] };
    const node = { memoryCapacityBytes: undefined, rules: CURRENT_RULES };
    expect(oomScores(burstable, {}, node)[0]?.oomScoreAdj).toBeUndefined();
    expect(oomScores({ containers: [{ name: 'a' }], initContainers: [] }, {}, node)[0]?.oomScoreAdj).toBe(
      1000,
    );
  });
});
