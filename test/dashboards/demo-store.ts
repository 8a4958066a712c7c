import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import { buildDemoCluster } from '../../src/demo/cluster/demo-cluster.ts';
import { hourMs, minuteMs } from '../../src/demo/cluster/units.ts';
import { prometheusConfig } from '../../src/demo/prometheus-server.ts';
import { startPrometheusWith } from '../support/prometheus.ts';
import { startTestService } from '../support/service.ts';
import { queryInstant } from './prometheus-answers.ts';
import type { Store } from './proof.ts';

export interface DemoStore extends Store {
  stop(): Promise<void>;
}

const now = (): number => Math.floor(Date.now() / 1000);

/** Waits until evictrank was scraped often enough for rates over its counters. */
async function scrapedTimes(url: string, times: number): Promise<void> {
  const giveUpAt = now() + 60;
  for (;;) {
    const [scrapes] = await queryInstant(url, 'count_over_time(evictrank_build_info[5m])', now());
    if ((scrapes?.samples[0]?.[1] ?? 0) >= times) return;
    if (now() > giveUpAt) throw new Error('Prometheus does not scrape evictrank');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The demo cluster in a real Prometheus, and the built evictrank that reads it and is scraped by it. */
export async function startDemoStore(): Promise<DemoStore> {
  const cluster = buildDemoCluster({ nowMs: Date.now() });
  const classes = Object.entries(cluster.priorityClasses).map(([name, value]) => `${name}=${value}`);
  const { nowMs } = cluster;
  const prometheus = await startPrometheusWith(
    seriesOf(cluster, { startMs: nowMs - 26 * hourMs, endMs: nowMs, usageStepMs: 2 * minuteMs }),
    { flags: ['--web.enable-lifecycle'] },
  );
  const service = await startTestService(prometheus.url, {
    flags: [`--priority-classes=${classes.join(',')}`, '--window.duration=25h', '--refresh.interval=5s'],
  });
  // Below a day of history nothing is recommended.
  await service.statusWhen(({ data }) => data?.windowCoverageRatio === 1, 60_000);
  const scrapeTargets = { evictrank: new URL(service.url).host };
  const config = prometheusConfig({ intervalSeconds: 1, scrapeTargets });
  await writeFile(join(prometheus.folder, 'prometheus.yml'), stringify(config));
  const reload = await fetch(`${prometheus.url}/-/reload`, { method: 'POST' });
  if (!reload.ok) throw new Error(`Prometheus did not reload: ${await reload.text()}`);
  await scrapedTimes(prometheus.url, 5);
  return {
    url: prometheus.url,
    endSeconds: now(),
    // The demo writes the state of its cluster every four minutes.
    scrapeIntervalSeconds: 240,
    stop: async () => {
      await service.stop();
      await prometheus.stop();
    },
  };
}
