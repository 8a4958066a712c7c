import type { DemoCluster } from '../../src/demo/cluster/description.ts';
import { runProgram } from '../../src/outputs/cli/program.ts';
import type { reviewDocument } from '../../src/outputs/review/review-rows.ts';

export type ReviewJson = ReturnType<typeof reviewDocument>;

/** What a command prints of a cluster in a Prometheus, at the cluster's own time. */
export function reviewOutput(
  cluster: DemoCluster,
  url: string,
  flags: readonly string[],
  command: 'review' | 'snapshot' = 'review',
): Promise<string> {
  const classes = Object.entries(cluster.priorityClasses).map(([name, value]) => `${name}=${value}`);
  return commandOutput(cluster.nowMs, [
    command,
    ...(command === 'snapshot' ? ['-'] : []),
    `--prometheus.url=${url}`,
    `--priority-classes=${classes.join(',')}`,
    ...flags,
  ]);
}

/** What a command prints; rejects with its notes where it fails. */
export async function commandOutput(nowMs: number, args: readonly string[]): Promise<string> {
  let output = '';
  let notes = '';
  const exitCode = await runProgram(['node', 'evictrank', ...args], {
    version: 'test',
    serve: () => Promise.reject(new Error('nothing is served')),
    clock: () => nowMs,
    terminal: {
      write: (text) => {
        output += text;
      },
      note: (text) => {
        notes += text;
      },
      isOutputTerminal: false,
      isErrorTerminal: false,
      columns: undefined,
      environment: {},
    },
  });
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${notes}`);
  return output;
}

export async function runReview(cluster: DemoCluster, url: string): Promise<ReviewJson> {
  return JSON.parse(await reviewOutput(cluster, url, ['--output=json'])) as ReviewJson;
}
