import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findTool } from '../../src/demo/tool-search.ts';

/** Of a browser that asks nobody but the service under test. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The real Chromium; to be closed in `afterAll`. */
export function startBrowser(): Promise<Browser> {
  const executablePath = findTool('chromium');
  if (executablePath === undefined) throw new Error('there is no Chromium: see src/demo/tools.ts');
  return chromium.launch({ executablePath, args: flags });
}

export interface TestPage {
  readonly page: Page;
  /** What the browser complained about: exceptions, and what the Content-Security-Policy refused. */
  readonly complaints: readonly string[];
}

/** A page of its own that ends with the test. At its end nothing may have gone wrong in it, unless `mayComplain`. */
export async function openPage(
  browser: Browser,
  url: string,
  { mayComplain = false, ...options }: BrowserContextOptions & { readonly mayComplain?: boolean } = {},
): Promise<TestPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  // Shorter than a test may take, so that it is the step that fails, by its name.
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    if (!mayComplain) expect(complaints).toEqual([]);
  });
  await page.goto(url);
  return { page, complaints };
}

/** Presses Tab until the element that has the focus fits, as somebody without a mouse would. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element?.id
        ? document.querySelector(`label[for="${element.id}"]`)?.textContent
        : undefined;
      return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
    });
    seen.push(focused);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
  }
  throw new Error(`the focus never got to ${name}; it was at ${seen.join(', ')}`);
}
