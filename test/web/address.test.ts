import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { nodeOf, podOf, snapshotOf } from '../snapshot/sample-snapshot.ts';
import { startBrowser } from './browser.ts';
import { servePage } from './page-server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

it('an address that changes while the page is first drawn is followed', async () => {
  const server = await servePage(() => snapshotOf([nodeOf({ pods: [podOf({ name: 'a' })] })]));
  onTestFinished(() => server.close());
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  // Right after the first drawing and before anything that waits for it: what a person does who clicks at once.
  await page.addInitScript(() => {
    const drawn = new MutationObserver(() => {
      drawn.disconnect();
      history.replaceState(null, '', '#/workloads');
    });
    // The module of the page runs after this and before DOMContentLoaded.
    document.addEventListener('readystatechange', () => {
      const root = document.getElementById('page');
      if (root !== null && document.readyState === 'interactive') drawn.observe(root, { childList: true });
    });
  });
  await page.goto(`${server.url}/#/nodes`);
  await page.getByRole('heading', { level: 1, name: 'Workloads' }).waitFor({ timeout: 5_000 });
  expect(page.url()).toContain('#/workloads');
});
