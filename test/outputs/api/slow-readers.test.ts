import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../../src/foundation/logger.ts';
import { boundedBacklog } from '../../../src/outputs/api/limits.ts';
import { listen } from '../../../src/outputs/api/listen.ts';
import { packedAnswers } from '../../../src/outputs/api/page.ts';
import { problemHandler } from '../../../src/outputs/api/problem-details.ts';
import { type PackedText, packText } from '../../../src/outputs/metrics/page.ts';
import { startApi } from './api-server.ts';
import { accessFor, answerTo, open, readSlowly, schemes, within } from './raw-client.ts';
import { sampleSnapshot } from './sample-data.ts';

const mebibyte = 2 ** 20;

/** Text that hardly packs, so that the sockets' own buffers cannot swallow it. */
const textOf = (bytes: number): string =>
  randomBytes((bytes * 3) / 4)
    .toString('base64')
    .replaceAll(/(.{100})/g, '# $1\n');

function startReading(url: string, header = ''): ReturnType<typeof open> {
  const client = open(url);
  readSlowly(client);
  client.socket.write(`GET /metrics HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
  return client;
}

const gzip = 'Accept-Encoding: gzip\r\n';

describe.each(schemes)('over %s, slow readers of /metrics', (scheme) => {
  it.each([
    ['packed', gzip],
    ['unpacked', ''],
  ])(
    '%s: do not keep others waiting, hold little memory, and are closed in the end',
    async (_name, header) => {
      const packed = await packText([textOf(16 * mebibyte)]);
      const api = await startApi(sampleSnapshot(), {
        ...(await accessFor(scheme)),
        packed: () => packed,
        limits: { responseTimeoutMs: 4_000 },
      });
      await answerTo(api.url, '/metrics');
      globalThis.gc?.();
      const before = process.memoryUsage();
      const slow = Array.from({ length: 40 }, () => startReading(api.url, header));
      await delay(1_500);
      const startedAt = performance.now();
      const answer = await answerTo(api.url, '/metrics', gzip);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer.length).toBeGreaterThan(packed.deflated.length);
      expect(performance.now() - startedAt).toBeLessThan(4_000);
      // Forty answers of 16 MB would be 640 MB.
      const { heapUsed, external } = process.memoryUsage();
      expect((heapUsed + external - before.heapUsed - before.external) / mebibyte).toBeLessThan(200);
      await delay(4_000);
      for (const { socket } of slow) socket.resume();
      expect(await within(4_000, Promise.all(slow.map(({ closed }) => closed)))).toBe('in time');
      for (const client of slow) expect(client.text().length).toBeLessThan(packed.deflated.length / 2);
    },
  );

  it('get all of it where they are fast enough', async () => {
    const text = textOf(16 * mebibyte);
    const packed = await packText([text]);
    const api = await startApi(sampleSnapshot(), { ...(await accessFor(scheme)), packed: () => packed });
    const answer = await answerTo(api.url, '/metrics', gzip);
    const body = Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1');
    expect(gunzipSync(body).toString().startsWith(text)).toBe(true);
  });

  it('keep neither two scrapers nor the API from their answers at the size of the largest cluster', async () => {
    // docs/performance.md: 24.6 MiB packed, as three quarters of base64 are. Texts that are read at different refreshes are different ones.
    const texts = await Promise.all(Array.from({ length: 4 }, () => packText([textOf(34 * mebibyte)])));
    let current: PackedText | undefined;
    const api = await startApi(sampleSnapshot(), { ...(await accessFor(scheme)), packed: () => current });
    const generations: ReturnType<typeof open>[][] = [];
    for (const text of texts) {
      current = text;
      generations.push(Array.from({ length: 5 }, () => startReading(api.url, gzip)));
      await delay(500);
    }
    const answers = await Promise.all(
      ['/metrics', '/metrics', '/api/v1/nodes', '/api/v1/pods', '/-/ready'].map((path) =>
        answerTo(api.url, path, gzip),
      ),
    );
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    for (const scrape of answers.slice(0, 2)) expect(scrape.length).toBeGreaterThan(24 * mebibyte);
    // Of three texts that are old, two may stay; the readers of the oldest are let go.
    const [first = [], second = []] = generations;
    for (const { socket } of first) socket.resume();
    expect(await within(4_000, Promise.all(first.map(({ closed }) => closed)))).toBe('in time');
    const [patient] = second;
    patient?.socket.resume();
    await expect.poll(() => patient?.text().length).toBeGreaterThan(24 * mebibyte);
    for (const { text } of first) expect(text().length).toBeLessThan(24 * mebibyte);
  });
});

describe.each(schemes)('over %s, answers of the API that nobody takes', (scheme) => {
  it.each([
    ['plain', ''],
    ['packed on their way', gzip],
  ])('are bounded all together: %s', async (_name, header) => {
    const app = express();
    app.get('/small', (_request, response) => void response.send('ok'));
    app.use(boundedBacklog(40 * mebibyte));
    app.use(packedAnswers());
    const large = randomBytes(10 * mebibyte).toString('base64');
    app.get('/large', (_request, response) => void response.send(large));
    app.use(problemHandler(silentLogger));
    const web = await listen(app, { host: '127.0.0.1', port: 0, ...(await accessFor(scheme)) });
    onTestFinished(() => web.close());
    const clients = Array.from({ length: 12 }, () => open(web.url));
    for (const { socket } of clients) {
      socket.pause();
      socket.write(`GET /large HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
      await delay(50);
    }
    const refused = await answerTo(web.url, '/large');
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/^Retry-After: 5\r$/m);
    expect(await answerTo(web.url, '/small')).toMatch(/^HTTP\/1\.1 200 /);
    for (const { socket } of clients) socket.destroy();
    await delay(200);
    expect(await answerTo(web.url, '/large')).toMatch(/^HTTP\/1\.1 200 /);
  });
});
