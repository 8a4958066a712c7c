import { describe, expect, test } from 'vitest';
import { ancestorMemoryQos, type MemoryQosSettings, podMemoryQos } from '../../src/kubelet/memory-qos.ts';
import { type PodSpec, parseResourceList } from '../../src/kubelet/pod-spec.ts';
import { computeQosClass } from '../../src/kubelet/qos.ts';

const MIB = 2 ** 20;
const SETTINGS: MemoryQosSettings = {
  throttlingFactor: 0.9,
  reservationPolicy: 'TieredReservation',
  nodeAllocatableBytes: 4096 * MIB,
};

function pod(request: string | undefined, limit: string | undefined, others: Partial<PodSpec> = {}): PodSpec {
  const list = (memory: string | undefined) => (memory === undefined ? {} : parseResourceList({ memory }));
  const app = { name: 'app', requests: list(request), limits: list(limit) };
  return { containers: [app], initContainers: [], ...others };
}

const guaranteed: PodSpec = {
  containers: [
    {
      name: 'app',
      requests: parseResourceList({ cpu: 1, memory: '512Mi' }),
      limits: parseResourceList({ cpu: 1, memory: '512Mi' }),
    },
  ],
  initContainers: [],
};

describe('memory.high', () => {
  const high = (spec: PodSpec, settings: Partial<MemoryQosSettings> = {}) =>
    podMemoryQos(spec, computeQosClass(spec), { ...SETTINGS, ...settings }).containers[0]?.highBytes;

  test('factor 0.9, 256Mi request, 1Gi limit gives about 947Mi, in whole pages', () => {
    const bytes = high(pod('256Mi', '1Gi')) ?? 0;
    expect(Math.floor(bytes / MIB)).toBe(947);
    expect(bytes % 4096).toBe(0);
  });

  test('without a limit the node allocatable takes its place', () => {
    expect(high(pod('256Mi', undefined))).toBe(Math.floor((256 + 0.9 * (4096 - 256)) * 256) * 4096);
    expect(high(pod('256Mi', undefined), { nodeAllocatableBytes: undefined })).toBeUndefined();
  });

  test('a BestEffort container is throttled at the factor of the node allocatable', () => {
    expect(high(pod(undefined, undefined))).toBe(Math.floor(0.9 * 4096 * 256) * 4096);
  });

  test('none for Guaranteed, nor where request and limit are equal', () => {
    expect(high(guaranteed)).toBeUndefined();
    expect(high(pod('1Gi', '1Gi'))).toBeUndefined();
  });

  test('none where the factor is unset, or where it would not be above the request', () => {
    expect(high(pod('256Mi', '1Gi'), { throttlingFactor: undefined })).toBeUndefined();
    expect(high(pod('256Mi', '1Gi'), { throttlingFactor: 0 })).toBeUndefined();
  });
});

describe('memory.min and memory.low', () => {
  const burstable = pod('256Mi', '1Gi', { overhead: parseResourceList({ memory: '16Mi' }) });

  test('Guaranteed gets memory.min of its request, in the container and in the pod', () => {
    const { pod: cgroup, containers } = podMemoryQos(guaranteed, 'Guaranteed', SETTINGS);
    expect(cgroup).toEqual({ minBytes: 512 * MIB, lowBytes: undefined, highBytes: undefined });
    expect(containers[0]).toMatchObject({ minBytes: 512 * MIB, lowBytes: undefined });
  });

  test('Burstable gets memory.low; the pod counts its overhead', () => {
    const { pod: cgroup, containers } = podMemoryQos(burstable, 'Burstable', SETTINGS);
    expect(cgroup).toMatchObject({ minBytes: undefined, lowBytes: 272 * MIB });
    expect(containers[0]).toMatchObject({ minBytes: undefined, lowBytes: 256 * MIB });
  });

  test('BestEffort and the policy None get neither', () => {
    const none = { minBytes: undefined, lowBytes: undefined };
    expect(podMemoryQos(pod(undefined, undefined), 'BestEffort', SETTINGS).pod).toMatchObject(none);
    const off = { ...SETTINGS, reservationPolicy: 'None' as const };
    expect(podMemoryQos(burstable, 'Burstable', off).pod).toMatchObject(none);
    expect(ancestorMemoryQos([{ spec: burstable, qosClass: 'Burstable' }], off).kubepods).toMatchObject(none);
  });

  test('the ancestors grant what their pods are promised', () => {
    const pods = [
      { spec: guaranteed, qosClass: 'Guaranteed' },
      { spec: burstable, qosClass: 'Burstable' },
      { spec: pod(undefined, undefined), qosClass: 'BestEffort' },
    ] as const;
    expect(ancestorMemoryQos(pods, SETTINGS)).toEqual({
      kubepods: { minBytes: 784 * MIB, lowBytes: 272 * MIB, highBytes: undefined },
      burstable: { minBytes: undefined, lowBytes: 272 * MIB, highBytes: undefined },
    });
  });
});
