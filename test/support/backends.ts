import type { WrittenSeries } from '../../src/demo/remote-write.ts';
import type { DialectName } from '../../src/prometheus/dialects/dialect.ts';
import { startPrometheusWith } from './prometheus.ts';
import { hasThanos, startThanosWith } from './thanos.ts';
import { startVictoriaMetricsWith } from './victoriametrics.ts';

/** A real store that holds the given series, and how it is spoken to. */
export interface Store {
  readonly url: string;
  readonly dialect: DialectName;
  /** A range selector takes a sample exactly at its start: so in Prometheus 2, and nowhere else. */
  readonly rangesAreClosed: boolean;
  stop(): Promise<void>;
}

/** Every real backend that runs here: one suite holds for all of them. */
export const backends: Readonly<Record<string, (series: Iterable<WrittenSeries>) => Promise<Store>>> = {
  async prometheus(series) {
    const server = await startPrometheusWith(series);
    const rangesAreClosed = (await majorVersion(server.url)) < 3;
    return { ...server, dialect: 'prometheus', rangesAreClosed };
  },
  async victoriametrics(series) {
    const server = await startVictoriaMetricsWith(series);
    return { ...server, dialect: 'victoriametrics', rangesAreClosed: false };
  },
  ...(hasThanos && {
    async thanos(series: Iterable<WrittenSeries>): Promise<Store> {
      return { ...(await startThanosWith(series)), dialect: 'thanos', rangesAreClosed: false };
    },
  }),
};

async function majorVersion(url: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/status/buildinfo`);
  const { data } = (await response.json()) as { data: { version: string } };
  const major = Number.parseInt(data.version, 10);
  if (Number.isNaN(major)) throw new Error(`Prometheus at ${url} does not say its version`);
  return major;
}
