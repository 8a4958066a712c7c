import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { silentLogger } from '../../src/foundation/logger.ts';
import type { startRefreshThread as StartRefreshThread } from '../../src/refresh-thread.ts';
import type { RefreshState } from '../../src/snapshot/refresh-loop.ts';

/** The built one: a thread needs a file that Node can run. */
const built: { startRefreshThread: typeof StartRefreshThread } = await import(
  new URL('../../dist/refresh-thread.js', import.meta.url).href
);

it('tells that the refreshing thread died, and starts another one', async () => {
  const config = loadConfig({ flags: { 'prometheus.url': 'http://127.0.0.1:1' }, environment: {} });
  // What no setting can say: the client in the thread throws as it starts.
  const impossible = { ...config, prometheusUrl: 'ftp://127.0.0.1' };
  const states: RefreshState[] = [];
  let seen = (): void => undefined;
  const thread = built.startRefreshThread({
    config: impossible,
    clock: Date.now,
    logger: silentLogger,
    onRefresh(state) {
      states.push(state);
      seen();
    },
  });
  await new Promise<void>((resolve) => {
    seen = () => {
      if (states.length === 2) resolve();
    };
  });
  await thread.stop();
  for (const state of states) {
    expect(state).toMatchObject({ lastOutcome: 'failed', snapshot: undefined });
    expect(state.lastError).toMatch(/^the refreshing thread ended: .*url/i);
  }
});
