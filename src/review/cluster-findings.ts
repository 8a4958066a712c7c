import { formatBytes } from '../foundation/byte-text.ts';
import type { WaitingPod } from '../model/workload-facts.ts';
import { type FindingRule, percent } from './finding.ts';
import type { NodeMemory } from './node-memory.ts';

const FULL_BY_REQUESTS = 0.9;
const IDLE_BY_USE = 0.5;
const FULL_BY_USE = 0.9;
const EMPTY_BY_REQUESTS = 0.7;

/** Findings about a node; the same rows for the cluster as a whole. */
export const nodeFindings = {
  scheduling_problem: {
    title: 'a scheduling problem, not an eviction problem',
    find: ({ allocatableBytes, requestsBytes, podsBytes }) => {
      const requests = ratio(requestsBytes, allocatableBytes);
      const use = ratio(podsBytes, allocatableBytes);
      if (requests < FULL_BY_REQUESTS || !(use <= IDLE_BY_USE)) return undefined;
      return {
        numbers: `requests ${percent(requests)} of allocatable, use ${percent(use)}`,
        remedy:
          'lower the requests of what is over-requested there: nothing more is scheduled, yet nothing is short',
      };
    },
  },
  eviction_problem: {
    title: 'an eviction problem, not a scheduling problem',
    find: ({ allocatableBytes, capacityBytes, requestsBytes, workingSetBytes }) => {
      const requests = ratio(requestsBytes, allocatableBytes);
      const use = ratio(workingSetBytes, capacityBytes);
      if (!(use >= FULL_BY_USE) || !(requests <= EMPTY_BY_REQUESTS)) return undefined;
      return {
        numbers: `requests ${percent(requests)} of allocatable, yet ${percent(use)} of its memory is used`,
        remedy:
          'the scheduler still sends pods there: raise the requests of what is over them, or reserve more for what runs outside pods (systemReserved, kubeReserved)',
      };
    },
  },
} as const satisfies Record<string, FindingRule<NodeMemory>>;

export interface ClusterSubject {
  /** Of the evictable pods whose priority is known. */
  readonly priorities: readonly {
    readonly priority: number;
    readonly priorityClass: string | undefined;
    readonly pods: number;
  }[];
  /** Evictable pods of classes whose value nobody told. */
  readonly unmappedPods: number;
  readonly waitingPods: readonly WaitingPod[];
  readonly largestAllocatableBytes: number | undefined;
}

/** More than half in the highest class: it decides nothing between them. */
const INFLATION_RATIO = 0.5;

export const clusterFindings = {
  priority_inflation: {
    title: 'priority inflation',
    find: ({ priorities, unmappedPods }) => {
      const all = priorities.reduce((sum, { pods }) => sum + pods, unmappedPods);
      const highest = priorities.reduce<ClusterSubject['priorities'][number] | undefined>(
        (top, one) => (top === undefined || one.priority > top.priority ? one : top),
        undefined,
      );
      if (highest === undefined || priorities.length < 2 || highest.pods <= all * INFLATION_RATIO) {
        return undefined;
      }
      // Where values are missing, the default of pods without a class is not what somebody gave to most.
      if (unmappedPods > 0 && highest.priorityClass === undefined) return undefined;
      const name = highest.priorityClass ?? 'no class';
      return {
        numbers: `${highest.pods} of ${all} evictable pods (${percent(highest.pods / all)}) have the highest ${unmappedPods > 0 ? 'known ' : ''}priority, ${highest.priority} (${name})`,
        remedy:
          'keep the highest class for what must outlive the rest: shared by most, it protects none of them',
      };
    },
  },
  request_above_any_node: {
    title: 'request above any node',
    find: ({ waitingPods, largestAllocatableBytes }) => {
      if (largestAllocatableBytes === undefined) return undefined;
      const tooLarge = waitingPods.filter(({ requestBytes }) => requestBytes > largestAllocatableBytes);
      if (tooLarge.length === 0) return undefined;
      const names = tooLarge.map(
        ({ namespace, name, requestBytes }) => `${namespace}/${name} (${formatBytes(requestBytes)})`,
      );
      return {
        numbers: `${names.join(', ')}: the largest node has ${formatBytes(largestAllocatableBytes)} allocatable`,
        remedy: 'lower the request or add a larger kind of node: it will never be scheduled',
      };
    },
  },
} as const satisfies Record<string, FindingRule<ClusterSubject>>;

/** NaN where either is unknown, so that no comparison holds. */
function ratio(part: number | undefined, whole: number | undefined): number {
  return part === undefined || whole === undefined || whole === 0 ? Number.NaN : part / whole;
}
