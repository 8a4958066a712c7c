import type { RequestListener } from 'node:http';

/** Answers every request with this. */
export const json =
  (body: unknown): RequestListener =>
  (_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(body));
  };

export const matrix = (result: unknown) => ({ status: 'success', data: { resultType: 'matrix', result } });

export const vector = (result: unknown) => ({ status: 'success', data: { resultType: 'vector', result } });

/** What the small cluster measures, in bytes as Prometheus writes them. */
export interface WireValues {
  /** Of pod x; y uses 100. */
  readonly usage?: string;
  readonly request?: string;
  readonly capacity?: string;
  readonly workingSet?: string;
  /** How many more pods there are, which are like y. */
  readonly morePods?: number;
}

/** One node with two pods, or more, whatever label sets `change` makes of their series. */
export function smallCluster(
  change: (metric: Record<string, string>, query: string) => Record<string, string> = (m) => m,
  {
    usage = '300',
    request = '200',
    capacity = '1000000000',
    workingSet = '500',
    morePods = 0,
  }: WireValues = {},
) {
  const names = ['x', 'y', ...Array.from({ length: morePods }, (_, i) => `z-${i}`)];
  const rows = (query: string): [Record<string, string>, string][] => {
    const pod = (name: string, more: Record<string, string> = {}) => ({
      namespace: 'a',
      pod: name,
      uid: `u-${name}`,
      ...more,
    });
    if (query.includes('kube_pod_info') && !/kube_pod_created|exported_pod/.test(query)) {
      return names.map((name) => [pod(name, { node: 'n1' }), '1']);
    }
    if (query.includes('kube_pod_status_phase')) {
      return names.map((name) => [pod(name, { phase: 'Running' }), '1']);
    }
    if (query.includes('pod_memory_working_set_bytes')) {
      return names.map((name) => [{ namespace: 'a', pod: name }, name === 'x' ? usage : '100']);
    }
    if (query.includes('kube_pod_container_resource_requests')) {
      return names.map((name) => [pod(name), request]);
    }
    if (query.includes('capacity')) return [[{ node: 'n1' }, capacity]];
    if (query.includes('node_memory_working_set_bytes')) return [[{ node: 'n1' }, workingSet]];
    return [];
  };
  const listener: RequestListener = (request, response) => {
    let form = '';
    request.on('data', (chunk: Buffer) => {
      form += chunk.toString();
    });
    request.on('end', () => {
      const { query = '', start, end, step } = Object.fromEntries(new URLSearchParams(form));
      const series = rows(query).map(([metric, value]) => ({ metric: change(metric, query), value }));
      const times = timesOf(Number(start), Number(end), Number(step));
      const answer = request.url?.includes('query_range')
        ? matrix(series.map(({ metric, value }) => ({ metric, values: times.map((time) => [time, value]) })))
        : vector(series.map(({ metric, value }) => ({ metric, value: [1_700_000_000, value] })));
      json(answer)(request, response);
    });
  };
  return listener;
}

function timesOf(start: number, end: number, step: number): number[] {
  const times: number[] = [];
  for (let time = start; time <= end; time += step) times.push(time);
  return times;
}
