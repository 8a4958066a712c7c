import { Router } from 'express';
import { asksWho } from './access/authentication.ts';
import type { WebConfig } from './access/web-config.ts';
import type { ApiDeps } from './routes.ts';
import { currentStatus } from './status.ts';

/**
 * `/-/healthy` and `/-/ready`. They are answered to everybody, since the kubelet can show no secret that is not in the
 * pod's own specification; where clients have to say who they are, they say yes or no and nothing else.
 */
export function probeRoutes(deps: ApiDeps, access: () => WebConfig): Router {
  const router = Router();
  router.get('/-/healthy', (_request, response) => {
    response.type('text').send('evictrank is alive.\n');
  });
  router.get('/-/ready', (_request, response) => {
    const { ready, data, lastRefresh } = currentStatus(deps);
    const why = data === null ? 'no data yet' : `the data are ${Math.round(data.ageSeconds)} s old`;
    const cause = lastRefresh.error === null ? '' : `: ${lastRefresh.error}`;
    const detail = asksWho(access()) ? '' : `, ${why}${cause}`;
    response
      .status(ready ? 200 : 503)
      .type('text')
      .send(ready ? 'evictrank is ready.\n' : `evictrank is not ready${detail}\n`);
  });
  return router;
}
