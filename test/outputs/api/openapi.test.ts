import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { compareText } from '../../../src/foundation/text-order.ts';
import { openApiDocument } from '../../../src/outputs/api/openapi.ts';
import { type Operation, operations } from '../../../src/outputs/api/operations.ts';
import { type ApiServer, type Reply, startApi } from './api-server.ts';
import { sampleDetail, sampleSnapshot } from './sample-data.ts';

const document = openApiDocument('1.2.3');

const ajv = new Ajv.default({
  strict: false,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
});
ajv.addSchema({ $id: 'https://evictrank.example/openapi.json', ...document });

/** What the document says an answer must be: every field there, none besides. */
function problemsOf(operation: Operation, { status, type, body }: Omit<Reply, 'headers'>): string[] {
  const path = operation.path.replaceAll('~', '~0').replaceAll('/', '~1');
  const pointer = [
    path,
    operation.method,
    'responses',
    status,
    'content',
    type.replace('/', '~1'),
    'schema',
  ].join('/');
  const validate = ajv.getSchema(`https://evictrank.example/openapi.json#/paths/${encodeURI(pointer)}`);
  if (validate === undefined) return [`${operation.id} documents no ${type} with status ${status}`];
  return validate(body) === true ? [] : (validate.errors ?? []).map((error) => JSON.stringify(error));
}

interface Call {
  readonly name: string;
  readonly id: string;
  readonly status: number;
  readonly call: (api: ApiServer) => Promise<Reply>;
  /** Without any data. */
  readonly isEmpty?: boolean;
}

const message = 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 84Mi. ';
const ranked =
  '"Eviction manager: pods ranked for eviction" pods=["default/batch","default/quiet","default/gone"]';
const big = JSON.stringify({ message: 'x'.repeat(300_000) });

const calls: readonly Call[] = [
  { name: 'the status', id: 'getStatus', status: 200, call: (api) => api.get('/api/v1/status') },
  {
    name: 'the status before the first refresh',
    id: 'getStatus',
    status: 200,
    isEmpty: true,
    call: (api) => api.get('/api/v1/status'),
  },
  {
    name: 'a parameter nobody knows',
    id: 'getStatus',
    status: 400,
    call: (api) => api.get('/api/v1/status?x=1'),
  },
  { name: 'the nodes', id: 'listNodes', status: 200, call: (api) => api.get('/api/v1/nodes') },
  {
    name: 'the nodes of no cluster',
    id: 'listNodes',
    status: 200,
    call: (api) => api.get('/api/v1/nodes?cluster=x'),
  },
  {
    name: 'an empty cluster name',
    id: 'listNodes',
    status: 400,
    call: (api) => api.get('/api/v1/nodes?cluster='),
  },
  {
    name: 'the nodes before the first refresh',
    id: 'listNodes',
    status: 503,
    isEmpty: true,
    call: (api) => api.get('/api/v1/nodes'),
  },
  { name: 'a ladder', id: 'getNode', status: 200, call: (api) => api.get('/api/v1/nodes/n1') },
  {
    name: 'a ladder of peaks',
    id: 'getNode',
    status: 200,
    call: (api) => api.get('/api/v1/nodes/n1?basis=peak'),
  },
  {
    name: 'the ladder of a node without figures',
    id: 'getNode',
    status: 200,
    call: (api) => api.get('/api/v1/nodes/n2'),
  },
  {
    name: 'a basis nobody knows',
    id: 'getNode',
    status: 400,
    call: (api) => api.get('/api/v1/nodes/n1?basis=x'),
  },
  {
    name: 'a node that is not there',
    id: 'getNode',
    status: 404,
    call: (api) => api.get('/api/v1/nodes/n9'),
  },
  {
    name: 'a ladder before the first refresh',
    id: 'getNode',
    status: 503,
    isEmpty: true,
    call: (api) => api.get('/api/v1/nodes/n1'),
  },
  { name: 'the pods', id: 'listPods', status: 200, call: (api) => api.get('/api/v1/pods') },
  {
    name: 'a page of pods',
    id: 'listPods',
    status: 200,
    call: (api) => api.get('/api/v1/pods?limit=2&group=within_request'),
  },
  {
    name: 'a limit too high',
    id: 'listPods',
    status: 400,
    call: (api) => api.get('/api/v1/pods?limit=100000'),
  },
  {
    name: 'pods before the first refresh',
    id: 'listPods',
    status: 503,
    isEmpty: true,
    call: (api) => api.get('/api/v1/pods'),
  },
  ...[
    'default/api',
    'default/batch',
    'default/quiet',
    'default/web-1',
    'default/web-2',
    'kube-system/agent',
    'default/blind',
  ].map(
    (pod): Call => ({
      name: `the explanation of ${pod}`,
      id: 'explainPod',
      status: 200,
      call: (api) => api.get(`/api/v1/pods/${pod}`),
    }),
  ),
  {
    name: 'a pod that is not there',
    id: 'explainPod',
    status: 404,
    call: (api) => api.get('/api/v1/pods/default/nobody'),
  },
  {
    name: 'a pod with an impossible name',
    id: 'explainPod',
    status: 400,
    call: (api) => api.get('/api/v1/pods/default/a%22%7D'),
  },
  {
    name: 'an explanation before the first refresh',
    id: 'explainPod',
    status: 503,
    isEmpty: true,
    call: (api) => api.get('/api/v1/pods/default/api'),
  },
  {
    name: 'the peaks of a pod',
    id: 'getPodPeaks',
    status: 200,
    call: (api) => api.get('/api/v1/pods/default/api/peaks'),
  },
  {
    name: 'the peaks of a pod that is not there',
    id: 'getPodPeaks',
    status: 404,
    call: (api) => api.get('/api/v1/pods/default/nobody/peaks'),
  },
  {
    name: 'the peaks of a pod with an impossible name',
    id: 'getPodPeaks',
    status: 400,
    call: (api) => api.get('/api/v1/pods/default/a%22%7D/peaks'),
  },
  {
    name: 'the peaks before the first refresh',
    id: 'getPodPeaks',
    status: 503,
    isEmpty: true,
    call: (api) => api.get('/api/v1/pods/default/api/peaks'),
  },
  { name: 'the workloads', id: 'listWorkloads', status: 200, call: (api) => api.get('/api/v1/workloads') },
  {
    name: 'the workloads of a namespace',
    id: 'listWorkloads',
    status: 200,
    call: (api) => api.get('/api/v1/workloads?namespace=kube-system'),
  },
  {
    name: 'a format nobody knows',
    id: 'listWorkloads',
    status: 400,
    call: (api) => api.get('/api/v1/workloads?format=xls'),
  },
  {
    name: 'workloads before the first refresh',
    id: 'listWorkloads',
    status: 503,
    isEmpty: true,
    call: (api) => api.get('/api/v1/workloads'),
  },
  {
    name: 'a simulation',
    id: 'simulate',
    status: 200,
    call: (api) => api.post('/api/v1/simulations', { node: 'n1', extraNodeUsageBytes: 2000 }),
  },
  {
    name: 'a simulation without a node',
    id: 'simulate',
    status: 400,
    call: (api) => api.post('/api/v1/simulations', {}),
  },
  {
    name: 'a simulation of a node that is not there',
    id: 'simulate',
    status: 404,
    call: (api) => api.post('/api/v1/simulations', { node: 'n9' }),
  },
  {
    name: 'a simulation of a node without figures',
    id: 'simulate',
    status: 409,
    call: (api) => api.post('/api/v1/simulations', { node: 'n2' }),
  },
  {
    name: 'a simulation that is too large',
    id: 'simulate',
    status: 413,
    call: (api) => api.post('/api/v1/simulations', big),
  },
  {
    name: 'a simulation in another form',
    id: 'simulate',
    status: 415,
    call: (api) => api.send('/api/v1/simulations', { method: 'POST', body: 'node=n1' }),
  },
  {
    name: 'a simulation before the first refresh',
    id: 'simulate',
    status: 503,
    isEmpty: true,
    call: (api) => api.post('/api/v1/simulations', { node: 'n1' }),
  },
  {
    name: 'an eviction message',
    id: 'explainEvictionMessage',
    status: 200,
    call: (api) => api.post('/api/v1/eviction-messages', { message }),
  },
  {
    name: 'a storage limit',
    id: 'explainEvictionMessage',
    status: 200,
    call: (api) =>
      api.post('/api/v1/eviction-messages', {
        message: 'Usage of EmptyDir volume "c" exceeds the limit "1Gi". ',
      }),
  },
  {
    name: 'a ranked log line',
    id: 'explainEvictionMessage',
    status: 200,
    call: (api) => api.post('/api/v1/eviction-messages', { message: ranked, node: 'n1' }),
  },
  {
    name: 'a text of something else',
    id: 'explainEvictionMessage',
    status: 200,
    isEmpty: true,
    call: (api) => api.post('/api/v1/eviction-messages', { message: 'hello' }),
  },
  {
    name: 'a message for a node that is not there',
    id: 'explainEvictionMessage',
    status: 404,
    call: (api) => api.post('/api/v1/eviction-messages', { message, node: 'n9' }),
  },
  {
    name: 'a message that is not JSON',
    id: 'explainEvictionMessage',
    status: 400,
    call: (api) => api.post('/api/v1/eviction-messages', '{'),
  },
  {
    name: 'a message that is too large',
    id: 'explainEvictionMessage',
    status: 413,
    call: (api) => api.post('/api/v1/eviction-messages', big),
  },
  {
    name: 'a message in another form',
    id: 'explainEvictionMessage',
    status: 415,
    call: (api) => api.send('/api/v1/eviction-messages', { method: 'POST', body: message }),
  },
];

describe('an answer is what /openapi.json says', () => {
  for (const { name, id, status, call, isEmpty } of calls) {
    test(`${id} ${status}: ${name}`, async () => {
      const operation = operations.find((one) => one.id === id);
      if (operation === undefined) throw new Error(`no operation ${id}`);
      const snapshot = isEmpty === true ? undefined : sampleSnapshot();
      const api = await startApi(snapshot, { readPodDetail: () => Promise.resolve(sampleDetail) });
      const reply = await call(api);
      expect(reply.status, reply.text).toBe(status);
      expect(problemsOf(operation, reply)).toEqual([]);
    });
  }

  test('every status of every operation was seen, but the one for faults of our own', () => {
    const seen = new Set(calls.map(({ id, status }) => `${id} ${status}`));
    const documented = operations.flatMap(({ id, problems }) =>
      [200, ...problems].map((status) => `${id} ${status}`),
    );
    expect(documented.filter((one) => !seen.has(one))).toEqual([]);
  });

  test('and the check would notice a field too few or too many', () => {
    const [operation] = operations;
    if (operation === undefined) throw new Error('no operation');
    const reply = { status: 200, type: 'application/json', text: '' };
    expect(problemsOf(operation, { ...reply, body: {} })).not.toEqual([]);
    const problemReply = { ...reply, status: 400, type: 'application/problem+json' };
    const body = { title: 'a', detail: 'b', status: 400 };
    expect(problemsOf(operation, { ...problemReply, body })).toEqual([]);
    expect(problemsOf(operation, { ...problemReply, body: { ...body, more: 1 } })).not.toEqual([]);
  });
});

describe('/openapi.json', () => {
  test('is served as it was built', async () => {
    const api = await startApi(sampleSnapshot());
    const reply = await api.get('/openapi.json');
    expect(reply).toMatchObject({ status: 200, type: 'application/json' });
    expect(reply.body).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('describes every route under /api/v1, and no other', () => {
    const routes = [
      ...readFileSync('src/outputs/api/routes.ts', 'utf8').matchAll(/router\.(get|post)\('([^']+)'/g),
    ]
      .map(([, method, path]) => `${method} /api/v1${(path ?? '').replaceAll(/:(\w+)/g, '{$1}')}`)
      .toSorted(compareText);
    expect(routes).toEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted(compareText));
  });

  test('refers only to schemas that it holds', () => {
    const text = JSON.stringify(document);
    const schemas = (document.components as { schemas: Record<string, unknown> }).schemas;
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? '');
    expect(references.length).toBeGreaterThan(30);
    expect(
      references.filter((one) => schemas[one.replace('#/components/schemas/', '')] === undefined),
    ).toEqual([]);
  });
});
