import pLimit from 'p-limit';
import protobuf from 'protobufjs';
import { compress } from 'snappyjs';
import { EvictrankError } from '../foundation/errors.ts';
import type { Series } from '../prometheus/client.ts';

/** The receiver refused samples or could not be reached. */
export class RemoteWriteError extends EvictrankError {
  override readonly name = 'RemoteWriteError';
}

/** One series to write; times ascend. */
export interface WrittenSeries extends Series {
  /** Where a scrape would have found the series gone: a staleness marker is written there. */
  readonly staleAtMs?: number | undefined;
}

export interface RemoteWriteOptions {
  /** Base address of a Prometheus with the remote write receiver. */
  readonly url: string;
  /** Called after every accepted request with what has been written so far. */
  readonly onProgress?: (written: WrittenSoFar) => void;
  readonly concurrency?: number;
  readonly samplesPerRequest?: number;
}

export interface WrittenSoFar {
  readonly series: number;
  readonly samples: number;
}

/**
 * Remote write 1.0 (https://prometheus.io/docs/specs/prw/remote_write_spec/). The value of `Marker` is the same
 * eight bytes as that of `Sample`: JavaScript does not promise to keep the bits of a NaN, and a staleness marker
 * is one certain NaN (prometheus/prometheus `model/value/value.go`).
 */
const schema = protobuf.parse(`
  syntax = "proto3";
  message WriteRequest { repeated TimeSeries timeseries = 1; }
  message TimeSeries { repeated Label labels = 1; repeated Sample samples = 2; }
  message Label { string name = 1; string value = 2; }
  message Sample { double value = 1; int64 timestamp = 2; }
  message MarkerRequest { repeated MarkerSeries timeseries = 1; }
  message MarkerSeries { repeated Label labels = 1; repeated Marker samples = 2; }
  message Marker { fixed64 value = 1; int64 timestamp = 2; }
`).root;
const writeRequest = schema.lookupType('WriteRequest');
const markerRequest = schema.lookupType('MarkerRequest');
const stalenessMarker = { low: 0x00000002, high: 0x7ff00000, unsigned: true };

/**
 * Writes all series and resolves with the totals. The iterable is read as fast as requests are accepted, so a
 * generator never builds up more than a few requests of samples. A refused request rejects at once.
 */
export async function remoteWrite(
  allSeries: Iterable<WrittenSeries>,
  options: RemoteWriteOptions,
): Promise<WrittenSoFar> {
  const limit = pLimit(options.concurrency ?? 2);
  const underWay = new Set<Promise<void>>();
  let written: WrittenSoFar = { series: 0, samples: 0 };
  const send = async (batch: readonly WrittenSeries[], samples: number): Promise<void> => {
    await post(options.url, encodeSamples(batch));
    const markers = encodeMarkers(batch);
    if (markers !== undefined) {
      await post(options.url, markers);
    }
    written = { series: written.series + batch.length, samples: written.samples + samples };
    options.onProgress?.(written);
  };
  for (const { batch, samples } of batches(allSeries, options.samplesPerRequest ?? 20_000)) {
    const request = limit(() => send(batch, samples));
    underWay.add(request);
    void request.finally(() => underWay.delete(request)).catch(() => undefined);
    if (underWay.size >= limit.concurrency) {
      await Promise.race(underWay);
    }
  }
  await Promise.all(underWay);
  return written;
}

function* batches(
  allSeries: Iterable<WrittenSeries>,
  samplesPerRequest: number,
): Generator<{ batch: readonly WrittenSeries[]; samples: number }> {
  let batch: WrittenSeries[] = [];
  let samples = 0;
  for (const series of allSeries) {
    batch.push(series);
    samples += series.values.length;
    if (samples >= samplesPerRequest) {
      yield { batch, samples };
      batch = [];
      samples = 0;
    }
  }
  if (batch.length > 0) {
    yield { batch, samples };
  }
}

function encodeSamples(batch: readonly WrittenSeries[]): Uint8Array<ArrayBuffer> {
  const timeseries = batch
    .filter(({ values }) => values.length > 0)
    .map((series) => ({
      labels: sortedLabels(series),
      samples: series.timesMs.map((timestamp, index) => ({ timestamp, value: series.values[index] })),
    }));
  return compress(writeRequest.encode({ timeseries }).finish());
}

function encodeMarkers(batch: readonly WrittenSeries[]): Uint8Array<ArrayBuffer> | undefined {
  const timeseries = batch
    .filter((series) => series.staleAtMs !== undefined)
    .map((series) => ({
      labels: sortedLabels(series),
      samples: [{ timestamp: series.staleAtMs, value: stalenessMarker }],
    }));
  return timeseries.length === 0 ? undefined : compress(markerRequest.encode({ timeseries }).finish());
}

/** The specification wants labels sorted by name, and none empty. */
function sortedLabels({ labels }: Series): { name: string; value: string }[] {
  return Object.entries(labels)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function post(url: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  let response: Response;
  try {
    response = await fetch(`${url}/api/v1/write`, {
      method: 'POST',
      headers: {
        'content-encoding': 'snappy',
        'content-type': 'application/x-protobuf',
        'x-prometheus-remote-write-version': '0.1.0',
      },
      body,
    });
  } catch (cause) {
    throw new RemoteWriteError(`remote write to ${url} failed: ${describeFetchFailure(cause)}`, { cause });
  }
  const text = await response.text();
  if (!response.ok) {
    throw new RemoteWriteError(`remote write to ${url} was refused with ${response.status}: ${text.trim()}`);
  }
}

function describeFetchFailure(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
