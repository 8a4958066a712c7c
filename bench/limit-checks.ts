import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { requestLimits } from '../src/outputs/api/limits.ts';

export interface LimitCheck {
  readonly name: string;
  readonly expected: string;
  readonly seen: string;
}

/** Goes beyond each limit of the running service, and says what it did. */
export async function checkLimits(url: string, maxConnections: number): Promise<LimitCheck[]> {
  const statusOf = async (path: string, init: RequestInit = {}): Promise<string> =>
    String((await fetch(`${url}${path}`, init)).status);
  return [
    {
      name: 'an address that is too long',
      expected: '414',
      seen: await statusOf(`/api/v1/nodes?cluster=${'x'.repeat(requestLimits.urlCharacters)}`),
    },
    {
      name: 'headers that are too long',
      expected: '431',
      seen: await statusOf('/-/healthy', { headers: { long: 'x'.repeat(requestLimits.headerBytes) } }),
    },
    {
      name: 'a body that is too large',
      expected: '413',
      seen: await statusOf('/api/v1/eviction-messages', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ message: 'x'.repeat(2 ** 20) }),
      }),
    },
    {
      name: `connections, of ${maxConnections + 100}`,
      expected: `at most ${maxConnections} kept`,
      seen: await keptConnections(url, maxConnections),
    },
    { name: 'the service afterwards', expected: '200', seen: await statusOf('/-/healthy') },
  ];
}

async function keptConnections(url: string, maxConnections: number): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: maxConnections + 100 }, () =>
    connect(Number(port), hostname).on('error', () => undefined),
  );
  await delay(1_000);
  const kept = sockets.filter(({ closed }) => !closed).length;
  for (const socket of sockets) socket.destroy();
  await delay(500);
  return kept <= maxConnections && kept > 0 ? `at most ${maxConnections} kept` : `${kept} kept`;
}
