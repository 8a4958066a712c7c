/** What the API server fills in before a pod is stored (pkg/apis/core/v1/defaults.go), as far as requests go. */
import { containersRequest } from './pod-request.ts';
import { POD_LEVEL_RESOURCE, type PodSpec, type ResourceList, type Resources } from './pod-spec.ts';

/**
 * A missing request becomes the limit (`SetDefaults_Pod`). An explicit 0 is not missing, and a LimitRange may have
 * set it lower before. A missing request at pod level becomes the sum of the containers' requests, where any of them
 * has one, else the limit at pod level (`defaultPodRequests`).
 */
export function withApiDefaults(spec: PodSpec): PodSpec {
  const withContainers = {
    ...spec,
    containers: spec.containers.map(defaultToLimits),
    initContainers: spec.initContainers.map(defaultToLimits),
  };
  const { resources } = spec;
  if (resources?.limits === undefined || Object.keys(resources.limits).length === 0) return withContainers;
  const requests = mergeRequests(requestedByContainers(withContainers), resources.requests);
  return { ...withContainers, resources: defaultToLimits({ ...resources, requests }) };
}

function defaultToLimits<T extends Resources>(one: T): T {
  return one.limits === undefined ? one : { ...one, requests: mergeRequests(one.limits, one.requests) };
}

function mergeRequests(defaults: ResourceList, requests: ResourceList = {}): ResourceList {
  const set = Object.entries(requests).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}

function requestedByContainers(spec: PodSpec): ResourceList {
  const names = [...spec.containers, ...spec.initContainers].flatMap(({ requests = {} }) =>
    Object.keys(requests),
  );
  const atPodLevel = names.filter((name) => POD_LEVEL_RESOURCE.test(name) && !name.startsWith('hugepages-'));
  return Object.fromEntries(atPodLevel.map((name) => [name, containersRequest(spec, name)]));
}
