import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { podUsageSources } from '../../src/inputs/usage-sources.ts';
import { backends, type Store } from '../support/backends.ts';
import { plainScope as scope } from '../support/plain-scope.ts';
import { startPrometheusWith } from '../support/prometheus.ts';
import { startStandIn, tooManySamples } from './stand-in-prometheus.ts';
import { cgroupOf, hourMs, minuteMs } from './window-case.ts';

const endMs = Math.floor(Date.now() / hourMs) * hourMs;
/** Samples on, just before and just after the borders of hours, in two series of one pod and one of another. */
const series = [
  cgroupOf('db-0', [
    [endMs - 3 * hourMs, 9],
    [endMs - 2 * hourMs + 1, 7],
    [endMs - hourMs - 1, 5],
  ]),
  { ...cgroupOf('db-0', [[endMs - 3 * hourMs + minuteMs, 8]]) },
  cgroupOf('db-1', [
    [endMs - hourMs, 4],
    [endMs, 3.5],
  ]),
].map((one, i) => ({ ...one, labels: { ...one.labels, replica: String(i) } }));
const query = podUsageSources[1].peakQuery(scope, '1h');
const seconds = (timeMs: number): string => String(timeMs / 1000);

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: { data?: { result: { metric: { pod: string } }[] } };
}

async function ask(url: string, path: string, form: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/${path}`, { method: 'POST', body: new URLSearchParams(form) });
  const body = (await response.json()) as Answer['body'];
  // Neither promises an order of the rows.
  body.data?.result.sort((a, b) => a.metric.pod.localeCompare(b.metric.pod));
  return { status: response.status, type: response.headers.get('content-type'), body };
}

describe('the stand-in for Prometheus answers as the real one', () => {
  let real: Store | undefined;
  beforeAll(async () => {
    real = await backends.prometheus?.(series);
  });
  afterAll(() => real?.stop());

  it.each<[string, string, Record<string, string>]>([
    ...[0, 1, 2, 3, 4].map((hours): [string, string, Record<string, string>] => [
      `an instant query ${hours} hours ago`,
      'query',
      { query, time: seconds(endMs - hours * hourMs) },
    ]),
    [
      'a range query',
      'query_range',
      { query, start: seconds(endMs - 4 * hourMs), end: seconds(endMs + hourMs), step: '3600' },
    ],
  ])('%s', async (_name, path, form) => {
    const standIn = await startStandIn(series, { leftOpen: real?.rangesAreClosed === false });
    expect(await ask(standIn.url, path, form)).toEqual(await ask(real?.url ?? '', path, form));
  });

  it('a query that is too large', async () => {
    const small = await startPrometheusWith(series, { flags: ['--query.max-samples=1'] });
    onTestFinished(() => small.stop());
    const standIn = await startStandIn(series, { leftOpen: true });
    standIn.refuse = () => tooManySamples;
    const form = { query, time: seconds(endMs) };
    expect(await ask(standIn.url, 'query', form)).toEqual(await ask(small.url, 'query', form));
  });
});
