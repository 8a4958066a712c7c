import { fileURLToPath } from 'node:url';
import { systemClock } from '../foundation/clock.ts';
import { describeError } from '../foundation/errors.ts';
import { type ChildServer, ChildServerError } from './child-server.ts';
import { buildDemoCluster } from './cluster/demo-cluster.ts';
import { caseNodes } from './cluster/demo-nodes.ts';
import { runsAt } from './cluster/pod.ts';
import { fillWithHistory } from './fill.ts';
import { ladderTable, type PrintedLadder } from './ladder-table.ts';
import { startLiveWriter } from './live-writer.ts';
import { findFreePort, isPortFree } from './loopback.ts';
import type { DemoOptions } from './options.ts';
import { createProgress } from './progress.ts';
import { obtainPrometheus } from './prometheus-binary.ts';
import { startPrometheus } from './prometheus-server.ts';
import { priorityClassesFlag, startService } from './service.ts';

/** The committed rules, so that the page /alerts of the demo's Prometheus shows them at work. */
const ruleFiles = ['evictrank.rules.yaml', 'recording.rules.yaml'];

/** What a demo has started, newest last; stopped in the opposite order. */
export class Started {
  private readonly stops: (() => Promise<void>)[] = [];

  add(stop: () => Promise<void>): void {
    this.stops.push(stop);
  }

  /** One that cannot be stopped does not keep the others from it. */
  async stopAll(): Promise<void> {
    for (const stop of this.stops.splice(0).reverse()) {
      await stop().catch((error) => process.stderr.write(`${describeError(error)}\n`));
    }
  }
}

/**
 * Runs the demo and prints the ladder and the addresses; then, unless told to exit, goes on until a server ends,
 * which rejects. Everything started is added to `started`; the caller stops it.
 */
export async function runDemo(options: DemoOptions, started: Started): Promise<void> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  for (const port of [options.port, options.prometheusPort]) {
    if (port !== undefined && !(await isPortFree(port))) {
      throw new ChildServerError(`port ${port} is taken`, {
        remedy: 'choose another, or none: then any free one',
      });
    }
  }
  const program = obtainPrometheus(say);
  const cluster = buildDemoCluster({ nowMs: systemClock(), nodes: options.nodes, pods: options.pods });
  const servicePort = options.port ?? (await findFreePort());
  const prometheus = await startPrometheus(program, {
    ...(options.prometheusPort === undefined ? {} : { port: options.prometheusPort }),
    scrapeTargets: { evictrank: `127.0.0.1:${servicePort}` },
    ruleFiles: ruleFiles.map((file) => fileURLToPath(new URL(`../../alerts/${file}`, import.meta.url))),
  });
  started.add(prometheus.stop);
  say(`Prometheus (${program.description}) runs at ${prometheus.url}`);

  const progress = createProgress(
    `Writing a week of ${cluster.nodes.length} nodes and ${cluster.pods.filter((pod) => runsAt(pod, cluster.nowMs)).length} pods`,
    process.stderr,
  );
  const written = await fillWithHistory(prometheus.url, cluster, {
    onProgress: (share, { samples }) => progress.advance(share, `${millions(samples)} samples`),
  });
  progress.finish(`${millions(written.samples)} samples in ${written.series} series`);

  const writer = startLiveWriter({
    url: prometheus.url,
    cluster,
    writtenToMs: cluster.nowMs,
    clock: systemClock,
    onError: (error) => say(describeError(error)),
  });
  started.add(writer.stop);
  say('Starting the service and waiting for its first snapshot');
  const service = await startService(prometheus.url, cluster, servicePort);
  started.add(service.stop);

  const response = await fetch(`${service.url}/api/v1/nodes/${caseNodes.seed}`);
  if (!response.ok) {
    throw new ChildServerError(`the service answered ${response.status} for the ladder of ${caseNodes.seed}`);
  }
  process.stdout.write(`\n${ladderTable((await response.json()) as PrintedLadder)}\n\n`);
  // With --exit they would be dead by the time somebody reads them.
  if (options.exit) return;
  process.stdout.write(
    [
      `page        ${service.url}/`,
      `metrics     ${service.url}/metrics`,
      `ladder      ${service.url}/api/v1/nodes/${caseNodes.seed}`,
      `Prometheus  ${prometheus.url}/`,
      `alerts      ${prometheus.url}/alerts`,
      '',
      'The same on the command line:',
      `node dist/main.js rank --node ${caseNodes.seed} --prometheus.url=${prometheus.url} ${priorityClassesFlag(cluster)}`,
      '',
    ].join('\n'),
  );
  say('\nCtrl-C stops everything.');
  await Promise.race([endOf('Prometheus', prometheus), endOf('the service', service)]);
}

async function endOf(name: string, server: ChildServer): Promise<never> {
  await server.gone;
  throw new ChildServerError(`${name} ended by itself: ${server.output().trim().split('\n').at(-1)}`);
}

function millions(samples: number): string {
  return `${(samples / 1_000_000).toFixed(1)} million`;
}
