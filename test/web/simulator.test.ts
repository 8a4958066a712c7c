import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseNodes } from '../../src/demo/cluster/demo-nodes.ts';
import type { Ladder } from '../../src/outputs/api/ladder.ts';
import type { NodeList } from '../../src/outputs/api/node-list.ts';
import type { Simulation } from '../../src/scenario/simulate.ts';
import type { TestService } from '../support/service.ts';
import { openPage, startBrowser, tabTo } from './browser.ts';
import { startDemoService } from './demo-page.ts';
import { readEvictions, readLadder } from './ladder-reading.ts';

interface SeedScenario {
  readonly daemonsMi: number;
  readonly priorityOverrides: Readonly<Record<string, number>>;
  readonly order: readonly string[];
  readonly evicted: readonly unknown[];
}

const { scenarios } = JSON.parse(readFileSync('test/oracle/seed-node.json', 'utf8')) as {
  readonly scenarios: readonly SeedScenario[];
};
/** What the daemons of the demo's seed node use; the scenarios name the sum. */
const measuredDaemonsMi = 512;
const seedHash = `#/nodes/${caseNodes.seed}`;

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

const open = async (hash: string) => (await openPage(browser, `${service.url}/${hash}`)).page;

const slider = (page: Page) => page.getByRole('slider', { name: 'Additional memory use of system daemons' });

async function setPriorities(page: Page, priorities: Readonly<Record<string, number>>): Promise<void> {
  for (const [pod, priority] of Object.entries(priorities)) {
    await page.getByRole('button', { name: new RegExp(`Change .*/${pod}$`) }).click();
    await page.getByRole('textbox', { name: 'Priority' }).fill(String(priority));
  }
}

describe('the simulator on the seed node', () => {
  it.each(scenarios)(
    'evicts what the oracle does at $daemonsMi MiB of daemons with $priorityOverrides',
    async (scenario) => {
      const page = await open(seedHash);
      const extraMi = scenario.daemonsMi - measuredDaemonsMi;
      // The slider moves in steps of 8 MiB; the field beside it takes any amount.
      if (extraMi % 8 === 0) await slider(page).fill(String(extraMi));
      else await page.getByRole('textbox', { name: 'Additional memory' }).fill(`${extraMi}Mi`);
      await setPriorities(page, scenario.priorityOverrides);

      await expect.poll(() => readEvictions(page)).toEqual(scenario.evicted);
      const ladder = await readLadder(page);
      expect(ladder.map(({ pod }) => pod)).toEqual(scenario.order);
      expect(ladder.map(({ isCrossedOut }) => isCrossedOut)).toEqual(
        ladder.map(({ evicted }) => evicted !== undefined),
      );
      if (extraMi > 0) {
        expect(await page.locator('.simulator__total').textContent()).toBe(
          `Outside pods: ${measuredDaemonsMi}Mi measured + ${extraMi}Mi = ${scenario.daemonsMi}Mi`,
        );
      }
    },
  );

  it('answers as the API does', async () => {
    const page = await open(
      `${seedHash}?extra-node-usage=2088Mi&threshold=5%25&minimum-reclaim=1Gi&pod=data/redis-cache,request=1Gi`,
    );
    const response = await fetch(`${service.url}/api/v1/simulations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        node: caseNodes.seed,
        extraNodeUsageBytes: '2088Mi',
        threshold: '5%',
        minimumReclaim: '1Gi',
        pods: [{ namespace: 'data', pod: 'redis-cache', requestBytes: '1Gi' }],
      }),
    });
    const simulation = (await response.json()) as Simulation;
    expect(simulation.evictions.length).toBeGreaterThan(1);
    await expect
      .poll(() => readEvictions(page))
      .toEqual(
        simulation.evictions.map(({ pod, availableBeforeBytes, availableAfterBytes }) => ({
          pod,
          availableBeforeMi: availableBeforeBytes / 2 ** 20,
          availableAfterMi: availableAfterBytes / 2 ** 20,
        })),
      );
    expect((await readLadder(page)).map(({ pod }) => pod)).toEqual(
      [...simulation.evictions, ...simulation.survivors].map(({ pod }) => pod),
    );
  });

  it('says in words what happens and which comparator decides', async () => {
    const page = await open(seedHash);
    const story = page.getByTestId('story');
    await expect
      .poll(() => story.textContent())
      .toContain('nothing is evicted. First to go would be logging/log-shipper');
    await slider(page).fill('888');
    await expect
      .poll(() => story.textContent())
      .toContain(
        '34Mi of memory are available, below the threshold of 100Mi: the kubelet evicts 1 pod, logging/log-shipper. Then 334Mi are available and it stops.',
      );
    expect(await story.textContent()).toContain('both use more than they request, so the priority decides');
  });

  it('moves from eviction to eviction with its buttons', async () => {
    const page = await open(seedHash);
    const counts: number[] = [];
    for (let presses = 0; presses < 3; presses++) {
      await page.getByRole('button', { name: 'One eviction more' }).click();
      counts.push((await readEvictions(page)).length);
    }
    await page.getByRole('button', { name: 'One eviction fewer' }).click();
    counts.push((await readEvictions(page)).length);
    expect(counts).toEqual([1, 2, 3, 2]);
  });

  it('lets a single pod use more', async () => {
    const page = await open(seedHash);
    await page.getByRole('combobox', { name: 'More is used by' }).selectOption('prod/api-7d9f');
    await page.getByRole('slider', { name: 'Additional memory use of prod/api-7d9f' }).fill('1000');
    await expect
      .poll(() => readEvictions(page))
      .toEqual([{ pod: 'api-7d9f', availableBeforeMi: -78, availableAfterMi: 1822 }]);
  });

  it('can be shared by its address, and reset', async () => {
    const first = await open(seedHash);
    await slider(first).fill('2088');
    await setPriorities(first, { 'api-7d9f': -1000 });
    const evictions = await readEvictions(first);
    expect(evictions.map(({ pod }) => pod)).toEqual(['log-shipper', 'ingress-nginx', 'api-7d9f']);
    expect(first.url()).toContain('?extra-node-usage=2088Mi&pod=prod/api-7d9f,priority=-1000');

    const second = await open(new URL(first.url()).hash);
    await expect.poll(() => readEvictions(second)).toEqual(evictions);
    await second.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => readEvictions(second)).toEqual([]);
    expect(new URL(second.url()).hash).toBe(seedHash);
  });

  it('says which parts of an address it cannot read, and keeps the rest', async () => {
    const page = await open(
      `${seedHash}?extra-node-usage=888Mi&threshold=never&pod=prod/api-7d9f&pod=prod/gone,priority=1`,
    );
    await expect
      .poll(() => page.locator('.notice').allTextContents())
      .toEqual([
        expect.stringMatching(/cannot be read.*threshold.*pod/),
        expect.stringContaining('prod/gone is not on this node any more'),
      ]);
    expect((await readEvictions(page)).map(({ pod }) => pod)).toEqual(['log-shipper']);
  });

  it('says why a text in a field makes no sense, and goes on with what was there', async () => {
    const page = await open(`${seedHash}?extra-node-usage=888Mi`);
    const field = page.getByRole('textbox', { name: 'Additional memory' });
    await field.fill('1Gx');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.field__problem').textContent()).toContain('write it like 512Mi');
    expect((await readEvictions(page)).map(({ pod }) => pod)).toEqual(['log-shipper']);
  });

  it('works with the keyboard alone', async () => {
    const page = await open('#/nodes');
    await page.getByRole('link', { name: caseNodes.seed }).waitFor();
    await tabTo(page, caseNodes.seed);
    await page.keyboard.press('Enter');
    await slider(page).waitFor();
    await tabTo(page, 'Additional memory use of system daemons');
    for (let step = 0; step < (1400 - measuredDaemonsMi) / 8; step++) await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => readEvictions(page))
      .toEqual([{ pod: 'log-shipper', availableBeforeMi: 34, availableAfterMi: 334 }]);
    await tabTo(page, 'Change logging/log-shipper');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Priority');
    await page.keyboard.type('2000');
    await expect
      .poll(async () => (await readEvictions(page)).map(({ pod }) => pod))
      .toEqual(['ingress-nginx']);
  });
});

/** Pods that are never evicted have no order among themselves. */
function inOrder(pods: readonly { readonly pod: string; readonly rank: number | null | undefined }[]) {
  const ranked = pods.filter(({ rank }) => rank != null).map(({ pod, rank }) => `${rank} ${pod}`);
  const others = pods.filter(({ rank }) => rank == null).map(({ pod }) => pod);
  return [...ranked, ...others.sort()];
}

describe('the ladder of every node', () => {
  it.each(['now', 'peak'])('has the order of the API, basis %s', async (basis) => {
    const { nodes } = await service.json<NodeList>('/api/v1/nodes');
    expect(nodes.length).toBeGreaterThan(10);
    const page = await open('#/nodes');
    for (const { node } of nodes) {
      const { pods } = await service.json<Ladder>(`/api/v1/nodes/${node}?basis=${basis}`);
      await page.goto(`${service.url}/#/nodes/${node}?basis=${basis}`);
      await page.getByRole('heading', { level: 1, name: node }).waitFor();
      // On a node under pressure the simulator shows the evictions that are due; the order is the same.
      await expect.poll(async () => inOrder(await readLadder(page))).toEqual(inOrder(pods));
    }
  });
});
