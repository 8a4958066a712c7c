// Draws every dashboard of dashboards/ with Grafana's published components in headless Chromium, one PNG each.
// Usage: npm run render:dashboards -- [output folder]. Reads the Prometheus at DASHBOARDS_PROMETHEUS_URL, or the small
// cluster of the tests where none is given. The components are large and therefore installed apart:
// npm ci --prefix test/dashboards/render
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build, preview, runnerImport } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const harness = join(root, 'test/dashboards/render');
const output = resolve(process.argv[2] ?? join(root, 'docs/images/dashboards'));
if (!existsSync(join(harness, 'node_modules'))) {
  console.error('Grafana’s components are not installed: npm ci --prefix test/dashboards/render');
  process.exit(1);
}

async function load(path) {
  const { module } = await runnerImport(join(root, path), { configFile: false, logLevel: 'warn' });
  return module;
}

const { readBoards, answersFor } = await load('test/dashboards/render/boards.ts');
const { startSeededPrometheus } = await load('test/dashboards/world/seeded-prometheus.ts');

const given = process.env.DASHBOARDS_PROMETHEUS_URL;
const prometheus = given
  ? { url: given, endSeconds: Math.floor(Date.now() / 1000), stop: async () => {} }
  : { ...(await startSeededPrometheus(undefined)), shownSeconds: 3 * 3600 };

let current;
const bundle = join(root, 'node_modules/.cache/dashboard-pictures');
const serveBoard = {
  name: 'board',
  configurePreviewServer(server) {
    server.middlewares.use('/board.json', (_, response) => response.end(JSON.stringify(current)));
  },
};
const config = {
  root: harness,
  configFile: false,
  // The components' own bundling hints are not ours to mend.
  logLevel: 'error',
  build: { outDir: bundle, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 1e5 },
  preview: { host: '127.0.0.1', port: 0 },
  plugins: [serveBoard],
};
await build(config);
const server = await preview(config);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
});
try {
  mkdirSync(output, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1632, height: 2600 } });
  page.on('console', (message) => message.type() === 'error' && console.error(`console: ${message.text()}`));
  page.on('pageerror', (error) => console.error(`page: ${error.message}`));
  for (const { file, board } of readBoards()) {
    current = await answersFor(file, board, prometheus);
    await page.goto(server.resolvedUrls.local[0]);
    await page.waitForSelector('[data-panel]');
    await page.waitForFunction(() => document.querySelector('[data-done="false"]') === null);
    // Tables draw only what is in view, once it has come to rest.
    await page.waitForTimeout(1000);
    const picture = join(output, file.replace('.json', '.png'));
    await page.locator('#root').screenshot({ path: picture });
    console.log(picture);
  }
} finally {
  await browser.close();
  await server.close();
  await prometheus.stop();
}
