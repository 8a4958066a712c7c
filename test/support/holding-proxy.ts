import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One question on its way to Prometheus. */
export interface PassingQuery {
  readonly path: string;
  readonly query: string;
}

export interface HoldingProxy {
  readonly url: string;
  /** Every question since the start, or since `forget`. */
  readonly queries: readonly PassingQuery[];
  forget(): void;
  /** From now on leaves the questions that fit without an answer; resolves at the first of them. */
  hold(fits: (query: PassingQuery) => boolean): Promise<PassingQuery>;
  /** Ends the connections of what is held, and holds no more. */
  release(): void;
  stop(): Promise<void>;
}

/** Stands before a real Prometheus, so that a test can stop the world at one certain question. */
export async function startHoldingProxy(targetUrl: string): Promise<HoldingProxy> {
  const queries: PassingQuery[] = [];
  const held: ServerResponse[] = [];
  let isHeld: (query: PassingQuery) => boolean = () => false;
  let onHeld: (query: PassingQuery) => void = () => undefined;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const passing = { path: incoming.url ?? '', query: new URLSearchParams(body).get('query') ?? '' };
    queries.push(passing);
    if (isHeld(passing)) {
      held.push(outgoing);
      onHeld(passing);
      return;
    }
    const { method, headers } = incoming;
    const onward = forward(`${targetUrl}${passing.path}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const release = (): void => {
    isHeld = () => false;
    for (const response of held.splice(0)) response.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queries,
    forget: () => void queries.splice(0),
    hold(fits) {
      isHeld = fits;
      return new Promise((resolve) => {
        onHeld = resolve;
      });
    },
    release,
    stop() {
      release();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
