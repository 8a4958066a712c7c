import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildServer, startChildServer } from '../../src/demo/child-server.ts';
import { findFreePort } from '../../src/demo/loopback.ts';
import type { WrittenSeries } from '../../src/demo/remote-write.ts';
import { startPrometheusWith } from './prometheus.ts';

/** Names a Thanos; no package brings one, so most machines have none. */
const program = process.env.THANOS_BIN ?? '';
export const hasThanos = program !== '';

const replicaLabel = 'prometheus_replica';

export interface ThanosComponent extends ChildServer {
  readonly url: string;
  /** Of its store API. */
  readonly grpcAddress: string;
}

export interface ThanosPair {
  readonly url: string;
  readonly sidecars: readonly ThanosComponent[];
  stop(): Promise<void>;
}

/**
 * A real Thanos Query over a pair of Prometheus that both hold exactly the given series, each with a sidecar: what is
 * asked goes through the store API and the deduplication.
 */
export async function startThanosWith(series: Iterable<WrittenSeries>): Promise<ThanosPair> {
  const all = [...series];
  const started: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const server of started.splice(0).toReversed()) await server.stop();
  };
  try {
    const sidecars: ThanosComponent[] = [];
    for (const replica of ['a', 'b']) {
      const prometheus = await startPrometheusWith(all, { externalLabels: { [replicaLabel]: replica } });
      started.push(prometheus);
      const sidecar = await startThanos('sidecar', [`--prometheus.url=${prometheus.url}`]);
      started.push(sidecar);
      sidecars.push(sidecar);
    }
    const query = await startThanos('query', [
      ...sidecars.map(({ grpcAddress }) => `--endpoint=${grpcAddress}`),
      `--query.replica-label=${replicaLabel}`,
    ]);
    started.push(query);
    await untilConnected(query.url, sidecars.length);
    return { url: query.url, sidecars, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One component on free loopback ports; ready, which for Query does not mean that it has found its stores. */
export async function startThanos(
  name: 'query' | 'sidecar',
  flags: readonly string[] = [],
): Promise<ThanosComponent> {
  const folder = await mkdtemp(join(tmpdir(), `evictrank-thanos-${name}-`));
  const httpAddress = `127.0.0.1:${await findFreePort()}`;
  const grpcAddress = `127.0.0.1:${await findFreePort()}`;
  const url = `http://${httpAddress}`;
  const server = await startChildServer({
    name: `Thanos ${name}`,
    command: program,
    args: [
      name,
      `--http-address=${httpAddress}`,
      `--grpc-address=${grpcAddress}`,
      '--http-grace-period=1s',
      '--grpc-grace-period=1s',
      ...flags,
    ],
    readyUrl: `${url}/-/ready`,
    folder,
  });
  return { ...server, url, grpcAddress };
}

/** Query is ready before it knows its stores. */
async function untilConnected(url: string, stores: number): Promise<void> {
  for (const giveUpAt = performance.now() + 30_000; performance.now() < giveUpAt; ) {
    const { data } = (await (await fetch(`${url}/api/v1/stores`)).json()) as {
      data: { sidecar?: { lastError: unknown }[] };
    };
    if ((data.sidecar ?? []).filter(({ lastError }) => lastError === null).length === stores) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Thanos Query did not find its sidecars within 30 s');
}
