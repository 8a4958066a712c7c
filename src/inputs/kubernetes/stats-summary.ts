import { z } from 'zod';
import type { PodDiskStats } from '../../kubelet/disk-usage.ts';
import { list, name, optional, statistic, time } from './field-schemas.ts';
import { type FileProblem, InputFileError, pathText } from './file-problem.ts';

/** The kubelet's Summary API (staging/src/k8s.io/kubelet/pkg/apis/stats/v1alpha1/types.go), as far as ranking needs it. */

const memory = optional(
  z.object({
    time: optional(time),
    availableBytes: optional(statistic),
    workingSetBytes: optional(statistic),
  }),
);
const filesystem = {
  availableBytes: optional(statistic),
  capacityBytes: optional(statistic),
  usedBytes: optional(statistic),
  inodesFree: optional(statistic),
  inodes: optional(statistic),
  inodesUsed: optional(statistic),
};
const filesystemStats = optional(z.object(filesystem));

const nodeStats = z.object({
  nodeName: name,
  memory,
  fs: filesystemStats,
  runtime: optional(z.object({ imageFs: filesystemStats, containerFs: filesystemStats })),
  rlimit: optional(z.object({ maxpid: optional(statistic), curproc: optional(statistic) })),
});

const podStats = z.object({
  podRef: z.object({ name, namespace: name, uid: optional(z.string()) }),
  containers: list(z.object({ name, memory, rootfs: filesystemStats, logs: filesystemStats })),
  memory,
  volume: list(z.object({ name, ...filesystem })),
  process_stats: optional(z.object({ process_count: optional(statistic) })),
});

export type NodeStats = z.output<typeof nodeStats>;
export type FilesystemStats = z.output<typeof filesystemStats>;

export interface PodStats {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | undefined;
  /** Of the pod's own cgroup. */
  readonly memory: z.output<typeof memory>;
  readonly containerMemory: readonly z.output<typeof memory>[];
  readonly disk: PodDiskStats;
  readonly processes: z.output<typeof statistic> | undefined;
}

export interface StatsSummary {
  readonly file: string;
  readonly node: NodeStats;
  readonly pods: readonly PodStats[];
}

const command = 'kubectl get --raw /api/v1/nodes/NODE/proxy/stats/summary';
const summaryDocument = z.object({
  kind: z.undefined('has a kind').optional(),
  node: nodeStats,
  pods: z.array(z.unknown()).nullish(),
});

/**
 * One node's summary. A pod in it that cannot be read leaves a problem; the others are read all the same.
 * @throws InputFileError where it is none.
 */
export function readStatsSummary(
  content: unknown,
  file: string,
): { summary: StatsSummary; problems: readonly FileProblem[] } {
  const parsed = summaryDocument.safeParse(content);
  if (!parsed.success) throw notASummary(content, file, parsed.error);
  const pods: PodStats[] = [];
  const problems: FileProblem[] = [];
  for (const [index, value] of (parsed.data.pods ?? []).entries()) {
    const pod = podStats.safeParse(value);
    if (pod.success) pods.push(toPodStats(pod.data));
    else {
      const [issue] = pod.error.issues;
      const path = pathText(['pods', index, ...(issue?.path ?? [])]);
      problems.push({ file, path, message: `${issue?.message ?? 'cannot be read'}; the stats are left out` });
    }
  }
  return { summary: { file, node: parsed.data.node, pods }, problems };
}

function toPodStats(pod: z.output<typeof podStats>): PodStats {
  return {
    ...pod.podRef,
    memory: pod.memory,
    containerMemory: pod.containers.map((one) => one.memory),
    disk: { containers: pod.containers, volumes: pod.volume },
    processes: pod.process_stats?.process_count,
  };
}

function notASummary(content: unknown, file: string, error: z.ZodError): InputFileError {
  const { kind, message, node } = (content ?? {}) as { kind?: unknown; message?: unknown; node?: unknown };
  if (kind === 'Status') {
    return new InputFileError(file, `is an error of Kubernetes instead of data: ${String(message)}`);
  }
  const expected = `where the stats of a node are expected (${command})`;
  if (typeof kind === 'string') return new InputFileError(file, `is a ${kind}, ${expected}`);
  const [issue] = error.issues;
  if (node === undefined || issue === undefined) {
    return new InputFileError(file, `is not a stats summary, ${expected}`);
  }
  return new InputFileError(file, `${pathText(issue.path)}: ${issue.message}, ${expected}`);
}
