import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { RequestHandler, Response } from 'express';
import type { Logger } from '../../foundation/logger.ts';
import { HttpProblem } from './problem-details.ts';

/** What one client may take from the others. Bodies have a bound of their own, where they are read. */
export const requestLimits = {
  /** Request line and headers; more is answered 431. */
  headerBytes: 16 * 1024,
  /** Path and query: four names of Kubernetes and a cursor, each character percent-encoded. */
  urlCharacters: 8 * 1024,
  headersTimeoutMs: 10_000,
  /** Headers and body. */
  requestTimeoutMs: 30_000,
  /** Longer than the usual scrape interval, so that a scraper keeps its connection. */
  keepAliveTimeoutMs: 75_000,
  handshakeTimeoutMs: 10_000,
  /** How often Node looks for requests that are late. */
  checkIntervalMs: 2_000,
} as const;

/**
 * Answers of the API and the page that are made but not yet taken by their readers, all together: each reader has a copy
 * of its own, of some megabytes on the largest cluster. Only readers that are slow, or do not read at all, make them pile
 * up. `/metrics` has no part in it: all its readers share one text, and each has next to nothing of its own.
 */
const LARGEST_BACKLOG_BYTES = 64 * 1024 * 1024;

/** Options of `createServer`. */
export const serverOptions = {
  maxHeaderSize: requestLimits.headerBytes,
  headersTimeout: requestLimits.headersTimeoutMs,
  requestTimeout: requestLimits.requestTimeoutMs,
  keepAliveTimeout: requestLimits.keepAliveTimeoutMs,
  connectionsCheckingInterval: requestLimits.checkIntervalMs,
} as const;

/** Bounds the connections, and the time from a request to the last byte of its answer. */
export function limitServer(
  server: Server,
  limits: { readonly maxConnections: number; readonly responseTimeoutMs: number; readonly logger: Logger },
): void {
  const { maxConnections, responseTimeoutMs, logger } = limits;
  server.maxConnections = maxConnections;
  server.on('request', (request, response) => {
    const timer = setTimeout(() => {
      logger.debug(
        { path: request.url?.split('?')[0], responseTimeoutMs },
        'reader too slow, connection closed',
      );
      endConnection(request.socket);
    }, responseTimeoutMs);
    timer.unref();
    response.once('close', () => clearTimeout(timer));
  });
}

/** With a reset, so that the kernel too forgets what was not taken; Node resets plain connections only. */
export function endConnection(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Answers 414 where the path and query are longer than any this API has. */
export const boundedUrl: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.length > requestLimits.urlCharacters) {
    throw new HttpProblem(
      414,
      'URI too long',
      `path and query may have ${requestLimits.urlCharacters} characters`,
    );
  }
  next();
};

/**
 * Answers 503 while too much waits for slow readers. To be used where answers are made as a whole, so not before
 * `/metrics`, which is sent piece by piece, nor the probes, whose answers are tiny.
 */
export function boundedBacklog(largestBytes = LARGEST_BACKLOG_BYTES): RequestHandler {
  /** Bytes of the answer as it was made; what is packed on its way is held until its end. */
  const open = new Map<Response, number>();
  const backlogBytes = (): number => {
    let sum = 0;
    for (const [response, madeBytes] of open) sum += Math.max(madeBytes, response.writableLength);
    return sum;
  };
  return (_request, response, next) => {
    if (backlogBytes() > largestBytes) {
      response.setHeader('Retry-After', '5');
      throw new HttpProblem(503, 'Busy', 'too much waits for readers that are slow; try again in a moment');
    }
    open.set(response, 0);
    response.once('close', () => open.delete(response));
    const send = response.send.bind(response);
    response.send = (body: unknown) => {
      if (typeof body === 'string' || Buffer.isBuffer(body)) open.set(response, Buffer.byteLength(body));
      return send(body);
    };
    next();
  };
}
