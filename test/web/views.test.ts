import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseNodes } from '../../src/demo/cluster/demo-nodes.ts';
import type { NodeList } from '../../src/outputs/api/node-list.ts';
import type { TestService } from '../support/service.ts';
import { openPage, startBrowser } from './browser.ts';
import { startDemoService } from './demo-page.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let demo: Awaited<ReturnType<typeof startDemoService>>;
let service: TestService;
beforeAll(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemoService()]);
  service = demo.service;
});
afterAll(async () => {
  await browser?.close();
  await demo?.stop();
});

/** Every view, and a text that is there once it has been drawn. */
const views: readonly { readonly name: string; readonly hash: string; readonly text: string }[] = [
  { name: 'the nodes', hash: '#/nodes', text: 'First to go' },
  { name: 'a node', hash: `#/nodes/${caseNodes.seed}`, text: 'In the order in which' },
  {
    name: 'a node with a scenario',
    hash: `#/nodes/${caseNodes.seed}?extra-node-usage=2088Mi&pod=prod/api-7d9f,priority=-1000`,
    text: '3rd evicted',
  },
  {
    name: 'a node without figures',
    hash: `#/nodes/${caseNodes.scrapeHole}`,
    text: 'Nothing can be simulated',
  },
  { name: 'the pods', hash: '#/pods', text: 'node-exporter' },
  { name: 'a pod', hash: '#/pods/ingress/ingress-nginx', text: 'What would change it' },
  { name: 'the workloads', hash: '#/workloads', text: 'Recommended' },
  { name: 'the message box', hash: '#/message', text: 'a line of the kubelet' },
  { name: 'the data', hash: '#/data', text: 'Inputs' },
];

async function open(hash: string, text: string, options: Parameters<typeof openPage>[2] = {}): Promise<Page> {
  const { page } = await openPage(browser, `${service.url}/${hash}`, options);
  await expect.poll(() => page.locator('main').textContent(), { timeout: 20_000 }).toContain(text);
  return page;
}

describe('every view', () => {
  const looks = [
    { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
    { colorScheme: 'dark', viewport: { width: 400, height: 800 } },
  ] as const;
  const cases = views.flatMap((view) =>
    looks.map((look) => ({ ...view, look, scheme: look.colorScheme, width: look.viewport.width })),
  );

  it.each(cases)(
    '$name, $scheme, $width px wide, is accessible and nothing sticks out',
    async ({ hash, text, look }) => {
      const page = await open(hash, text, look);
      await page.evaluate(axeSource);
      const violations = await page.evaluate(async () => {
        const { axe } = window as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } };
        const { violations } = await axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`);
      });
      expect(violations).toEqual([]);
      const overflowPx = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflowPx).toBe(0);
    },
  );
});

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

const firstCells = (page: Page, column: string) =>
  page.locator(`.table__body .cell--${column} a`).allTextContents();

describe('the nodes', () => {
  it('come worst first, and in another order when a heading is pressed', async () => {
    const { nodes } = await service.json<NodeList>('/api/v1/nodes');
    const page = await open('#/nodes', 'First to go', { viewport: { width: 1280, height: 1600 } });
    expect(await firstCells(page, 'node')).toEqual(nodes.map(({ node }) => node));
    await page.getByRole('button', { name: 'Node' }).click();
    const byName = nodes.map(({ node }) => node).sort();
    await expect.poll(() => firstCells(page, 'node')).toEqual(byName);
    expect(new URL(page.url()).hash).toBe('#/nodes?sort=node');
  });

  it('can be searched', async () => {
    const page = await open('#/nodes', 'First to go');
    await page.getByRole('searchbox').fill('10-0-1-8');
    await expect.poll(() => firstCells(page, 'node')).toEqual([caseNodes.seed]);
  });

  it('show how many pods are in each group and class', async () => {
    const { nodes } = await service.json<NodeList>('/api/v1/nodes');
    const sum = (counts: readonly (number | undefined)[]) =>
      counts.reduce<number>((total, count) => total + (count ?? 0), 0);
    const page = await open('#/nodes', 'First to go');
    const tiles = await page.locator('.tile').allTextContents();
    expect(tiles.join()).toContain(`${sum(nodes.map(({ groups }) => groups.exceeds_request))} over request`);
    expect(tiles.join()).toContain(`${sum(nodes.map(({ qosClasses }) => qosClasses.Guaranteed))} Guaranteed`);
  });
});

describe('the pods', () => {
  it('can be filtered by group and searched, and the address says so', async () => {
    const page = await open('#/pods', 'node-exporter');
    await page.getByRole('combobox', { name: 'Group' }).selectOption('exceeds_request');
    await page.getByRole('searchbox').fill('ingress');
    await expect.poll(() => firstCells(page, 'pod')).toEqual(['ingress/ingress-nginx']);
    expect(new URL(page.url()).hash).toBe('#/pods?group=exceeds_request&search=ingress');
  });
});

describe('a pod', () => {
  it('shows its place, its neighbours, its peaks and what would change it', async () => {
    const page = await open('#/pods/ingress/ingress-nginx', 'What would change it');
    const text = await page.locator('main').textContent();
    expect(text).toContain('2 of 6');
    expect(text).toContain('logging/log-shipper goes before ingress/ingress-nginx');
    expect(text).toMatch(/A memory request of \d+Mi would cover what it uses now/);
    expect(text).toContain('memory request 256Mi, but no limit');
    await expect.poll(() => page.locator('.chart__over').count()).toBeGreaterThan(0);
    expect(await page.locator('.chart__words').textContent()).toMatch(
      /(\d) of 3 hours have data, \1 of them above the request of 256Mi/,
    );
  });

  it('lets a change be tried on its node', async () => {
    const page = await open('#/pods/ingress/ingress-nginx', 'What would change it');
    await page
      .getByRole('link', { name: /Try on the node: A memory request of .* cover what it uses now/ })
      .click();
    await page.locator('.changed').first().waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#\/nodes\/ip-10-0-1-8\?pod=ingress\/ingress-nginx,request=/);
  });

  it('that is not there is said to be so', async () => {
    const { page } = await openPage(browser, `${service.url}/#/pods/prod/nobody`, { mayComplain: true });
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('there is no pod prod/nobody');
  });
});

describe('the workloads', () => {
  it('can be downloaded as the CSV of the API', async () => {
    const page = await open('#/workloads', 'Recommended');
    await page.getByRole('combobox', { name: 'Namespace' }).selectOption('ingress');
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Deployment');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV of ingress, Deployment' }).click(),
    ]);
    const { body } = await service.get('/api/v1/workloads?format=csv&namespace=ingress&kind=deployment');
    expect(readFileSync(await download.path(), 'utf8')).toBe(body);
    expect(body).toMatch(/^namespace,.*\ningress,Deployment,/);
  });
});

describe('the message box', () => {
  it('explains what is pasted into it', async () => {
    const page = await open('#/message', 'a line of the kubelet');
    await page
      .getByRole('textbox')
      .fill(
        '"Eviction manager: pods ranked for eviction" pods=["logging/log-shipper","ingress/ingress-nginx"]',
      );
    await page.getByRole('button', { name: 'Explain' }).click();
    await expect.poll(() => page.locator('.meaning').textContent()).toContain('logging/log-shipper first');
    expect(await page.locator('.meaning').textContent()).toContain('agree2 of 2');
  });
});
