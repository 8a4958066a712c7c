import { fileURLToPath } from 'node:url';
import { type ChildServer, startChildServer } from './child-server.ts';
import type { DemoCluster } from './cluster/description.ts';

export interface DemoService extends ChildServer {
  /** Base address without a trailing slash. */
  readonly url: string;
}

/** The option that tells a command the values of the cluster's classes, which no exporter shows. */
export function priorityClassesFlag({ priorityClasses }: Pick<DemoCluster, 'priorityClasses'>): string {
  const classes = Object.entries(priorityClasses).map(([name, value]) => `${name}=${value}`);
  return `--priority-classes=${classes.join(',')}`;
}

/** Starts the built service against a Prometheus and waits for its first snapshot. */
export async function startService(
  prometheusUrl: string,
  cluster: DemoCluster,
  port: number,
  /** The built entry point; differs only where this file itself does not run from the build. */
  program = fileURLToPath(new URL('../main.js', import.meta.url)),
): Promise<DemoService> {
  const url = `http://127.0.0.1:${port}`;
  const server = await startChildServer({
    name: 'evictrank',
    command: process.execPath,
    args: [
      program,
      'serve',
      `--prometheus.url=${prometheusUrl}`,
      `--web.listen-address=127.0.0.1:${port}`,
      priorityClassesFlag(cluster),
      '--refresh.interval=15s',
    ],
    readyUrl: `${url}/-/ready`,
    startTimeoutMs: 180_000,
  });
  return { ...server, url };
}
