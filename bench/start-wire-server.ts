import { fileURLToPath } from 'node:url';
import { type ChildServer, startChildServer } from '../src/demo/child-server.ts';
import { findFreePort } from '../src/demo/loopback.ts';

export interface ClusterSize {
  readonly pods: number;
  readonly nodes: number;
}

/** The stand-in for Prometheus, in a process of its own. */
export async function startWireServer(size: ClusterSize): Promise<ChildServer & { readonly url: string }> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startChildServer({
    name: 'the stand-in for Prometheus',
    command: process.execPath,
    args: [
      fileURLToPath(new URL('run.mjs', import.meta.url)),
      'wire-server.ts',
      ...[`--port=${port}`, `--pods=${size.pods}`, `--nodes=${size.nodes}`],
    ],
    readyUrl: url,
    startTimeoutMs: 180_000,
  });
  return { ...server, url };
}
