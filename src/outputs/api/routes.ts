import { Router } from 'express';
import type { Clock } from '../../foundation/clock.ts';
import type { RefreshState } from '../../snapshot/refresh-loop.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { indexOf } from './cluster-index.ts';
import { explainMessage } from './eviction-message.ts';
import { explainedPod } from './explanation.ts';
import { nodeDetail } from './node-detail.ts';
import { listNodes } from './node-list.ts';
import {
  basisParameters,
  clusterParameters,
  nodePath,
  noParameters,
  parseParameters,
  podListParameters,
  podPath,
  workloadParameters,
} from './parameters.ts';
import type { PodDetailReader } from './pod-detail-cache.ts';
import { listPods } from './pod-list.ts';
import { type PodHoursReader, podPeaks } from './pod-peaks.ts';
import { HttpProblem } from './problem-details.ts';
import { jsonBody, parseBody } from './request-body.ts';
import { evictionMessageRequest } from './schemas/eviction-message.ts';
import { simulationRequest } from './schemas/simulation.ts';
import { simulate } from './simulation.ts';
import { snapshotTag } from './snapshot-tag.ts';
import { currentStatus } from './status.ts';
import { listWorkloads, workloadCsv } from './workload-list.ts';

export interface ApiDeps {
  readonly state: () => RefreshState;
  readonly clock: Clock;
  /** Never set back, as the clock may be. */
  readonly monotonicMs: () => number;
  readonly version: string;
  readonly intervalMs: number;
  /** Asks about the containers of a pod; undefined where there is nobody to ask. */
  readonly readPodDetail?: PodDetailReader | undefined;
  /** Asks the window about the hours of a pod; undefined where there is none. */
  readonly readPodHours?: PodHoursReader | undefined;
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

  router.get(['/nodes', '/nodes/:node', '/pods', '/workloads'], snapshotTag(deps));
  router.get('/status', (request, response) => {
    parseParameters(noParameters, request.query);
    response.json(currentStatus(deps));
  });
  router.get('/nodes', (request, response) => {
    const { cluster } = parseParameters(clusterParameters, request.query);
    response.json(listNodes(snapshot(), cluster));
  });
  router.get('/nodes/:node', (request, response) => {
    const { basis, cluster } = parseParameters(basisParameters, request.query);
    const { node } = parseParameters(nodePath, request.params);
    const current = snapshot();
    response.json(nodeDetail(current, indexOf(current).node(node, cluster), basis));
  });
  router.get('/pods', async (request, response) => {
    response.json(await listPods(snapshot(), parseParameters(podListParameters, request.query)));
  });
  router.get('/pods/:namespace/:pod', async (request, response) => {
    const { cluster } = parseParameters(clusterParameters, request.query);
    const { namespace, pod } = parseParameters(podPath, request.params);
    const current = snapshot();
    const found = await indexOf(current).pod({ namespace, pod, cluster });
    const detail = await deps.readPodDetail?.(found.ranked.pod);
    response.json(explainedPod(current, found, { detail }));
  });
  router.get('/pods/:namespace/:pod/peaks', async (request, response) => {
    const { cluster } = parseParameters(clusterParameters, request.query);
    const { namespace, pod } = parseParameters(podPath, request.params);
    const { ranked } = await indexOf(snapshot()).pod({ namespace, pod, cluster });
    response.json(await podPeaks(ranked, deps.readPodHours));
  });
  router.get('/workloads', (request, response) => {
    const { format, ...wanted } = parseParameters(workloadParameters, request.query);
    const current = snapshot();
    const workloads = listWorkloads(current, wanted);
    if (format === 'json') {
      response.json({ workloads, evaluatedAt: new Date(current.evaluatedAtMs).toISOString() });
      return;
    }
    response
      .type('text/csv')
      .attachment('workloads.csv')
      .send(workloadCsv(workloads, current.hasClusterLabel));
  });
  router.post('/simulations', jsonBody, (request, response) => {
    const wanted = parseBody(simulationRequest, request.body);
    response.json(simulate(snapshot(), wanted));
  });
  router.post('/eviction-messages', jsonBody, async (request, response) => {
    const wanted = parseBody(evictionMessageRequest, request.body);
    response.json(await explainMessage(deps.state().snapshot, wanted));
  });
  router.all(['/simulations', '/eviction-messages'], (_request, response) => {
    response.setHeader('Allow', 'POST');
    throw new HttpProblem(405, 'Method not allowed', 'use POST');
  });
  return router;
}
