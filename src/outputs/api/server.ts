import express, { type Express } from 'express';
import type { Logger } from '../../foundation/logger.ts';
import type { PackedText } from '../metrics/page.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { authentication } from './access/authentication.ts';
import type { PasswordCheck } from './access/password-check.ts';
import { openAccess, type WebConfig } from './access/web-config.ts';
import { nullForUnknown } from './json.ts';
import { boundedBacklog, boundedUrl } from './limits.ts';
import { metricsRoute } from './metrics-route.ts';
import { openApiDocument } from './openapi.ts';
import { packedAnswers, pageRoutes, securityHeaders } from './page.ts';
import { probeRoutes } from './probes.ts';
import { notFound, problemHandler } from './problem-details.ts';
import { type ApiDeps, apiRoutes } from './routes.ts';

export interface WebDeps extends ApiDeps {
  readonly packed: () => PackedText | undefined;
  readonly service: ServiceMetrics;
  readonly logger: Logger;
  /** Where the built page is; where the build puts it unless given. */
  readonly pageFolder?: string | undefined;
  /** Who may ask; undefined = everybody. */
  readonly access?: { readonly access: () => WebConfig; readonly passwords: PasswordCheck } | undefined;
}

/** Everything the service answers over HTTP. */
export function createWebApp(deps: WebDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('json replacer', nullForUnknown);
  app.use(securityHeaders());
  app.use(boundedUrl);
  app.use(probeRoutes(deps, deps.access?.access ?? (() => openAccess)));
  if (deps.access !== undefined) app.use(authentication(deps.access));
  app.get('/metrics', metricsRoute(deps));
  app.use(boundedBacklog());
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
