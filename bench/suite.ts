import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { judge } from './budgets.ts';
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

/**
 * Measures and judges: `npm run bench -- [--pods N [--nodes N]] [--refreshes N] [--without-prometheus] [--json FILE]`.
 * Exit code 1 where a budget is not met.
 */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      pods: text,
      nodes: text,
      refreshes: { ...text, default: '10' },
      json: text,
      'without-prometheus': { type: 'boolean', default: false },
    },
  });
  const say = (line: string): void => console.error(line);
  const pods = Number(values.pods);
  const sizes =
    values.pods === undefined
      ? defaultSizes
      : [{ pods, nodes: Number(values.nodes ?? Math.ceil(pods / podsPerNode)) }];

  const machine = describeMachine();
  const window = values['without-prometheus'] ? undefined : await measureWindowCost(windowSize, say);
  const runs: RefreshFigures[] = [];
  for (const size of sizes) {
    say(`${size.pods} pods on ${size.nodes} nodes`);
    runs.push(await measureRefreshes(size, { refreshes: Number(values.refreshes), say }));
  }
  const verdicts = judge({ window, largest: runs.at(-1) });

  console.log(machine);
  if (window !== undefined)
    console.log(`\nA real Prometheus, filled by remote write:\n\n${windowTable(window)}`);
  console.log(
    `\nA local server in the place of Prometheus, in a process of its own, that answers with the same bytes as one with such a cluster, made in advance:\n\n${refreshTable(runs)}`,
  );
  console.log(`\n${verdictTable(verdicts)}`);
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify({ machine, window, runs, verdicts }, null, 2)}\n`);
  }
  if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
