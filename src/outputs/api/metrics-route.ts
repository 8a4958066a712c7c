import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { gzipWithTail, type PackedText } from '../metrics/page.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { createMetricsReaders } from './metrics-readers.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** `/metrics`: the bytes packed at the last refresh, then the service's own metrics of this moment. */
export function metricsRoute(deps: {
  readonly packed: () => PackedText | undefined;
  readonly service: ServiceMetrics;
}): RequestHandler {
  const readers = createMetricsReaders();
  return async (request, response) => {
    const own = await deps.service.text();
    const packed = deps.packed();
    response.setHeader('Content-Type', contentType);
    response.setHeader('Vary', 'Accept-Encoding');
    if (packed === undefined) {
      response.end(own);
      return;
    }
    readers.begin(packed, response);
    const parts = gzipWithTail(packed, own);
    if (request.acceptsEncodings('gzip') === 'gzip') {
      response.setHeader('Content-Encoding', 'gzip');
      response.setHeader(
        'Content-Length',
        parts.reduce((sum, part) => sum + part.length, 0),
      );
      await ignoringDisconnects(pipeline(Readable.from(piecesOf(parts)), response));
    } else {
      // Unpacked as it is sent, so that the whole text is never in memory.
      await ignoringDisconnects(pipeline(Readable.from(piecesOf(parts)), createGunzip(), response));
    }
  };
}

/** What is handed to a connection at once: with TLS it is copied, for each reader. */
const PIECE_BYTES = 64 * 1024;

function* piecesOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts) {
    for (let start = 0; start < part.length; start += PIECE_BYTES)
      yield part.subarray(start, start + PIECE_BYTES);
  }
}

/** A client that goes away midway is its own affair. */
async function ignoringDisconnects(sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ECONNRESET' && code !== 'EPIPE') throw error;
  }
}
