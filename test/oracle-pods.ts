import { z } from 'zod';
import { type PodSpec, parseResourceList } from '../src/kubelet/pod-spec.ts';
import { nullable } from './oracle-cases.ts';

const resourceList = nullable(z.record(z.string(), z.string()));

/** A container of qos.json and oom_score_adj.json: quantities as written. */
export const oracleContainer = z.strictObject({
  name: z.string(),
  requests: resourceList,
  limits: resourceList,
});

export function toPodSpec(pod: {
  containers: z.output<typeof oracleContainer>[];
  initContainers: z.output<typeof oracleContainer>[];
}): PodSpec {
  const parse = ({ name, requests, limits }: z.output<typeof oracleContainer>) => ({
    name,
    requests: requests === undefined ? undefined : parseResourceList(requests),
    limits: limits === undefined ? undefined : parseResourceList(limits),
  });
  return { containers: pod.containers.map(parse), initContainers: pod.initContainers.map(parse) };
}
