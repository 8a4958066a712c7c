import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface WireBackend {
  readonly url: string;
  /** What it answers from now on. */
  become(listener: RequestListener): void;
}

/** A backend whose every byte the test decides; it ends with the test. */
export async function startWireBackend(listener: RequestListener): Promise<WireBackend> {
  let current = listener;
  const server = createServer((request, response) => current(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    become(next) {
      current = next;
    },
  };
}
