import type { QosClass } from '../../../src/kubelet/qos-class.ts';

const Mi = 1024 * 1024;

/** A pod of the small cluster that the dashboards are tried on. Bytes are functions of the hours since its start. */
export interface WorldPod {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly workload: string;
  readonly workloadKind: string;
  readonly qosClass: QosClass;
  readonly priority: number;
  readonly priorityClass: string;
  readonly requestBytes: number;
  readonly limitBytes: number | undefined;
  readonly isProtected: boolean;
  /** undefined = no stats. */
  readonly usageBytes: (hours: number) => number | undefined;
}

interface Shape {
  readonly requestMi: number;
  readonly limitMi?: number;
  readonly usageMi: (hours: number) => number | undefined;
  readonly qosClass?: QosClass;
  readonly priority?: number;
  readonly priorityClass?: string;
  readonly isProtected?: boolean;
  readonly workloadKind?: string;
}

const wave = (low: number, high: number) => (hours: number) =>
  low + ((high - low) * (1 + Math.sin(hours * 3))) / 2;
const flat = (mi: number) => () => mi;

function pod(path: string, node: string, shape: Shape): WorldPod {
  const [namespace = '', workload = '', name = ''] = path.split('/');
  return {
    namespace,
    name,
    node,
    workload,
    workloadKind: shape.workloadKind ?? 'Deployment',
    qosClass: shape.qosClass ?? 'Burstable',
    priority: shape.priority ?? 0,
    priorityClass: shape.priorityClass ?? '',
    requestBytes: shape.requestMi * Mi,
    limitBytes: shape.limitMi === undefined ? undefined : shape.limitMi * Mi,
    isProtected: shape.isProtected ?? false,
    usageBytes: (hours) => {
      const mi = shape.usageMi(hours);
      return mi === undefined ? undefined : Math.round(mi * Mi);
    },
  };
}

const high = { priority: 100_000, priorityClass: 'business-critical' } as const;
const nodeCritical = { priority: 2_000_001_000, priorityClass: 'system-node-critical' } as const;

/** Every comparator decides somewhere, two pods tie, one is protected, and one has no usage data. */
export const worldPods: readonly WorldPod[] = [
  pod('shop/silent/silent-5d-x1', 'worker-2', { requestMi: 64, usageMi: () => undefined }),
  pod('shop/cart/cart-7c9d-aaaa', 'worker-1', { requestMi: 256, limitMi: 1024, usageMi: wave(420, 700) }),
  pod('shop/cart/cart-7c9d-bbbb', 'worker-1', { requestMi: 256, limitMi: 1024, usageMi: wave(270, 380) }),
  pod('shop/checkout/checkout-0', 'worker-1', {
    ...high,
    requestMi: 512,
    limitMi: 900,
    usageMi: wave(530, 800),
    workloadKind: 'StatefulSet',
  }),
  pod('batch/report/report-x', 'worker-1', { requestMi: 0, usageMi: flat(90), qosClass: 'BestEffort' }),
  pod('batch/twin/twin-a', 'worker-1', { requestMi: 300, usageMi: flat(200) }),
  pod('batch/twin/twin-b', 'worker-1', { requestMi: 300, usageMi: flat(200) }),
  pod('shop/search/search-1', 'worker-1', {
    ...high,
    requestMi: 1024,
    limitMi: 1024,
    usageMi: wave(300, 420),
    qosClass: 'Guaranteed',
  }),
  pod('kube-system/proxy/proxy-w1', 'worker-1', {
    ...nodeCritical,
    requestMi: 0,
    usageMi: flat(60),
    qosClass: 'BestEffort',
    isProtected: true,
    workloadKind: 'DaemonSet',
  }),
  pod('shop/search/search-2', 'worker-2', {
    requestMi: 1024,
    limitMi: 1024,
    usageMi: wave(900, 1000),
    qosClass: 'Guaranteed',
    priority: -10,
    priorityClass: 'spot',
  }),
  pod('data/db/db-0', 'worker-2', {
    ...high,
    requestMi: 2048,
    usageMi: wave(500, 650),
    workloadKind: 'StatefulSet',
  }),
  pod('data/cache/cache-0', 'worker-2', {
    ...high,
    requestMi: 800,
    usageMi: wave(500, 780),
    workloadKind: 'StatefulSet',
  }),
];

/** Pods that were evicted before the end and are still there as objects. */
export const evictedPods = [
  {
    namespace: 'shop',
    name: 'cart-7c9d-zzzz',
    node: 'worker-1',
    workload: 'cart',
    qosClass: 'Burstable',
    overRequestMi: 310,
  },
  {
    namespace: 'batch',
    name: 'report-old',
    node: 'worker-1',
    workload: 'report',
    qosClass: 'BestEffort',
    overRequestMi: 120,
  },
  {
    namespace: 'shop',
    name: 'search-old',
    node: 'worker-2',
    workload: 'search',
    qosClass: 'Guaranteed',
    overRequestMi: -24,
  },
] as const;

export const worldNodes = [
  {
    name: 'worker-1',
    allocatableBytes: 3200 * Mi,
    machineBytes: 3400 * Mi,
    thresholdBytes: 100 * Mi,
    complete: true,
  },
  {
    name: 'worker-2',
    allocatableBytes: 3400 * Mi,
    machineBytes: 3600 * Mi,
    thresholdBytes: 100 * Mi,
    complete: true,
  },
  {
    name: 'worker-3',
    allocatableBytes: 3400 * Mi,
    machineBytes: 3600 * Mi,
    thresholdBytes: 100 * Mi,
    complete: false,
  },
] as const;
