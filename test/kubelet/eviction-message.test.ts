import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compareQuantities, parseQuantity, quantityOfBytes } from '../../src/foundation/quantity.ts';
import { writeEvictionMessage } from '../../src/kubelet/eviction-message.ts';
import { type NodePressureText, parseEvictionMessage } from '../../src/kubelet/eviction-message-text.ts';
import { parseResourceList } from '../../src/kubelet/pod-spec.ts';
import { caseHead, caseName, nullable, readOracleCases, wholeNumber } from '../oracle-cases.ts';
import { assertProperty } from '../property.ts';

const container = z.strictObject({
  name: z.string(),
  requests: nullable(z.record(z.string(), z.string())).transform((requests) =>
    requests === undefined ? undefined : parseResourceList(requests),
  ),
});
const cases = readOracleCases(
  'eviction_message',
  z.strictObject({
    ...caseHead,
    resource: z.enum(['memory', 'ephemeral-storage', 'inodes', 'pids']),
    pod: z.string(),
    containers: z.array(container),
    initContainers: z.array(container),
    containerStats: nullable(
      z.array(
        z.strictObject({
          name: z.string(),
          memoryWorkingSetBytes: nullable(wholeNumber),
          rootfsUsedBytes: nullable(wholeNumber),
          logsUsedBytes: nullable(wholeNumber),
        }),
      ),
    ),
    message: z.string(),
    annotations: z.record(z.string(), z.string()),
  }),
);

describe('the kubelet 1.20 explains an eviction', () => {
  for (const one of cases) {
    const { containers, initContainers, containerStats } = one;
    const input = {
      resource: one.resource,
      podName: one.pod,
      spec: { containers, initContainers },
      stats: containerStats === undefined ? undefined : { containers: containerStats },
    };

    test(`${caseName(one)}: written as it writes it`, () => {
      expect(writeEvictionMessage({ ...input, style: '1.20' })).toEqual({
        message: one.message,
        annotations: one.annotations,
      });
    });

    test(`${caseName(one)}: read back from both formats`, () => {
      const { message } = writeEvictionMessage({ ...input, style: 'current' });
      for (const text of [one.message, one.message.trimEnd(), message]) {
        expectReadBack(text, one.resource, one.annotations);
      }
    });
  }
});

function expectReadBack(text: string, resource: string, annotations: Partial<Record<string, string>>): void {
  const parsed = parseEvictionMessage(text);
  expect(parsed).toMatchObject({ kind: 'node_pressure', resource, unread: '' });
  const { containers } = parsed as NodePressureText;
  const names = (annotations.offending_containers ?? '').split(',').filter((name) => name !== '');
  const usages = (annotations.offending_containers_usage ?? '').split(',');
  expect(containers.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  for (const [index, name] of names.entries()) {
    const usage = containers.find((one) => one.name === name)?.usage;
    expect(usage?.nanos).toBe(parseQuantity(usages[index] ?? '').nanos);
  }
}

describe('later versions', () => {
  const spec = {
    containers: [{ name: 'api', requests: parseResourceList({ memory: '1Gi' }) }],
    initContainers: [{ name: 'proxy', isSidecar: true, requests: parseResourceList({ memory: '64Mi' }) }],
  };
  const stats = {
    memoryWorkingSetBytes: 1500 * 2 ** 20,
    containers: [
      { name: 'api', memoryWorkingSetBytes: 1408 * 2 ** 20 },
      { name: 'proxy', memoryWorkingSetBytes: 92 * 2 ** 20 },
    ],
  };
  const threshold = { quantity: parseQuantity('100Mi'), available: parseQuantity('84Mi') };
  const write = (resources?: Parameters<typeof writeEvictionMessage>[0]['spec']['resources']) =>
    writeEvictionMessage({
      style: 'current',
      resource: 'memory',
      podName: 'p',
      spec: { ...spec, resources },
      stats,
      threshold,
    });

  test('the threshold and init containers are named', () => {
    expect(write().message).toBe(
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 84Mi. ' +
        'Container api was using 1408Mi, request is 1Gi, has larger consumption of memory. ' +
        'Container proxy was using 92Mi, request is 64Mi, has larger consumption of memory. ',
    );
  });

  test('with pod-level resources the pod is named before its containers', () => {
    const { message, annotations } = write({ requests: parseResourceList({ memory: '1Gi' }) });
    expect(message).toContain(
      'Pod p was using 1500Mi, request is 1Gi, has larger consumption of memory. Container api',
    );
    expect(annotations).toMatchObject({ offending_pod: 'p', offending_pod_usage: '1500Mi' });
    expect(parseEvictionMessage(message)).toMatchObject({
      threshold,
      pod: { name: 'p', usage: parseQuantity('1500Mi'), request: parseQuantity('1Gi') },
      containers: [{ name: 'api' }, { name: 'proxy' }],
      unread: '',
    });
  });

  test('any usage and request come back as they were written', () => {
    const bytes = fc.bigInt({ min: 1n, max: 2n ** 62n });
    assertProperty(
      fc.property(
        bytes,
        bytes,
        fc.constantFrom('1.20' as const, 'current' as const),
        (usage, request, style) => {
          fc.pre(usage > request);
          const requests = { memory: quantityOfBytes(request) };
          const { message } = writeEvictionMessage({
            style,
            resource: 'memory',
            podName: 'p',
            spec: { containers: [{ name: 'c', requests }], initContainers: [] },
            stats: { containers: [{ name: 'c', memoryWorkingSetBytes: usage }] },
          });
          const [read] = (parseEvictionMessage(message) as NodePressureText).containers;
          expect(read && compareQuantities(read.usage, quantityOfBytes(usage))).toBe(0);
          expect(read && compareQuantities(read.request, requests.memory)).toBe(0);
        },
      ),
    );
  });
});

describe('reading', () => {
  test('limits of local storage are told from node pressure', () => {
    expect(parseEvictionMessage('Usage of EmptyDir volume "scratch" exceeds the limit "1Gi". ')).toEqual({
      kind: 'storage_limit',
      what: 'empty_dir',
      name: 'scratch',
      limit: parseQuantity('1Gi'),
    });
    expect(
      parseEvictionMessage('Container app exceeded its local ephemeral storage limit "2Gi". '),
    ).toMatchObject({
      what: 'container',
      name: 'app',
    });
    expect(
      parseEvictionMessage('Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. '),
    ).toMatchObject({ what: 'pod', name: undefined });
  });

  test('other texts are not taken for an eviction', () => {
    for (const text of [
      '',
      'OOMKilled',
      'The node had condition: [MemoryPressure]. ',
      'The node was low on sleep.',
    ]) {
      expect(parseEvictionMessage(text)).toBeUndefined();
    }
  });

  test('what follows the known sentences is kept', () => {
    const parsed = parseEvictionMessage('The node was low on resource: memory. Something new happened. ');
    expect(parsed).toMatchObject({ containers: [], unread: 'Something new happened.' });
  });
});
