import { obtainPrometheus } from '../../src/demo/prometheus-binary.ts';
import {
  type PrometheusServer,
  type PrometheusServerOptions,
  startPrometheus,
} from '../../src/demo/prometheus-server.ts';
import { remoteWrite, type WrittenSeries } from '../../src/demo/remote-write.ts';

/** One row of an instant query's answer, as plain as a test wants it. */
export interface QueriedSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface TestPrometheus extends PrometheusServer {
  /** Asks without the project's own client, so that a test of that client has something to compare with. */
  query(expression: string, timeMs: number): Promise<readonly QueriedSample[]>;
}

/** A real Prometheus that holds exactly the given series. Stop it in `afterAll`. */
export async function startPrometheusWith(
  series: Iterable<WrittenSeries>,
  options: PrometheusServerOptions = {},
): Promise<TestPrometheus> {
  const server = await startPrometheus(obtainPrometheus(), options);
  try {
    await remoteWrite(series, { url: server.url });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, query: (expression, timeMs) => queryInstant(server.url, expression, timeMs) };
}

/** Instant query over plain HTTP; rejects where the answer is not a vector. */
export async function queryInstant(
  url: string,
  expression: string,
  timeMs: number,
): Promise<readonly QueriedSample[]> {
  const response = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query: expression, time: String(timeMs / 1000) }),
  });
  const answer = (await response.json()) as {
    status: string;
    error?: string;
    data: { result: { metric: Record<string, string>; value: [number, string] }[] };
  };
  if (answer.status !== 'success') {
    throw new Error(`${expression}: ${answer.error ?? response.status}`);
  }
  return answer.data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
}
