import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Scrape {
  readonly firstByteMs: number;
  readonly totalMs: number;
  readonly bytes: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Reads a page to its end, as a Prometheus that accepts gzip does, and keeps none of it. */
export function scrape(
  url: string,
  headers: Record<string, string> = { 'Accept-Encoding': 'gzip' },
): Promise<Scrape> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const sinceStart = (): number => performance.now() - startedMs;
    let bytes = 0;
    let firstByteMs: number | undefined;
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.on('data', (chunk: Buffer) => {
        firstByteMs ??= sinceStart();
        bytes += chunk.length;
      });
      response.on('end', () =>
        resolve({ firstByteMs: firstByteMs ?? sinceStart(), totalMs: sinceStart(), bytes }),
      );
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** What was asked while a task ran. */
export interface AskedMeanwhile {
  readonly scrapes: readonly Scrape[];
  readonly answers: readonly Scrape[];
}

/** Scrapes, and asks as somebody does who has the page open, again and again with a pause in between, until the task is done. */
export async function scrapeWhile(
  { metricsUrl, apiUrls, pauseMs }: { metricsUrl: string; apiUrls: readonly string[]; pauseMs: number },
  task: Promise<unknown>,
): Promise<AskedMeanwhile> {
  const scrapes: Scrape[] = [];
  const answers: Scrape[] = [];
  let isDone = false;
  const end = (): void => {
    isDone = true;
  };
  void task.then(end, end);
  while (!isDone) {
    scrapes.push(await scrape(metricsUrl));
    for (const url of apiUrls) answers.push(await scrape(url));
    await delay(pauseMs);
  }
  return { scrapes, answers };
}
