import { describe, expect, test } from 'vitest';
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
