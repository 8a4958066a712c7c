import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { EvictrankError } from '../../foundation/errors.ts';
import { type Logger, silentLogger } from '../../foundation/logger.ts';
import { followClientPolicy, tlsOptions } from './access/client-certificates.ts';
import { openAccess, type WebConfig } from './access/web-config.ts';
import { limitServer, requestLimits, serverOptions } from './limits.ts';

export interface WebServer {
  /** Where it listens, for people and for tests that asked for port 0. */
  readonly url: string;
  /** The web configuration has changed: new connections follow it. */
  accessChanged(): void;
  close(): Promise<void>;
}

/** The address cannot be listened on. */
export class ListenError extends EvictrankError {
  override readonly name = 'ListenError';
}

export interface ListenSettings {
  readonly host: string | undefined;
  readonly port: number;
  readonly maxConnections?: number;
  readonly responseTimeoutMs?: number;
  readonly access?: () => WebConfig;
  readonly logger?: Logger;
  /** Instead of the time limits of `serverOptions`. */
  readonly timeouts?: Pick<
    ServerOptions,
    'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'
  >;
}

/** @throws ListenError */
export async function listen(app: Express, settings: ListenSettings): Promise<WebServer> {
  const { host, port, access = () => openAccess, logger = silentLogger } = settings;
  const { maxConnections = 512, responseTimeoutMs = 120_000, timeouts = {} } = settings;
  const { server, scheme, accessChanged } = createAnyServer(app, access, { ...serverOptions, ...timeouts });
  limitServer(server, { maxConnections, responseTimeoutMs, logger });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw new ListenError(`cannot listen on ${host ?? ''}:${port} (${error.code ?? error.message})`, {
      cause: error,
      remedy: 'choose another --web.listen-address, or stop what listens there',
    });
  });
  return { url: `${scheme}://${authorityOf(server)}`, accessChanged, close: () => close(server) };
}

function createAnyServer(app: Express, access: () => WebConfig, options: ServerOptions) {
  const tls = tlsOptions(access());
  if (tls === undefined) {
    return { server: createServer(options, app), scheme: 'http', accessChanged: () => undefined };
  }
  const { context, handshake } = tls;
  const handshakeTimeout = requestLimits.handshakeTimeoutMs;
  const server = createTlsServer({ ...options, ...context, ...handshake, handshakeTimeout }, app);
  return { server, scheme: 'https', accessChanged: followClientPolicy(server, access).update };
}

function authorityOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Idle keep-alive connections would hold the process for their whole timeout.
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  });
}
