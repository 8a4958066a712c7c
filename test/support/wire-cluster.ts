import type { RequestListener } from 'node:http';

/** Answers every request with this. */
export const json =
  (body: unknown): RequestListener =>
  (_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(body));
  };

export const vector = (result: unknown) => ({ status: 'success', data: { resultType: 'vector', result } });

/** What the small cluster measures, in bytes as Prometheus writes them. */
export interface WireValues {
  /** Of pod x; y uses 100. */
  readonly usage?: string;
  readonly request?: string;
  readonly capacity?: string;
  readonly workingSet?: string;
}

/** One node with two pods, whatever label sets `change` makes of their series. */
export function smallCluster(
  change: (metric: Record<string, string>, query: string) => Record<string, string> = (m) => m,
  { usage = '300', request = '200', capacity = '1000000000', workingSet = '500' }: WireValues = {},
) {
  const rows = (query: string): [Record<string, string>, string][] => {
    const pod = (name: string, more: Record<string, string> = {}) => ({
      namespace: 'a',
      pod: name,
      uid: `u-${name}`,
      ...more,
    });
    if (query.includes('kube_pod_info') && !/kube_pod_created|exported_pod/.test(query)) {
      return [
        [pod('x', { node: 'n1' }), '1'],
        [pod('y', { node: 'n1' }), '1'],
      ];
    }
    if (query.includes('kube_pod_status_phase')) {
      return [
        [pod('x', { phase: 'Running' }), '1'],
        [pod('y', { phase: 'Running' }), '1'],
      ];
    }
    if (query.includes('pod_memory_working_set_bytes')) {
      return [
        [{ namespace: 'a', pod: 'x' }, usage],
        [{ namespace: 'a', pod: 'y' }, '100'],
      ];
    }
    if (query.includes('kube_pod_container_resource_requests'))
      return [
        [pod('x'), request],
        [pod('y'), request],
      ];
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
      const query = new URLSearchParams(form).get('query') ?? '';
      const result = rows(query).map(([metric, value]) => ({
        metric: change(metric, query),
        value: [1_700_000_000, value],
      }));
      json(vector(result))(request, response);
    });
  };
  return listener;
}
