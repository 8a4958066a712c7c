import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { startWireBackend } from '../support/wire-backend.ts';
import { json, smallCluster, vector } from '../support/wire-cluster.ts';

let service: TestService | undefined;
afterEach(() => service?.stop());

const flags = ['--refresh.interval=5s', '--prometheus.timeout=1s'];

const beginning = '{"status":"success","data":{"resultType":"vector","result":[';
const row = '{"metric":{"namespace":"a","pod":"x"},"value":[1,"1"]},';

/** More than a gibibyte in some mebibytes: gzip may have several members one after the other. */
const bombOf = (text: string): Buffer =>
  Buffer.concat([
    gzipSync(beginning),
    ...Array<Buffer>(64).fill(gzipSync(text.repeat(2 ** 24 / text.length))),
  ]);

const packed =
  (body: Buffer): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(body);

const endless =
  (text: string): RequestListener =>
  (_request, response) => {
    response.write(beginning);
    const write = (): void => {
      if (!response.destroyed) response.write(text.repeat(1_000), () => setImmediate(write));
    };
    write();
  };

const endlessBodies: readonly (readonly [string, RequestListener])[] = [
  ['a gzip bomb of rows', packed(bombOf(row))],
  ['a gzip bomb of one row', packed(bombOf(`{"metric":{"pod":"${'x'.repeat(1_000)}`))],
  ['rows without an end', endless(row)],
  ['one row without an end', endless('{"metric":{"pod":"x')],
];

/** The most memory the process ever had. */
function peakMebibytes(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

describe('the service with a backend that misbehaves', () => {
  it.each<[string, RequestListener, RegExp]>([
    [
      'answers HTML',
      (_request, response) => response.setHeader('Content-Type', 'text/html').end('<html>login</html>'),
      /query \w+ .*(HTML|JSON)/i,
    ],
    [
      'answers half an answer',
      (_request, response) =>
        response
          .setHeader('Content-Type', 'application/json')
          .end('{"status":"success","data":{"resultType":"vec'),
      /query \w+ .*JSON/i,
    ],
    [
      'answers half an answer and closes',
      (_request, response) => {
        response.writeHead(200, { 'Content-Length': 5_000 });
        response.write('{"status":"success","data":{"resultType":"vec', () => response.destroy());
      },
      /query \w+ .*(aborted|ECONNRESET|PREMATURE)/,
    ],
    ['says 500', (_request, response) => response.writeHead(500).end('boom'), /query \w+ .*500/],
    [
      'says 422',
      (_request, response) =>
        response
          .writeHead(422, { 'Content-Type': 'application/json' })
          .end('{"status":"error","errorType":"execution","error":"too many samples"}'),
      /query \w+ .*422 "too many samples"/,
    ],
    ...([429, 503] as const).flatMap((status): [string, RequestListener, RegExp][] => [
      [
        `says ${status}`,
        (_request, response) => response.writeHead(status).end('later'),
        new RegExp(`query \\w+ .*${status}`),
      ],
      [
        `says ${status} and when to come back, after the time there is`,
        (_request, response) => response.writeHead(status, { 'Retry-After': '3600' }).end('later'),
        new RegExp(`query \\w+ .*${status}`),
      ],
    ]),
    ['is too slow', () => undefined, /query \w+ .*no complete answer within 4000 ms/],
    ['knows no pods', json(vector([])), /no series of kube_pod_info/],
  ])('that %s says which query failed, exports source_up 0 and no ranks', async (_name, listener, error) => {
    const backend = await startWireBackend(listener);
    // Time for every attempt and the waits between them, also on a busy machine.
    const patient = ['--refresh.interval=5s', '--prometheus.timeout=4s'];
    service = await startTestService(backend.url, { flags: patient, until: '/-/healthy' });
    const status = await service.statusWhen(({ lastRefresh }) => lastRefresh.outcome !== null);
    expect(status).toMatchObject({ ready: false, lastRefresh: { outcome: 'failed' }, data: null });
    expect(status.lastRefresh.error).toMatch(error);
    const { body } = await service.get('/metrics');
    expect(body).toContain('evictrank_source_up 0');
    expect(body).not.toContain('evictrank_pod_eviction_risk_rank{');
    expect((await service.get('/-/ready')).status).toBe(503);
    expect((await service.get('/api/v1/nodes')).status).toBe(503);
    expect((await service.get('/-/healthy')).status).toBe(200);
  });

  it('keeps serving the last good data, marks them stale in time, and recovers', async () => {
    const backend = await startWireBackend(smallCluster());
    service = await startTestService(backend.url, { flags });
    const good = await service.statusWhen(({ ready }) => ready);
    backend.become((_request, response) => response.writeHead(503).end());
    const failed = await service.statusWhen(({ lastRefresh }) => lastRefresh.outcome === 'failed');
    expect(failed).toMatchObject({ ready: true, data: { pods: good.data?.pods } });
    const { body } = await service.get('/metrics');
    expect(body).toContain('evictrank_source_up 0');
    expect(body).toMatch(/evictrank_pod_eviction_risk_rank\{.*pod="x".*basis="now"\} 1/);
    await service.statusWhen(({ stale }) => stale);
    expect((await service.get('/-/ready')).status).toBe(503);
    backend.become(smallCluster());
    await service.statusWhen(({ ready }) => ready);
    expect((await service.get('/metrics')).body).toContain('evictrank_source_up 1');
  });

  it.each(['NaN', '+Inf', '1e308', '1e16'])(
    'takes %s neither for zero nor for a pod without stats: its node is not ranked, and the problem names the pod',
    async (value) => {
      const backend = await startWireBackend(smallCluster(undefined, { usage: value }));
      service = await startTestService(backend.url, { flags });
      const { body } = await service.get('/metrics');
      expect(body).toContain('evictrank_node_complete{node="n1"} 0');
      expect(body).toMatch(/evictrank_pod_memory_usage_bytes\{.*pod="y".*\} 100/);
      expect(body).not.toMatch(
        /evictrank_pod_(memory_usage_bytes|comparator_group|eviction_risk_rank)\{.*pod="x"/,
      );
      expect(body.replaceAll('le="+Inf"', '')).not.toMatch(/NaN|Inf/);
      expect(body).toMatch(/evictrank_input_problems\{kind="samples_dropped"\} [12]/);
      const { data } = await service.statusWhen(({ ready }) => ready);
      expect(data?.problems).toContainEqual({
        kind: 'samples_dropped',
        subject: 'pod_usage',
        message: expect.stringMatching(/^1 of 2 samples of pod_memory_working_set_bytes .*: a\/x\./),
        remedy: expect.stringContaining('exporter'),
      });
      const { summary } = (await service.json<{ explanation: { summary: string } }>('/api/v1/pods/a/y'))
        .explanation;
      expect(summary).toMatch(/^Not ranked: what is said of 1 pod on n1 is NaN/);
    },
  );

  it('waits as long as a 503 asks for, where there is time, and then has its data', async () => {
    let requests = 0;
    const good = smallCluster();
    const busyAtFirst: RequestListener = (request, response) => {
      requests++;
      if (requests <= 4) response.writeHead(503, { 'Retry-After': '1' }).end();
      else good(request, response);
    };
    const backend = await startWireBackend(busyAtFirst);
    service = await startTestService(backend.url, {
      flags: ['--refresh.interval=5s', '--prometheus.timeout=4s'],
    });
    expect(await service.statusWhen(() => true)).toMatchObject({
      ready: true,
      lastRefresh: { outcome: 'ok' },
    });
  });

  it('is not filled by bodies without an end, packed or not, and recovers by itself', async () => {
    const backend = await startWireBackend(smallCluster());
    service = await startTestService(backend.url, {
      flags: ['--refresh.interval=5s', '--prometheus.timeout=5s', '--prometheus.max-body-bytes=16777216'],
    });
    const good = await service.statusWhen(({ ready }) => ready);
    for (const [name, endless] of endlessBodies) {
      const before = (await service.statusWhen(() => true)).lastRefresh.finishedAt;
      backend.become(endless);
      const { lastRefresh, data } = await service.statusWhen(
        (status) => status.lastRefresh.outcome === 'failed' && status.lastRefresh.finishedAt !== before,
      );
      expect(lastRefresh.error, name).toMatch(
        /query \w+ .*(larger than 16777216 bytes|more than 4194304 characters)/,
      );
      expect(data?.evaluatedAt, name).toBe(good.data?.evaluatedAt);
      expect((await service.get('/metrics')).body).toContain('evictrank_source_up 0');
    }
    expect(peakMebibytes(service.pid)).toBeLessThan(600);
    backend.become(smallCluster());
    await service.statusWhen(({ lastRefresh }) => lastRefresh.outcome === 'ok');
    expect((await service.get('/metrics')).body).toContain('evictrank_source_up 1');
  });

  it('leaves out a series without a label that is needed, and says so', async () => {
    const unnamed = smallCluster(({ pod, ...rest }) =>
      pod === 'y' ? rest : { ...rest, ...(pod === undefined ? {} : { pod }) },
    );
    const backend = await startWireBackend(unnamed);
    service = await startTestService(backend.url, { flags });
    const { data } = await service.statusWhen(({ ready }) => ready);
    expect(data?.pods).toBe(1);
    expect(data?.problems).toContainEqual(
      expect.objectContaining({
        kind: 'label_missing',
        subject: 'pods',
        remedy: expect.stringContaining('--labels.'),
      }),
    );
  });

  it('marks a node incomplete where no pod has usage', async () => {
    const withoutUsage: RequestListener = (request, response) => {
      const end = response.end.bind(response);
      response.end = ((text: string) => end(text.replace(/"(300|100)"/g, '"NaN"'))) as typeof response.end;
      smallCluster()(request, response);
    };
    const backend = await startWireBackend(withoutUsage);
    service = await startTestService(backend.url, { flags });
    expect((await service.get('/metrics')).body).toContain('evictrank_node_complete{node="n1"} 0');
    expect(await service.json('/api/v1/nodes/n1')).toMatchObject({
      complete: false,
      pods: [
        { rank: null, group: null },
        { rank: null, group: null },
      ],
    });
  });
});
