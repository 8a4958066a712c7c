import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type ChildServer, ChildServerError, startChildServer } from './child-server.ts';
import { findFreePort } from './loopback.ts';
import type { PrometheusProgram } from './prometheus-binary.ts';

export interface PrometheusServerOptions {
  /** Default: any free loopback port. */
  readonly port?: number;
  /** Paths of rule files to load. */
  readonly ruleFiles?: readonly string[];
  /** host:port of Alertmanagers to send alerts to. */
  readonly alertmanagers?: readonly string[];
  /** What to scrape: job name → host:port. */
  readonly scrapeTargets?: Readonly<Record<string, string>>;
  /** Between scrapes and between rule evaluations. */
  readonly intervalSeconds?: number;
  /** What tells this Prometheus from others in a common store. */
  readonly externalLabels?: Readonly<Record<string, string>>;
  /** Further flags of Prometheus. */
  readonly flags?: readonly string[];
}

export interface PrometheusServer extends ChildServer {
  /** Base address without a trailing slash. */
  readonly url: string;
  /** Holds its configuration and data; gone once it has stopped. */
  readonly folder: string;
}

/**
 * One block length above the history written. Then all of it stays in the head, so series may be written one after the
 * other over the whole week (the head takes samples up to half a block older than its newest), and nothing is
 * compacted while the demo is filled. The flags are hidden in `prometheus --help` but there in 2.x and 3.x
 * (prometheus/prometheus `cmd/prometheus/main.go`).
 */
const blockDays = 31;

/** Starts a Prometheus of our own on loopback with an empty data folder that is removed when it stops. */
export async function startPrometheus(
  program: PrometheusProgram,
  options: PrometheusServerOptions = {},
): Promise<PrometheusServer> {
  const attempts = options.port === undefined ? 3 : 1;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(program, options, options.port ?? (await findFreePort()));
    } catch (error) {
      const isPortTaken =
        error instanceof ChildServerError && error.message.includes('address already in use');
      if (!isPortTaken || attempt === attempts) {
        throw error;
      }
    }
  }
}

async function startOnce(
  program: PrometheusProgram,
  options: PrometheusServerOptions,
  port: number,
): Promise<PrometheusServer> {
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-prometheus-'));
  const configFile = join(folder, 'prometheus.yml');
  await writeFile(configFile, stringify(prometheusConfig(options)));
  const url = `http://127.0.0.1:${port}`;
  const server = await startChildServer({
    name: 'Prometheus',
    command: program.command,
    args: [
      ...program.argumentsBefore(folder),
      `--config.file=${configFile}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--storage.tsdb.retention.time=${2 * blockDays}d`,
      `--storage.tsdb.min-block-duration=${blockDays}d`,
      `--storage.tsdb.max-block-duration=${blockDays}d`,
      ...(options.flags ?? []),
    ],
    readyUrl: `${url}/-/ready`,
    folder,
  });
  return { ...server, url, folder };
}

/** The configuration file as an object; exported so that a deployment can write the same one. */
export function prometheusConfig(options: PrometheusServerOptions): object {
  const interval = `${options.intervalSeconds ?? 15}s`;
  return {
    global: {
      scrape_interval: interval,
      evaluation_interval: interval,
      external_labels: options.externalLabels ?? {},
    },
    // Samples may also arrive out of order within one series, e.g. history written after live samples.
    storage: { tsdb: { out_of_order_time_window: '8d' } },
    rule_files: options.ruleFiles ?? [],
    alerting: { alertmanagers: [{ static_configs: [{ targets: options.alertmanagers ?? [] }] }] },
    scrape_configs: Object.entries(options.scrapeTargets ?? {}).map(([job, target]) => ({
      job_name: job,
      static_configs: [{ targets: [target] }],
    })),
  };
}
