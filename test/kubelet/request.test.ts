import { describe, expect, test } from 'vitest';
import { formatQuantity } from '../../src/foundation/quantity.ts';
import { cgroupRequest, containersRequest, podRequest } from '../../src/kubelet/pod-request.ts';
import { type PodSpec, parseResourceList } from '../../src/kubelet/pod-spec.ts';
import { effectiveRequest, type RequestParts } from '../../src/kubelet/request.ts';

const plain = (request: number | undefined) => ({ request, isSidecar: false });
const sidecar = (request: number | undefined) => ({ request, isSidecar: true });

const CASES: readonly { name: string; parts: RequestParts; expected: number }[] = [
  { name: 'nothing set requests 0', parts: { containers: [undefined], initContainers: [] }, expected: 0 },
  {
    name: 'containers are summed',
    parts: { containers: [3, undefined, 4], initContainers: [] },
    expected: 7,
  },
  {
    name: 'the largest plain init container counts when it is above the containers',
    parts: { containers: [3], initContainers: [plain(5), plain(4)] },
    expected: 5,
  },
  {
    name: 'a sidecar is summed with the containers',
    parts: { containers: [3], initContainers: [sidecar(2)] },
    expected: 5,
  },
  {
    name: 'a plain init container runs beside the sidecars declared before it',
    parts: { containers: [1], initContainers: [sidecar(2), plain(10)] },
    expected: 12,
  },
  {
    name: 'a sidecar declared after a plain init container does not run beside it',
    parts: { containers: [1], initContainers: [plain(10), sidecar(2)] },
    expected: 10,
  },
  {
    name: 'overhead is added to the larger of containers and init',
    parts: { containers: [3], initContainers: [plain(5)], overhead: 1 },
    expected: 6,
  },
  {
    name: 'overhead is not added to a zero request',
    parts: { containers: [undefined, 0], initContainers: [], overhead: 100 },
    expected: 0,
  },
  {
    name: 'pod-level resources replace those of the containers',
    parts: { containers: [3], initContainers: [plain(50)], podLevel: { request: 8 } },
    expected: 8,
  },
  {
    name: 'pod-level resources that set nothing of this resource request 0 of it',
    parts: { containers: [3], initContainers: [], podLevel: { request: undefined }, overhead: 5 },
    expected: 0,
  },
  {
    name: 'overhead is added to a pod-level request',
    parts: { containers: [], initContainers: [], podLevel: { request: 8 }, overhead: 5 },
    expected: 13,
  },
];

describe('effective request', () => {
  for (const { name, parts, expected } of CASES) {
    test(name, () => {
      expect(effectiveRequest(parts)).toBe(expected);
    });
  }

  test('amounts above 2^53 stay exact', () => {
    const parts = { containers: [2n ** 60n, 1], initContainers: [], overhead: 1n };
    expect(effectiveRequest(parts)).toBe(2n ** 60n + 2n);
  });

  test('a zero bigint request stays zero', () => {
    expect(Number(effectiveRequest({ containers: [0n], initContainers: [], overhead: 7n }))).toBe(0);
  });
});

describe('the request of a Kubernetes pod', () => {
  const spec: PodSpec = {
    containers: [
      { name: 'api', requests: parseResourceList({ memory: '1Gi', 'ephemeral-storage': '2Gi' }) },
      { name: 'exporter', requests: parseResourceList({ memory: '100m' }) },
    ],
    initContainers: [
      { name: 'proxy', isSidecar: true, requests: parseResourceList({ memory: '64Mi' }) },
      { name: 'migrate', requests: parseResourceList({ memory: '512Mi' }) },
    ],
    overhead: parseResourceList({ memory: '16Mi' }),
  };
  const atPodLevel = (resources: PodSpec['resources']): PodSpec => ({ ...spec, resources });

  test('is exact to the billionth', () => {
    const { nanos } = podRequest(spec, 'memory');
    expect(nanos).toBe(1104n * 2n ** 20n * 10n ** 9n + 10n ** 8n);
  });

  test('at pod level ignores the containers for every resource', () => {
    const podLevel = atPodLevel({ requests: parseResourceList({ memory: '3Gi' }) });
    expect(formatQuantity(podRequest(podLevel, 'memory'))).toBe('3088Mi');
    expect(podRequest(podLevel, 'ephemeral-storage').nanos).toBe(0n);
    expect(podRequest(atPodLevel({ limits: parseResourceList({ cpu: '1' }) }), 'memory').nanos).toBe(0n);
  });

  test('is not at pod level where spec.resources is empty or sets nothing that may be set there', () => {
    const requests = parseResourceList({ 'ephemeral-storage': '9Gi' });
    for (const resources of [{}, { requests: {} }, { requests }]) {
      expect(podRequest(atPodLevel(resources), 'ephemeral-storage')).toEqual(
        podRequest(spec, 'ephemeral-storage'),
      );
    }
  });

  test('of the cgroup counts overhead even on top of nothing', () => {
    const bare = { containers: [{ name: 'a' }], initContainers: [], overhead: spec.overhead };
    expect(podRequest(bare, 'memory').nanos).toBe(0n);
    expect(formatQuantity(cgroupRequest(bare, 'memory'))).toBe('16Mi');
  });

  test('of the containers alone ignores pod level and overhead', () => {
    const podLevel = atPodLevel({ requests: parseResourceList({ memory: '3Gi' }) });
    expect(containersRequest(podLevel, 'ephemeral-storage').nanos).toBe(2n * 2n ** 30n * 10n ** 9n);
  });
});
