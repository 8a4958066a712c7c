import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { EvictrankError } from '../../foundation/errors.ts';
import type { Logger } from '../../foundation/logger.ts';
import type { PackedText } from '../metrics/page.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { nullForUnknown } from './json.ts';
import { metricsRoute } from './metrics-route.ts';
import { openApiDocument } from './openapi.ts';
import { packedAnswers, pageRoutes, securityHeaders } from './page.ts';
import { notFound, problemHandler } from './problem-details.ts';
import { type ApiDeps, apiRoutes } from './routes.ts';
import { statusOf } from './status.ts';

export interface WebDeps extends ApiDeps {
  readonly packed: () => PackedText | undefined;
  readonly service: ServiceMetrics;
  readonly logger: Logger;
  /** Where the built page is; where the build puts it unless given. */
  readonly pageFolder?: string | undefined;
}

/** Everything the service answers over HTTP. */
export function createWebApp(deps: WebDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('json replacer', nullForUnknown);
  app.use(securityHeaders());
  app.get('/metrics', metricsRoute(deps));
  app.get('/-/healthy', (_request, response) => {
    response.type('text').send('evictrank is alive.\n');
  });
  app.get('/-/ready', (_request, response) => {
    const { version, intervalMs } = deps;
    const { ready, data, lastRefresh } = statusOf(deps.state(), { version, intervalMs, nowMs: deps.clock() });
    const why = data === null ? 'no data yet' : `the data are ${Math.round(data.ageSeconds)} s old`;
    const cause = lastRefresh.error === null ? '' : `: ${lastRefresh.error}`;
    response
      .status(ready ? 200 : 503)
      .type('text')
      .send(ready ? 'evictrank is ready.\n' : `evictrank is not ready, ${why}${cause}\n`);
  });
  const openApi = openApiDocument(deps.version);
  app.get('/openapi.json', (_request, response) => {
    response.json(openApi);
  });
  app.use('/api/v1', packedAnswers(), apiRoutes(deps));
  app.use(pageRoutes(deps.pageFolder));
  app.use(notFound);
  app.use(problemHandler(deps.logger));
  return app;
}

export interface WebServer {
  /** Where it listens, for people and for tests that asked for port 0. */
  readonly url: string;
  close(): Promise<void>;
}

/** The address cannot be listened on. */
export class ListenError extends EvictrankError {
  override readonly name = 'ListenError';
}

/** @throws ListenError */
export async function listen(
  app: Express,
  address: { readonly host: string | undefined; readonly port: number },
): Promise<WebServer> {
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const where = `${address.host ?? ''}:${address.port}`;
    throw new ListenError(`cannot listen on ${where} (${error.code ?? error.message})`, {
      cause: error,
      remedy: 'choose another --web.listen-address, or stop what listens there',
    });
  });
  return { url: urlOf(server), close: () => close(server) };
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Idle keep-alive connections would hold the process for their whole timeout.
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  });
}
