import { EvictrankError } from '../foundation/errors.ts';
import { remoteWrite } from './remote-write.ts';

/** What a store was filled with: the same numbers give the same cluster again. */
export interface SeedRecord {
  readonly nowMs: number;
  readonly nodes: number;
  readonly pods: number;
}

/** Prometheus did not say what it holds. */
export class SeedRecordError extends EvictrankError {
  override readonly name = 'SeedRecordError';
}

const metric = 'evictrank_demo_seeded_timestamp_seconds';
/** As long as the store keeps samples. */
const lookback = '60d';

/** Notes in the store itself that it has been filled, so that the note is lost only together with the samples. */
export async function writeSeedRecord(url: string, { nowMs, nodes, pods }: SeedRecord): Promise<void> {
  const labels = { __name__: metric, nodes: String(nodes), pods: String(pods) };
  await remoteWrite([{ labels, timesMs: [nowMs], values: [nowMs / 1000] }], { url });
}

/** undefined where the store has not been filled to the end. */
export async function findSeedRecord(url: string): Promise<SeedRecord | undefined> {
  const [newest] = await query(url, `topk(1, last_over_time(${metric}[${lookback}]))`);
  if (newest === undefined) return undefined;
  return {
    nowMs: newest.value * 1000,
    nodes: Number(newest.labels.nodes),
    pods: Number(newest.labels.pods),
  };
}

/** The last time, up to five minutes too early, that the cluster was seen at within a week; undefined = not within one. */
export async function findLastWrittenMs(url: string): Promise<number | undefined> {
  const [newest] = await query(url, 'max(max_over_time(timestamp(kube_node_info)[7d:5m]))');
  return newest === undefined ? undefined : newest.value * 1000;
}

async function query(
  url: string,
  expression: string,
): Promise<{ labels: Readonly<Record<string, string>>; value: number }[]> {
  const response = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query: expression }),
  }).catch((cause: unknown) => {
    throw new SeedRecordError(`Prometheus at ${url} cannot be reached`, { cause });
  });
  if (!response.ok) throw new SeedRecordError(`Prometheus at ${url} answered ${response.status}`);
  const { data } = (await response.json()) as {
    data: { result: { metric: Record<string, string>; value: [number, string] }[] };
  };
  return data.result.map(({ metric: labels, value }) => ({ labels, value: Number(value[1]) }));
}
