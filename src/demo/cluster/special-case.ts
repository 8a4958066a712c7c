import type { DemoAutoscaler, DemoLimitRange, DemoPod } from './description.ts';
import type { DeploymentSpec, WorkloadSpec } from './workload.ts';

/** What a special case adds to the cluster. */
export interface CaseContent {
  readonly workloads?: readonly CaseWorkload[];
  /** Pods that no workload describes well enough. */
  readonly pods?: readonly DemoPod[];
  readonly limitRanges?: readonly DemoLimitRange[];
  readonly autoscalers?: readonly DemoAutoscaler[];
}

export interface CaseWorkload {
  readonly spec: WorkloadSpec;
  /** Node of the first pod, the second, and so on; the rest go anywhere there is room. `none` = no node takes it. */
  readonly nodes?: readonly string[] | 'none';
}

export interface SpecialCase {
  /** What the case is there to show. */
  readonly purpose: string;
  readonly build: (nowMs: number) => CaseContent;
}

/** The content of the many cases that are one Deployment. */
export function deployment(spec: Omit<DeploymentSpec, 'kind'>, nodes?: readonly string[]): CaseContent {
  return {
    workloads: [{ spec: { kind: 'Deployment', ...spec }, ...(nodes === undefined ? {} : { nodes }) }],
  };
}
