/** A cluster of any size, the same at every run. Names are as long as real ones, for their length is most of the work. */
export interface BenchPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  readonly qosClass: 'Guaranteed' | 'Burstable' | 'BestEffort';
  readonly priorityClass: string;
  readonly priority: number;
  readonly createdBy: { readonly kind: string; readonly name: string };
  readonly isStatic: boolean;
  readonly hasInitContainer: boolean;
  readonly hasSidecar: boolean;
  readonly requestBytes: number;
  /** What the usage swings around. */
  readonly levelBytes: number;
}

export interface BenchNode {
  readonly name: string;
  readonly ip: string;
  readonly capacityBytes: number;
  readonly allocatableBytes: number;
}

export interface BenchCluster {
  readonly pods: readonly BenchPod[];
  readonly nodes: readonly BenchNode[];
  /** ReplicaSet → Deployment. */
  readonly replicaSets: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly deployment: string;
  }[];
}

const mebibyte = 2 ** 20;
const podsPerWorkload = 10;
const namespaces = 500;

const priorityClasses: readonly (readonly [name: string, value: number])[] = [
  ['', 0],
  ['batch-preemptible', -1000],
  ['business-critical', 100_000],
  ['system-node-critical', 2_000_001_000],
];

/** Even numbers over [0, 1) that look random and need no state. */
function scatter(index: number, salt: number): number {
  let bits = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

export function makeCluster(size: { readonly pods: number; readonly nodes: number }): BenchCluster {
  const nodes = Array.from(
    { length: size.nodes },
    (_, i): BenchNode => ({
      name: `ip-10-${i >> 8}-${i & 255}-17.eu-central-1.compute.internal`,
      ip: `10.${i >> 8}.${i & 255}.17`,
      capacityBytes: 64 * 1024 * mebibyte,
      allocatableBytes: 62 * 1024 * mebibyte,
    }),
  );
  const pods = Array.from({ length: size.pods }, (_, i) => makePod(i, nodes[i % nodes.length]?.name ?? ''));
  const replicaSets = new Map(
    pods
      .filter(({ createdBy }) => createdBy.kind === 'ReplicaSet')
      .map(({ namespace, createdBy: { name } }) => [
        `${namespace}/${name}`,
        { namespace, name, deployment: name.slice(0, name.lastIndexOf('-')) },
      ]),
  );
  return { pods, nodes, replicaSets: [...replicaSets.values()] };
}

function makePod(i: number, node: string): BenchPod {
  const workload = Math.floor(i / podsPerWorkload);
  const [priorityClass = '', priority = 0] =
    priorityClasses[Math.floor(scatter(workload, 1) ** 2 * priorityClasses.length)] ?? [];
  const name = `payment-service-${workload}`;
  const isStateful = workload % 10 === 9;
  const replicaSet = `${name}-${Math.floor(scatter(workload, 2) * 2 ** 36).toString(36)}`;
  const qosClass =
    scatter(workload, 3) < 0.15 ? 'BestEffort' : scatter(workload, 3) < 0.3 ? 'Guaranteed' : 'Burstable';
  const requestBytes =
    qosClass === 'BestEffort' ? 0 : 64 * mebibyte * (1 + Math.floor(scatter(workload, 4) * 16));
  return {
    namespace: `team-${workload % namespaces}-production`,
    name: isStateful ? `${name}-${i % podsPerWorkload}` : `${replicaSet}-${i.toString(36).padStart(5, 'x')}`,
    uid: `0f8c4d2e-6a1b-4c3d-9e5f-${i.toString(16).padStart(12, '0')}`,
    node,
    qosClass,
    priorityClass,
    priority,
    createdBy: isStateful ? { kind: 'StatefulSet', name } : { kind: 'ReplicaSet', name: replicaSet },
    isStatic: i % 1000 === 0,
    hasInitContainer: scatter(i, 5) < 0.1,
    hasSidecar: scatter(i, 6) < 0.05,
    requestBytes,
    levelBytes:
      4096 * Math.floor((8 * mebibyte + (requestBytes + 64 * mebibyte) * scatter(i, 7) * 1.4) / 4096),
  };
}

/** Working set of a pod at a time: within a quarter of its level, in whole pages. */
export function usageBytesAt({ levelBytes }: BenchPod, index: number, timeMs: number): number {
  const swing = scatter(index, Math.floor(timeMs / 60_000)) / 2 - 0.25;
  return 4096 * Math.floor((levelBytes * (1 + swing)) / 4096);
}
