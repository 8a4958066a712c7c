import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { problem } from '../../src/model/problem.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { nodeOf, podOf, snapshotOf } from '../snapshot/sample-snapshot.ts';
import { openPage, startBrowser } from './browser.ts';
import { servePage } from './page-server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const markup = '<img src=x onerror="document.title=1">';

/** Labels of Prometheus may hold anything. */
function hostileSnapshot(): Snapshot {
  const pods = [
    podOf({ name: markup, namespace: markup, node: markup, priorityClass: markup }),
    podOf({ name: 'b' }),
  ];
  return {
    ...snapshotOf([nodeOf({ name: markup, pods })]),
    problems: [problem('node_without_usage', { subject: markup, message: markup, remedy: markup })],
  };
}

describe('names that are markup', () => {
  it.each(['#/nodes', `#/nodes/${encodeURIComponent(markup)}`, '#/pods', '#/workloads', '#/data'])(
    'are shown as they are at %s',
    async (hash) => {
      const server = await servePage(hostileSnapshot);
      onTestFinished(() => server.close());
      const { page } = await openPage(browser, `${server.url}/${hash}`);
      await expect.poll(() => page.locator('main').textContent()).toContain(markup);
      expect(await page.locator('img').count()).toBe(0);
    },
  );
});

describe('the page', () => {
  it('allows itself nothing but its own files and the API', async () => {
    const server = await servePage(hostileSnapshot);
    onTestFinished(() => server.close());
    const response = await fetch(server.url);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:/);
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);

    const { page } = await openPage(browser, server.url, { mayComplain: true });
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      try {
        script.textContent = 'window.injected = true';
      } catch {
        // Trusted Types refuse the text already.
      }
      document.head.append(script);
      return 'injected' in window;
    });
    expect(ran).toBe(false);
  });

  it('is small, and its files are kept by the browser', async () => {
    const server = await servePage(hostileSnapshot);
    onTestFinished(() => server.close());
    const { page } = await openPage(browser, 'about:blank');
    const sizes = new Map<string, number>();
    const caching = new Map<string, string | undefined>();
    page.on('response', async (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/api/')) return;
      caching.set(pathname, response.headers()['cache-control']);
      sizes.set(pathname, (await response.request().sizes()).responseBodySize);
    });
    await page.goto(server.url, { waitUntil: 'networkidle' });
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(100_000);
    for (const [path, value] of caching) {
      expect(value, path).toBe(path === '/' ? 'no-cache' : 'public, max-age=31536000, immutable');
    }
  });

  it('says that the service is gone, keeps what it has, and goes on when it is back', async () => {
    let snapshot = snapshotOf([nodeOf({ name: 'before', pods: [podOf({ name: 'a' })] })]);
    let server = await servePage(() => snapshot);
    const { url } = server;
    onTestFinished(() => server.close());
    const { page } = await openPage(browser, `${url}/#/nodes`, { mayComplain: true });
    await page.getByRole('link', { name: 'before' }).first().waitFor();

    await server.close();
    await page.getByRole('alert').getByText('The service does not answer').waitFor();
    expect(await page.getByRole('link', { name: 'before' }).count()).toBeGreaterThan(0);

    // Of a later refresh: what is cached under the time of the earlier one must not be taken for it.
    snapshot = {
      ...snapshotOf([nodeOf({ name: 'after', pods: [podOf({ name: 'a' })] })]),
      evaluatedAtMs: snapshot.evaluatedAtMs + 60_000,
    };
    server = await servePage(() => snapshot, Number(new URL(url).port));
    await page.getByRole('link', { name: 'after' }).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('waits for the first data, and shows them when they come', async () => {
    let snapshot: Snapshot | undefined;
    const server = await servePage(() => snapshot);
    onTestFinished(() => server.close());
    const { page } = await openPage(browser, `${server.url}/#/nodes`, { mayComplain: true });
    await page.getByText('The first refresh is under way').waitFor();
    snapshot = snapshotOf([nodeOf({ name: 'first', pods: [podOf({ name: 'a' })] })]);
    await page.getByRole('link', { name: 'first' }).first().waitFor();
  });
});
