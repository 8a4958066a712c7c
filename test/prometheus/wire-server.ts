import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request as it came over the wire. */
export interface WireRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

export type Answerer = (response: ServerResponse, request: WireRequest, count: number) => void;

export interface WireServer {
  readonly url: string;
  readonly port: number;
  readonly requests: WireRequest[];
  /** Connections that are open now. */
  openConnections(): number;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** A real server on a free loopback port that ends, with every connection, when the test does. */
export async function startWireServer(answer: Answerer, tls?: ServerOptions): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const sockets = new Set<{ destroy(): void; once(event: 'close', listener: () => void): void }>();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    readBody(request).then(
      (body) => {
        const { method, url: path, headers } = request;
        const received = { method, path, headers, form: new URLSearchParams(body) };
        requests.push(received);
        answer(response, received, requests.length);
      },
      () => undefined,
    );
  };
  const server: Server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    openConnections: () => sockets.size,
  };
}

/** Sends `body` as JSON. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A vector answer with one sample `{pod="a"} 1`. */
export const ONE_SAMPLE = {
  status: 'success',
  data: { resultType: 'vector', result: [{ metric: { pod: 'a' }, value: [1_700_000_000, '1'] }] },
};
