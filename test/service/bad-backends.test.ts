import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { json, smallCluster, vector } from '../support/wire-cluster.ts';

let server: Server | undefined;
let service: TestService | undefined;

afterEach(async () => {
  await service?.stop();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server?.closeAllConnections();
});

/** What the backend answers at the moment; tests change it while the service runs. */
let answer: RequestListener;

async function startBackend(): Promise<string> {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const flags = ['--refresh.interval=5s', '--prometheus.timeout=1s'];

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
    ['says 500', (_request, response) => response.writeHead(500).end('boom'), /query \w+ .*500/],
    ['is too slow', () => undefined, /query \w+ .*(time|1000|1 s)/i],
    ['knows no pods', json(vector([])), /no series of kube_pod_info/],
  ])('that %s says which query failed, exports source_up 0 and no ranks', async (_name, listener, error) => {
    answer = listener;
    service = await startTestService(await startBackend(), { flags, until: '/-/healthy' });
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
    answer = smallCluster();
    service = await startTestService(await startBackend(), { flags });
    const good = await service.statusWhen(({ ready }) => ready);
    answer = (_request, response) => response.writeHead(503).end();
    const failed = await service.statusWhen(({ lastRefresh }) => lastRefresh.outcome === 'failed');
    expect(failed).toMatchObject({ ready: true, data: { pods: good.data?.pods } });
    const { body } = await service.get('/metrics');
    expect(body).toContain('evictrank_source_up 0');
    expect(body).toMatch(/evictrank_pod_eviction_risk_rank\{.*pod="x".*basis="now"\} 1/);
    await service.statusWhen(({ stale }) => stale);
    expect((await service.get('/-/ready')).status).toBe(503);
    answer = smallCluster();
    await service.statusWhen(({ ready }) => ready);
    expect((await service.get('/metrics')).body).toContain('evictrank_source_up 1');
  });

  it.each(['NaN', '+Inf', '1e308', '1e16'])(
    'takes %s neither for zero nor for a pod without stats: its node is not ranked, and the problem names the pod',
    async (value) => {
      answer = smallCluster(undefined, { usage: value });
      service = await startTestService(await startBackend(), { flags });
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
      expect(summary).toMatch(/^Not ranked: the memory usage of 1 pod on n1 came as NaN/);
    },
  );

  it('leaves out a series without a label that is needed, and says so', async () => {
    answer = smallCluster(({ pod, ...rest }) =>
      pod === 'y' ? rest : { ...rest, ...(pod === undefined ? {} : { pod }) },
    );
    service = await startTestService(await startBackend(), { flags });
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
    answer = (request, response) => {
      const end = response.end.bind(response);
      response.end = ((text: string) => end(text.replace(/"(300|100)"/g, '"NaN"'))) as typeof response.end;
      smallCluster()(request, response);
    };
    service = await startTestService(await startBackend(), { flags });
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
