/** Every route that answers JSON, as /openapi.json describes it. A test calls each and checks the answer. */
import type { z } from 'zod';
import {
  basisParameters,
  clusterParameters,
  nodePath,
  noParameters,
  podListParameters,
  podPath,
  workloadParameters,
} from './parameters.ts';
import { evictionMessage, evictionMessageRequest } from './schemas/eviction-message.ts';
import { podExplanation } from './schemas/explanation.ts';
import { nodeDetail, nodeList, podList, podPeaks, status, workloadList } from './schemas/reading.ts';
import { simulation, simulationRequest } from './schemas/simulation.ts';

export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post';
  /** With parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly pathParameters: Readonly<Record<string, z.ZodType>>;
  readonly query: z.ZodObject;
  readonly body?: z.ZodType;
  /** Of the good answer. */
  readonly answer: z.ZodType;
  /** The good answer in other media types. */
  readonly otherMediaTypes?: readonly string[];
  /** Statuses of problem details, besides 500. */
  readonly problems: readonly (400 | 404 | 405 | 409 | 413 | 415 | 503)[];
}

export const operations: readonly Operation[] = [
  {
    id: 'getStatus',
    method: 'get',
    path: '/api/v1/status',
    summary: 'Age of the data, the inputs, and what is wrong with them',
    pathParameters: {},
    query: noParameters,
    answer: status,
    problems: [400],
  },
  {
    id: 'listNodes',
    method: 'get',
    path: '/api/v1/nodes',
    summary: 'All nodes, those with the least headroom first',
    pathParameters: {},
    query: clusterParameters,
    answer: nodeList,
    problems: [400, 503],
  },
  {
    id: 'getNode',
    method: 'get',
    path: '/api/v1/nodes/{node}',
    summary: 'The pods of one node in the order in which the kubelet would evict them',
    pathParameters: nodePath.shape,
    query: basisParameters,
    answer: nodeDetail,
    problems: [400, 404, 503],
  },
  {
    id: 'listPods',
    method: 'get',
    path: '/api/v1/pods',
    summary: 'Pods that fit, page by page',
    pathParameters: {},
    query: podListParameters,
    answer: podList,
    problems: [400, 503],
  },
  {
    id: 'explainPod',
    method: 'get',
    path: '/api/v1/pods/{namespace}/{pod}',
    summary: 'Why a pod stands where it stands, and what would change that',
    pathParameters: podPath.shape,
    query: clusterParameters,
    answer: podExplanation,
    problems: [400, 404, 503],
  },
  {
    id: 'getPodPeaks',
    method: 'get',
    path: '/api/v1/pods/{namespace}/{pod}/peaks',
    summary: 'The highest memory use of a pod in every hour of the window',
    pathParameters: podPath.shape,
    query: clusterParameters,
    answer: podPeaks,
    problems: [400, 404, 503],
  },
  {
    id: 'listWorkloads',
    method: 'get',
    path: '/api/v1/workloads',
    summary: 'Peak, request and recommended request of every workload',
    pathParameters: {},
    query: workloadParameters,
    answer: workloadList,
    otherMediaTypes: ['text/csv'],
    problems: [400, 503],
  },
  {
    id: 'simulate',
    method: 'post',
    path: '/api/v1/simulations',
    summary: "Play the kubelet's evictions on a node as it would be",
    pathParameters: {},
    query: noParameters,
    body: simulationRequest,
    answer: simulation,
    problems: [400, 404, 409, 413, 415, 503],
  },
  {
    id: 'explainEvictionMessage',
    method: 'post',
    path: '/api/v1/eviction-messages',
    summary: "What an eviction message, or a line of the kubelet's log, means",
    pathParameters: {},
    query: noParameters,
    body: evictionMessageRequest,
    answer: evictionMessage,
    problems: [400, 404, 413, 415],
  },
];
