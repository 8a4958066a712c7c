import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WebServer } from '../../src/outputs/api/listen.ts';
import { nodeOf, podOf, snapshotOf } from '../snapshot/sample-snapshot.ts';
import { openPage, startBrowser } from './browser.ts';
import { servePage } from './page-server.ts';

/** Kubernetes' documented maximum. */
const nodeCount = 5_000;
const podsPerNode = 30;
const lastNode = `node-${nodeCount - 1}`;
/** More than a screen of rows with some to spare; far from all of them. */
const mostRows = 120;

/** The pods are made up, but ranked and served by the real code. */
function largeSnapshot() {
  const mebibyte = 2 ** 20;
  return snapshotOf(
    Array.from({ length: nodeCount }, (_, n) => {
      const node = `node-${String(n).padStart(4, '0')}`;
      return nodeOf({
        name: node,
        capacityBytes: 32 * 1024 * mebibyte,
        workingSetBytes: (8 * 1024 + n) * mebibyte,
        pods: Array.from({ length: podsPerNode }, (_, p) =>
          podOf({
            name: `pod-${n}-${p}`,
            node,
            usageBytes: (100 + p) * mebibyte,
            requestBytes: (110 + (p % 7)) * mebibyte,
            priority: p % 3,
          }),
        ),
      });
    }),
  );
}

let browser: Browser;
let server: WebServer;
beforeAll(async () => {
  const snapshot = largeSnapshot();
  [browser, server] = await Promise.all([startBrowser(), servePage(() => snapshot)]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe('with 5,000 nodes and 150,000 pods', () => {
  it('the list of pods holds only the rows in view, and goes to its end at once', async () => {
    const { page } = await openPage(browser, `${server.url}/#/pods`);
    const rows = page.locator('.table__body .table__row');
    await page.getByText('150,000 pods').waitFor();
    // The node with the least headroom comes first: the last by name.
    await page.getByText(`pod-${nodeCount - 1}-29`).waitFor();
    expect(await rows.count()).toBeLessThan(mostRows);

    const answers: string[] = [];
    page.on('response', (response) => answers.push(response.url()));
    await page.keyboard.press('End');
    await page.getByText('pod-0-0', { exact: true }).waitFor();
    expect(await rows.last().getAttribute('aria-rowindex')).toBe('150001');
    expect(await rows.count()).toBeLessThan(mostRows);
    expect(answers.filter((url) => url.includes('/api/v1/pods?')).length).toBeLessThan(5);

    await page.mouse.wheel(0, -44 * 60_000);
    await expect.poll(() => page.locator('.table__row--waiting').count()).toBe(0);
    expect(await rows.count()).toBeGreaterThan(10);
  });

  it('a pod is found by a part of its name', async () => {
    const { page } = await openPage(browser, `${server.url}/#/pods?search=pod-4321-7`);
    await page.getByText('1 pod', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'default/pod-4321-7' }).click();
    await page.getByRole('heading', { name: 'pod-4321-7' }).waitFor();
  });

  it('the list of nodes holds only the rows in view, least headroom first, and can be sorted and searched', async () => {
    const { page } = await openPage(browser, `${server.url}/#/nodes`);
    const rows = page.locator('.table__body .table__row');
    await page.getByText('5,000 nodes').waitFor();
    expect(await rows.first().textContent()).toContain(lastNode);
    expect(await rows.count()).toBeLessThan(mostRows);
    await page.getByRole('button', { name: 'Node' }).click();
    await expect.poll(() => rows.first().textContent()).toContain('node-0000');
    await page.getByRole('searchbox').fill('node-42');
    await page.getByText('100 of 5,000 nodes').waitFor();
  });
});
