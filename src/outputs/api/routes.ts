import { Router } from 'express';
import type { Clock } from '../../foundation/clock.ts';
import type { RefreshState } from '../../snapshot/refresh-loop.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { indexOf } from './cluster-index.ts';
import { ladderOf } from './ladder.ts';
import { listNodes } from './node-list.ts';
import { basisParameters, clusterParameters, parseParameters, podListParameters } from './parameters.ts';
import { podDetail } from './pod-detail.ts';
import { listPods } from './pod-list.ts';
import { HttpProblem } from './problem-details.ts';
import { statusOf } from './status.ts';

export interface ApiDeps {
  readonly state: () => RefreshState;
  readonly clock: Clock;
  readonly version: string;
  readonly intervalMs: number;
}

/** `/api/v1`: every answer is a function of the current snapshot. */
export function apiRoutes(deps: ApiDeps): Router {
  const router = Router();
  const snapshot = (): Snapshot => {
    const current = deps.state().snapshot;
    if (current !== undefined) return current;
    throw new HttpProblem(
      503,
      'No data yet',
      deps.state().lastError ?? 'the first refresh has not finished; try again in a moment',
    );
  };

  router.get('/status', (_request, response) => {
    response.json(
      statusOf(deps.state(), { version: deps.version, nowMs: deps.clock(), intervalMs: deps.intervalMs }),
    );
  });
  router.get('/nodes', (request, response) => {
    parseParameters(clusterParameters, request.query);
    response.json(listNodes(snapshot()));
  });
  router.get('/nodes/:node', (request, response) => {
    const { basis, cluster } = parseParameters(basisParameters, request.query);
    response.json(ladderOf(indexOf(snapshot()).node(request.params.node, cluster), basis));
  });
  router.get('/pods', (request, response) => {
    response.json(listPods(snapshot(), parseParameters(podListParameters, request.query)));
  });
  router.get('/pods/:namespace/:pod', (request, response) => {
    const { cluster } = parseParameters(clusterParameters, request.query);
    const { namespace, pod } = request.params;
    response.json(podDetail(indexOf(snapshot()).pod({ namespace, pod, cluster })));
  });
  return router;
}
