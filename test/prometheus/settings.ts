import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ConnectionSettings } from '../../src/prometheus/connection.ts';
import { PrometheusError } from '../../src/prometheus/failures.ts';
import {
  type ClientDependencies,
  createPrometheusClient,
  type HttpPrometheusClient,
} from '../../src/prometheus/http-client.ts';

/** Settings that fail fast: no retry, little time. */
export function settingsFor(url: string, changes: Partial<ConnectionSettings> = {}): ConnectionSettings {
  return {
    url,
    dialect: 'prometheus',
    timeoutMs: 5_000,
    concurrency: 4,
    maxBodyBytes: 64 * 1024 * 1024,
    retries: { attempts: 1, baseDelayMs: 1 },
    ...changes,
  };
}

/** A client that is closed when the test ends. */
export function clientFor(
  url: string,
  changes: Partial<ConnectionSettings> = {},
  dependencies: ClientDependencies = {},
): HttpPrometheusClient {
  const client = createPrometheusClient(settingsFor(url, changes), dependencies);
  onTestFinished(() => client.close());
  return client;
}

export const QUERY = { id: 'pod_usage', query: 'up', timeMs: 1_700_000_000_123 };

/** The error of a query that must fail. */
export async function failureOf(query: Promise<unknown>): Promise<PrometheusError> {
  try {
    await query;
  } catch (error) {
    if (error instanceof PrometheusError) return error;
    throw error;
  }
  throw new Error('the query succeeded');
}

/** A file with this content that is removed when the test ends. */
export function temporaryFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return path;
}
