import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withApiDefaults } from '../../src/kubelet/api-defaults.ts';
import { type ContainerSpec, type PodSpec, parseResourceList } from '../../src/kubelet/pod-spec.ts';
import { computeQosClass } from '../../src/kubelet/qos.ts';
import { explainQosClass, explainReportedClass } from '../../src/kubelet/qos-explanation.ts';
import { assertProperty } from '../property.ts';

type Amounts = Record<string, string>;

function container(name: string, requests: Amounts, limits: Amounts = {}): ContainerSpec {
  return { name, requests: parseResourceList(requests), limits: parseResourceList(limits) };
}

function pod(...containers: ContainerSpec[]): PodSpec {
  return { containers, initContainers: [] };
}

const FULL = { cpu: '1', memory: '1Gi' };

const CASES: readonly { name: string; spec: PodSpec; qosClass: string; reasons: readonly string[] }[] = [
  {
    name: 'a Guaranteed pod has nothing to find',
    spec: pod(container('api', FULL, FULL)),
    qosClass: 'Guaranteed',
    reasons: [],
  },
  {
    name: 'limits without requests are Guaranteed, for the API server sets the requests',
    spec: pod(container('api', {}, FULL)),
    qosClass: 'Guaranteed',
    reasons: [],
  },
  {
    name: 'one sidecar without resources makes the pod Burstable, and is named',
    spec: pod(container('api', FULL, FULL), container('istio-proxy', {})),
    qosClass: 'Burstable',
    reasons: ['istio-proxy has no cpu or memory request or limit'],
  },
  {
    name: 'a limit that is not the request is named with both numbers',
    spec: pod(container('api', { cpu: '500m', memory: '1Gi' }, FULL)),
    qosClass: 'Burstable',
    reasons: ['api: cpu limit 1 ≠ request 500m'],
  },
  {
    name: 'a missing limit and a missing resource are named apart',
    spec: pod(container('api', { memory: '1Gi' })),
    qosClass: 'Burstable',
    reasons: ['api: no cpu request or limit', 'api: memory request 1Gi, but no limit'],
  },
  {
    name: 'an explicit zero request is not the limit',
    spec: pod(container('api', { cpu: '0', memory: '1Gi' }, FULL)),
    qosClass: 'Burstable',
    reasons: ['api: cpu limit 1 ≠ request 0'],
  },
  {
    name: 'a BestEffort pod names every container',
    spec: pod(container('a', {}), container('b', { 'ephemeral-storage': '1Gi' })),
    qosClass: 'BestEffort',
    reasons: ['a has no cpu or memory request or limit', 'b has no cpu or memory request or limit'],
  },
  {
    name: 'init containers and sidecars count',
    spec: { ...pod(container('api', FULL, FULL)), initContainers: [container('init', {})] },
    qosClass: 'Burstable',
    reasons: ['init has no cpu or memory request or limit'],
  },
  {
    name: 'at pod level the containers are ignored',
    spec: {
      ...pod(container('api', {}), container('istio-proxy', {})),
      resources: { requests: parseResourceList(FULL), limits: parseResourceList(FULL) },
    },
    qosClass: 'Guaranteed',
    reasons: [],
  },
  {
    name: 'at pod level a limit that is not the request is named',
    spec: {
      ...pod(container('api', FULL, FULL)),
      resources: {
        requests: parseResourceList({ cpu: '1', memory: '1Gi' }),
        limits: parseResourceList({ memory: '2Gi' }),
      },
    },
    qosClass: 'Burstable',
    reasons: ['the pod level: cpu request 1, but no limit', 'the pod level: memory limit 2Gi ≠ request 1Gi'],
  },
];

describe('the QoS class is explained', () => {
  for (const { name, spec, qosClass, reasons } of CASES) {
    test(name, () => {
      const explanation = explainQosClass(spec);
      expect(explanation.qosClass).toBe(qosClass);
      expect(explanation.findings.map(({ reason }) => reason)).toEqual(reasons);
      expect(explanation.findings.every(({ remedy }) => remedy.includes('set '))).toBe(true);
    });
  }

  test('the class that Kubernetes reports is explained only where it differs', () => {
    expect(explainReportedClass('Burstable', 'Burstable')).toBeUndefined();
    expect(explainReportedClass('Guaranteed', 'Burstable')).toContain('computed once, at admission');
  });
});

/** As the API server accepts it: no request above its limit. */
const arbitraryContainer: fc.Arbitrary<ContainerSpec> = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c'),
    cpu: fc.tuple(fc.option(fc.nat(2)), fc.option(fc.nat(2))),
    memory: fc.tuple(fc.option(fc.nat(2)), fc.option(fc.nat(2))),
  })
  .map(({ name, cpu, memory }) => {
    const requests: Amounts = {};
    const limits: Amounts = {};
    for (const [resource, [request, extra]] of Object.entries({ cpu, memory })) {
      if (request !== null) requests[resource] = String(request);
      if (extra !== null) limits[resource] = String((request ?? 0) + extra);
    }
    return container(name, requests, limits);
  });

describe('for any pod the API server accepts', () => {
  const arbitraryPod = fc.record({
    containers: fc.array(arbitraryContainer, { minLength: 1, maxLength: 3 }),
    initContainers: fc.array(arbitraryContainer, { maxLength: 2 }),
  });

  test('it is Guaranteed exactly where nothing is found', () => {
    assertProperty(
      fc.property(arbitraryPod, (spec) => {
        const withFindings = [
          ...withApiDefaults(spec).containers,
          ...withApiDefaults(spec).initContainers,
        ].map((one) => explainQosClass({ containers: [one], initContainers: [] }));
        const allGuaranteed = withFindings.every(({ findings }) => findings.length === 0);
        expect(explainQosClass(spec).qosClass === 'Guaranteed').toBe(allGuaranteed);
        expect(explainQosClass(spec).findings.length === 0).toBe(allGuaranteed);
      }),
      1000,
    );
  });

  test('the order of the containers does not matter', () => {
    assertProperty(
      fc.property(arbitraryPod, (spec) => {
        const reversed = { ...spec, containers: spec.containers.toReversed() };
        expect(computeQosClass(reversed)).toBe(computeQosClass(spec));
      }),
    );
  });
});

describe('defaults at pod level', () => {
  const resources = { limits: parseResourceList({ cpu: '2', memory: '4Gi' }) };

  test('a missing request is the sum of the containers where any has one, else the limit', () => {
    const spec = { ...pod(container('a', { memory: '1Gi' }), container('b', { memory: '2Gi' })), resources };
    const { requests } = withApiDefaults(spec).resources ?? {};
    expect(requests?.memory?.nanos).toBe(3n * 2n ** 30n * 10n ** 9n);
    expect(requests?.cpu).toEqual(resources.limits.cpu);
  });

  test('without limits at pod level nothing is filled in', () => {
    const only = { requests: parseResourceList({ cpu: '1' }) };
    expect(withApiDefaults({ ...pod(container('a', { memory: '1Gi' })), resources: only }).resources).toEqual(
      only,
    );
  });
});
