import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readOracleFile } from '../../oracle-cases.ts';
import { nodeOf, podOf, snapshotOf } from '../../snapshot/sample-snapshot.ts';
import { startApi } from './api-server.ts';

const MIB = 2 ** 20;

const seedNode = z
  .object({
    node: z.object({
      name: z.string(),
      capacityBytes: z.int(),
      allocatableBytes: z.int(),
      hardThreshold: z.string(),
    }),
    pods: z.array(
      z.object({ namespace: z.string(), name: z.string(), priority: z.int(), usageBytes: z.int() }),
    ),
    requestBytes: z.record(z.string(), z.int()),
    scenarios: z.array(
      z.object({
        daemonsMi: z.int(),
        priorityOverrides: z.record(z.string(), z.int()),
        availableMi: z.int(),
        order: z.array(z.string()),
        evicted: z.array(
          z.object({ pod: z.string(), availableBeforeMi: z.int(), availableAfterMi: z.int() }),
        ),
      }),
    ),
  })
  .parse(readOracleFile('seed-node.json'));

/** The seed node with nothing in use but its pods. */
function seedSnapshot() {
  const { node, requestBytes } = seedNode;
  const pods = seedNode.pods.map((pod) =>
    podOf({ ...pod, node: node.name, requestBytes: requestBytes[pod.name] }),
  );
  return snapshotOf([
    nodeOf({
      name: node.name,
      capacityBytes: node.capacityBytes,
      allocatableBytes: node.allocatableBytes,
      workingSetBytes: seedNode.pods.reduce((sum, { usageBytes }) => sum + usageBytes, 0),
      pods,
    }),
  ]);
}

const answer = z.object({
  evictions: z.array(
    z.object({ pod: z.string(), availableBeforeBytes: z.number(), availableAfterBytes: z.number() }),
  ),
  survivors: z.array(z.object({ pod: z.string() })),
  oomLikely: z.boolean(),
  notes: z.array(z.string()),
});

describe('POST /api/v1/simulations', () => {
  for (const scenario of seedNode.scenarios) {
    test(`answers the worked example: daemons ${scenario.daemonsMi}Mi, ${JSON.stringify(scenario.priorityOverrides)}`, async () => {
      const api = await startApi(seedSnapshot());
      const namespaces = new Map(seedNode.pods.map(({ name, namespace }) => [name, namespace]));
      const reply = await api.post('/api/v1/simulations', {
        node: seedNode.node.name,
        extraNodeUsageBytes: `${scenario.daemonsMi}Mi`,
        threshold: seedNode.node.hardThreshold,
        pods: Object.entries(scenario.priorityOverrides).map(([pod, priority]) => ({
          namespace: namespaces.get(pod),
          pod,
          priority,
        })),
      });
      expect(reply.status, reply.text).toBe(200);
      const { evictions, survivors, oomLikely, notes } = answer.parse(reply.body);
      expect(
        evictions.map(({ pod, availableBeforeBytes, availableAfterBytes }) => ({
          pod,
          availableBeforeMi: availableBeforeBytes / MIB,
          availableAfterMi: availableAfterBytes / MIB,
        })),
      ).toEqual(scenario.evicted);
      expect(survivors.map(({ pod }) => pod)).toEqual(scenario.order.slice(scenario.evicted.length));
      expect(oomLikely).toBe(scenario.availableMi < 0);
      expect(notes.join(' ').includes('OOM killer')).toBe(scenario.availableMi < 0);
    });
  }

  const refused: readonly { name: string; body: unknown; status: number; detail: string }[] = [
    {
      name: 'a field nobody knows',
      body: { node: 'n1', foo: 1 },
      status: 400,
      detail: 'body: Unrecognized key: "foo"',
    },
    {
      name: 'a field nobody knows in a pod',
      body: { node: 'n1', pods: [{ namespace: 'a', pod: 'b', usage: 1 }] },
      status: 400,
      detail: 'pods.0: Unrecognized key: "usage"',
    },
    {
      name: 'no quantity',
      body: { node: 'n1', extraNodeUsageBytes: '12Xi' },
      status: 400,
      detail:
        'extraNodeUsageBytes: "12Xi" is no quantity: quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\' (write it like 512Mi, 1.5Gi, 500M or 128974848)',
    },
    {
      name: 'a fraction of a byte',
      body: { node: 'n1', extraNodeUsageBytes: 1.5 },
      status: 400,
      detail: 'extraNodeUsageBytes: must be whole bytes or a quantity such as 512Mi',
    },
    {
      name: 'a negative request',
      body: { node: 'n1', pods: [{ namespace: 'a', pod: 'b', requestBytes: '-1' }] },
      status: 400,
      detail: 'pods.0.requestBytes: must be from 0 to 2^53 − 1 bytes',
    },
    {
      name: 'a threshold the kubelet refuses',
      body: { node: 'seed', threshold: '0' },
      status: 400,
      detail: '"0" is refused by the kubelet: eviction threshold memory.available must be positive: 0',
    },
    {
      name: 'a threshold that is off',
      body: { node: 'seed', threshold: '0%' },
      status: 400,
      detail: '0% switches the threshold off: nothing is ever evicted',
    },
    ...['1e900', '1e19', 'NaN%', 'Inf%'].flatMap((text) =>
      ['threshold', 'minimumReclaim'].map((field) => ({
        name: `a ${field} of ${text}`,
        body: { node: 'seed', [field]: text },
        status: 400,
        // The kubelet refuses some of them itself.
        detail: expect.stringMatching(/no amount of memory that a node can have|refused by the kubelet/),
      })),
    ),
    {
      name: 'a pod that is not there',
      body: { node: 'seed', pods: [{ namespace: 'a', pod: 'b' }] },
      status: 404,
      detail: 'there is no pod a/b on node seed',
    },
    { name: 'a list', body: [], status: 400, detail: 'body: Invalid input: expected object, received array' },
    {
      name: 'no JSON',
      body: '{"node": ',
      status: 400,
      detail: 'the body is not JSON, or neither an object nor a list',
    },
    {
      name: 'a key that reaches for the prototype',
      body: '{"node":"seed","__proto__":{"threshold":"1"}}',
      status: 400,
      detail: 'body: Unrecognized key: "__proto__"',
    },
  ];
  for (const { name, body, status, detail } of refused) {
    test(`refuses ${name}`, async () => {
      const api = await startApi(
        snapshotOf([nodeOf({ name: 'seed', pods: [podOf({ name: 'x', node: 'seed' })] })]),
      );
      const reply = await api.post('/api/v1/simulations', body);
      expect(reply).toMatchObject({ status, type: 'application/problem+json', body: { status, detail } });
    });
  }

  test('answers another method with 405 and what is allowed', async () => {
    const api = await startApi(seedSnapshot());
    expect(await api.get('/api/v1/simulations')).toMatchObject({ status: 405, body: { detail: 'use POST' } });
  });

  test('takes gzip, and measures it unpacked', async () => {
    const { gzipSync } = await import('node:zlib');
    const api = await startApi(seedSnapshot());
    const post = (body: string) =>
      api.send('/api/v1/simulations', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: gzipSync(body),
      });
    expect((await post(JSON.stringify({ node: seedNode.node.name }))).status).toBe(200);
    expect((await post(' '.repeat(50_000_000))).status).toBe(413);
  });
});
