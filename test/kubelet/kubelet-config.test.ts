import { describe, expect, test } from 'vitest';
import { formatQuantity } from '../../src/foundation/quantity.ts';
import { KubeletConfigError, parseKubeletConfig } from '../../src/kubelet/kubelet-config.ts';
import { rulesOfKubelet } from '../../src/kubelet/kubelet-version.ts';

const KIND = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

function signals(text: string): string[] {
  return parseKubeletConfig(text).thresholds.map(({ signal }) => signal);
}

function problems(text: string): readonly string[] {
  try {
    parseKubeletConfig(text);
  } catch (error) {
    if (error instanceof KubeletConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('a KubeletConfiguration', () => {
  test('that sets nothing has the defaults, also for the pods cgroup', () => {
    const config = parseKubeletConfig(KIND);
    expect(config.thresholds.map(({ signal }) => signal)).toEqual([
      'memory.available',
      'nodefs.available',
      'nodefs.inodesFree',
      'imagefs.available',
      'imagefs.inodesFree',
      'allocatableMemory.available',
    ]);
    expect(config).toMatchObject({
      maxPodGracePeriodSeconds: 0,
      pressureTransitionPeriodMs: 300_000,
      memoryThrottlingFactor: undefined,
      memoryReservationPolicy: 'None',
      droppedDefaults: [],
      warnings: [],
    });
  });

  test('that sets one hard threshold drops the other defaults, and is warned of it', () => {
    const config = parseKubeletConfig(`${KIND}evictionHard: { memory.available: 500Mi }\n`);
    expect(config.thresholds.map(({ signal }) => signal)).toEqual([
      'memory.available',
      'allocatableMemory.available',
    ]);
    expect(config.droppedDefaults).toEqual([
      'nodefs.available',
      'nodefs.inodesFree',
      'imagefs.available',
      'imagefs.inodesFree',
    ]);
    expect(config.warnings).toEqual([expect.stringContaining('mergeDefaultEvictionSettings: true')]);
  });

  test('is read with the defaults of its kubelet: imagefs.inodesFree has one since 1.30', () => {
    const read = (version: string, text: string) => parseKubeletConfig(text, rulesOfKubelet(version));
    const signalsOf = (version: string) => read(version, KIND).thresholds.map(({ signal }) => signal);
    expect(signalsOf('v1.29.4')).not.toContain('imagefs.inodesFree');
    expect(signalsOf('v1.30.0')).toContain('imagefs.inodesFree');
    const one = `${KIND}evictionHard: { memory.available: 500Mi }\n`;
    expect(read('v1.29.4', one).droppedDefaults).toEqual([
      'nodefs.available',
      'nodefs.inodesFree',
      'imagefs.available',
    ]);
  });

  test('that merges keeps the other defaults', () => {
    const config = parseKubeletConfig(
      `${KIND}evictionHard: { memory.available: 500Mi }\nmergeDefaultEvictionSettings: true\n`,
    );
    expect(config.thresholds).toHaveLength(6);
    const [memory] = config.thresholds;
    expect(memory && 'quantity' in memory.value && formatQuantity(memory.value.quantity)).toBe('500Mi');
    expect(config.warnings).toEqual([]);
  });

  test('with an empty evictionHard has no hard threshold at all', () => {
    expect(signals(`${KIND}evictionHard: {}\n`)).toEqual([]);
  });

  test('as configz answers it, in JSON, is read alike', () => {
    const text = JSON.stringify({
      kubeletconfig: {
        enforceNodeAllocatable: ['pods'],
        evictionHard: { 'memory.available': '100Mi' },
        evictionSoft: { 'memory.available': '500Mi' },
        evictionSoftGracePeriod: { 'memory.available': '1m30s' },
        evictionMinimumReclaim: { 'memory.available': '200Mi' },
        evictionMaxPodGracePeriod: 60,
        evictionPressureTransitionPeriod: '1m0s',
        memoryThrottlingFactor: 0.9,
        memoryReservationPolicy: 'TieredReservation',
        maxPods: 110,
      },
    });
    const config = parseKubeletConfig(text);
    expect(config.thresholds.map(({ signal, gracePeriodMs }) => [signal, gracePeriodMs])).toEqual([
      ['memory.available', 0],
      ['memory.available', 90_000],
      ['allocatableMemory.available', 0],
    ]);
    expect(config).toMatchObject({
      maxPodGracePeriodSeconds: 60,
      pressureTransitionPeriodMs: 60_000,
      memoryThrottlingFactor: 0.9,
      memoryReservationPolicy: 'TieredReservation',
    });
  });

  test.each([
    ['evictionHrad', 'evictionHard'],
    ['EvictionHard', 'evictionHard'],
    ['evictionSoftGracePeriods', 'evictionSoftGracePeriod'],
    ['mergeDefaultEvictionSetting', 'mergeDefaultEvictionSettings'],
    ['memorythrottlingfactor', 'memoryThrottlingFactor'],
  ])('that writes %s is read without it, as by the kubelet, and warned of', (name, meant) => {
    const { warnings, thresholds } = parseKubeletConfig(`${KIND}${name}: { memory.available: 500Mi }\n`);
    expect(thresholds).toHaveLength(6);
    expect(warnings).toEqual([
      `${name} is no field of a KubeletConfiguration, and the kubelet passes over it: write ${meant}`,
    ]);
  });

  test.each(['maxPods', 'memorySwap', 'memoryManagerPolicy', 'evictionAnything', 'metadata'])(
    'that sets %s, which is not ours, is read without a word',
    (name) => expect(parseKubeletConfig(`${KIND}${name}: 7\n`).warnings).toEqual([]),
  );

  test('above 100 % is warned of', () => {
    const { warnings } = parseKubeletConfig(
      `${KIND}evictionHard: { memory.available: "150%" }\nmergeDefaultEvictionSettings: true\n`,
    );
    expect(warnings).toContain(
      'memory.available: more than 100 % is always met, and later kubelets refuse it',
    );
  });
});

describe('what is not a KubeletConfiguration', () => {
  test('every problem is reported at once, with its path', () => {
    const text = `${KIND}
evictionHard: { memory.available: 1GB, cpu.available: 10% }
evictionSoft: { nodefs.available: 10% }
evictionMinimumReclaim: { memory.available: "-1" }
evictionPressureTransitionPeriod: soon
`;
    expect(problems(text)).toEqual([
      expect.stringMatching(/^evictionHard\.memory\.available: quantities must match/),
      'evictionHard.cpu.available: unsupported eviction signal cpu.available',
      'evictionSoft.nodefs.available: grace period must be specified for the soft eviction threshold nodefs.available',
      'evictionMinimumReclaim.memory.available: negative eviction minimum reclaim specified for memory.available',
      'evictionPressureTransitionPeriod: time: invalid duration "soon"',
    ]);
  });

  test('a number that is no text is refused, as by the kubelet, and hides no other problem', () => {
    const text = `${KIND}
evictionHard: { memory.available: 9007199254740993, nodefs.available: 1GB }
evictionSoft: 7
evictionMinimumReclaim: { memory.available: "-1" }
`;
    expect(problems(text)).toEqual([
      'evictionHard.memory.available: the kubelet takes only text here: put it in quotes',
      expect.stringMatching(/^evictionSoft: /),
      expect.stringMatching(/^evictionHard\.nodefs\.available: quantities must match/),
      'evictionMinimumReclaim.memory.available: negative eviction minimum reclaim specified for memory.available',
    ]);
    expect(problems(JSON.stringify({ kubeletconfig: { evictionHard: { 'memory.available': 5 } } }))).toEqual([
      'kubeletconfig.evictionHard.memory.available: the kubelet takes only text here: put it in quotes',
    ]);
  });

  test('another kind, a wrong type and no YAML are named', () => {
    expect(problems('kind: Pod')).toEqual([expect.stringMatching(/^kind: /)]);
    expect(problems('kubeletconfig: { evictionHard: 7 }')).toEqual([
      expect.stringMatching(/^kubeletconfig\.evictionHard: /),
    ]);
    expect(problems('{')).toEqual([expect.stringMatching(/^neither YAML nor JSON: /)]);
    expect(problems('')).toEqual([expect.stringMatching(/^the document: /)]);
  });
});
