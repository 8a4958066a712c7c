import { writeFile } from 'node:fs/promises';
import { judge } from './budgets.ts';
import { readSuiteOptions } from './options.ts';
import { measureRefreshes, type RefreshFigures } from './refresh-run.ts';
import { describeMachine, refreshTable, verdictTable, windowTable } from './report.ts';
import type { ClusterSize } from './start-wire-server.ts';
import { measureWindowCost } from './window-cost.ts';

const podsPerNode = 30;
/** The second is the most that Kubernetes is made for (https://kubernetes.io/docs/setup/best-practices/cluster-large/). */
const defaultSizes: readonly ClusterSize[] = [
  { pods: 10_000, nodes: 334 },
  { pods: 150_000, nodes: 5_000 },
];
const windowSize: ClusterSize = { pods: 1_000, nodes: 34 };

/** Measures and judges; see `readSuiteOptions`. */
export async function run(args: string[]): Promise<void> {
  const { pods, nodes, refreshes, json, withoutPrometheus } = readSuiteOptions(args);
  const say = (line: string): void => console.error(line);
  const sizes = pods === undefined ? defaultSizes : [{ pods, nodes: nodes ?? Math.ceil(pods / podsPerNode) }];

  const machine = describeMachine();
  const window = withoutPrometheus ? undefined : await measureWindowCost(windowSize, say);
  const runs: RefreshFigures[] = [];
  for (const size of sizes) {
    say(`${size.pods} pods on ${size.nodes} nodes`);
    runs.push(await measureRefreshes(size, { refreshes, say }));
  }
  const verdicts = judge({ window, largest: runs.at(-1) });

  console.log(machine);
  if (window !== undefined)
    console.log(`\nA real Prometheus, filled by remote write:\n\n${windowTable(window)}`);
  console.log(
    `\nA local server in the place of Prometheus, in a process of its own, that answers with the same bytes as one with such a cluster, made in advance:\n\n${refreshTable(runs)}`,
  );
  console.log(`\n${verdictTable(verdicts)}`);
  if (json !== undefined) {
    await writeFile(json, `${JSON.stringify({ machine, window, runs, verdicts }, null, 2)}\n`);
  }
  if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
