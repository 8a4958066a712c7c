import { once } from 'node:events';
import { Command } from 'commander';
import { systemClock } from '../foundation/clock.ts';
import { describeError } from '../foundation/errors.ts';
import { buildDemoCluster } from './cluster/demo-cluster.ts';
import type { DemoCluster } from './cluster/description.ts';
import { fillWithHistory } from './fill.ts';
import { startLiveWriter } from './live-writer.ts';
import { addClusterSize } from './options.ts';
import { createProgress } from './progress.ts';
import { findLastWrittenMs, findSeedRecord, writeSeedRecord } from './seed-record.ts';

interface SeedOptions {
  readonly url: string;
  readonly nodes: number;
  readonly pods: number;
  readonly follow: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const options = addClusterSize(new Command('seed'))
  .description(
    'Fills a Prometheus that is already running with a week of the demo cluster, unless it has been filled.',
  )
  .requiredOption('--url <URL>', 'base URL of a Prometheus with the remote write receiver')
  .option('--follow', 'then go on writing, so that "now" stays fresh, until a signal', false)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse()
  .opts<SeedOptions>();

try {
  const cluster = await fillOnce(options);
  if (options.follow) await follow(options.url, cluster);
  process.exit(0);
} catch (error) {
  say(`seed: ${describeError(error)}`);
  process.exit(1);
}

async function fillOnce({ url, nodes, pods }: SeedOptions): Promise<DemoCluster> {
  const record = await findSeedRecord(url);
  if (record !== undefined) {
    say(`${url} has been filled at ${new Date(record.nowMs).toISOString()}`);
    return buildDemoCluster(record);
  }
  const cluster = buildDemoCluster({ nowMs: systemClock(), nodes, pods });
  const progress = createProgress(`Writing a week of ${nodes} nodes to ${url}`, process.stderr);
  const { samples, series } = await fillWithHistory(url, cluster, {
    onProgress: (share, written) => progress.advance(share, `${written.samples} samples`),
  });
  progress.finish(`${samples} samples in ${series} series`);
  await writeSeedRecord(url, { nowMs: cluster.nowMs, nodes, pods });
  return cluster;
}

async function follow(url: string, cluster: DemoCluster): Promise<void> {
  const writer = startLiveWriter({
    url,
    cluster,
    writtenToMs: (await findLastWrittenMs(url)) ?? cluster.nowMs,
    clock: systemClock,
    onError: (error) => say(describeError(error)),
  });
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await writer.stop();
}
