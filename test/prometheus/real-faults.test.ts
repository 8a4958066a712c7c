import { expect, onTestFinished, test } from 'vitest';
import { whileSuspended } from '../support/suspended.ts';
import { clientFor, failureOf } from './settings.ts';
import { PROMETHEUS, startBackend } from './start-prometheus.ts';

const ask = () => ({ id: 'q', query: 'vector(1)', timeMs: Date.now() });

test('one client lives through a hanging, a killed and a restarted Prometheus', async () => {
  const backend = await startBackend(PROMETHEUS, '');
  onTestFinished(() => backend.stop());
  const client = clientFor(backend.url, { timeoutMs: 2_000 });
  await client.instant(ask());

  const hung = await whileSuspended(backend.pid(), () => failureOf(client.instant(ask())));
  expect(hung.kind).toBe('timeout');
  await client.instant(ask());

  await backend.kill();
  expect((await failureOf(client.instant(ask()))).kind).toBe('unreachable');
  await backend.restart();
  expect((await client.instant(ask())).rows).toEqual([{ labels: {}, value: 1 }]);
});
