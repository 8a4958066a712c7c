/** Pods and stats as kubectl prints them, with what the tests are about. */
export interface ListedPod {
  readonly namespace: string;
  readonly name: string;
  readonly priority: number | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly containers: readonly object[];
  readonly initContainers?: readonly object[];
  readonly overhead?: Readonly<Record<string, string>> | undefined;
  readonly volumes?: readonly object[];
  /** status.qosClass */
  readonly qosClass?: string;
  /** The pod's entry in the stats summary, without its reference; undefined = it is not mentioned. */
  readonly stats: object | undefined;
}

const node = 'node-1';

/** `kubectl get pods -A -o json` */
export function podList(pods: readonly ListedPod[]): object {
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: pods.map((pod) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace: pod.namespace,
        name: pod.name,
        uid: `uid-${pod.namespace}-${pod.name}`,
        annotations: pod.annotations,
      },
      spec: {
        nodeName: node,
        priority: pod.priority,
        containers: pod.containers,
        initContainers: pod.initContainers,
        overhead: pod.overhead,
        volumes: pod.volumes,
      },
      status: { phase: 'Running', qosClass: pod.qosClass },
    })),
  };
}

/** `kubectl get nodes -o json`, of the one node. */
export function nodeList(memoryCapacityBytes: number | bigint, kubeletVersion?: string): object {
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        kind: 'Node',
        metadata: { name: node },
        status: { capacity: { memory: String(memoryCapacityBytes) }, nodeInfo: { kubeletVersion } },
      },
    ],
  };
}

/** `kubectl get --raw /api/v1/nodes/node-1/proxy/stats/summary` */
export function statsSummary(pods: readonly ListedPod[], nodeStats: object = {}): object {
  return {
    node: { nodeName: node, ...nodeStats },
    pods: pods
      .filter(({ stats }) => stats !== undefined)
      .map(({ namespace, name, stats }) => ({
        podRef: { namespace, name, uid: `uid-${namespace}-${name}` },
        ...stats,
      })),
  };
}

/** A container that requests this much of a resource; undefined = no request. */
export function containerRequesting(
  name: string,
  resource: string,
  amount: number | bigint | undefined,
): object {
  return amount === undefined ? { name } : { name, resources: { requests: { [resource]: String(amount) } } };
}

/** A container with resources as they are written in a manifest. */
export interface WrittenContainer {
  readonly name: string;
  readonly requests: Readonly<Record<string, string>> | undefined;
  readonly limits: Readonly<Record<string, string>> | undefined;
}

export function asWritten({ name, requests, limits }: WrittenContainer): object {
  return { name, resources: { requests, limits } };
}

/**
 * The same container made so that the API server's defaults change nothing: a request that is missing beside a limit
 * is written as 0, which counts as unset everywhere and is yet not missing.
 */
export function withoutDefaults({ name, requests, limits }: WrittenContainer): object {
  const zeros = Object.fromEntries(Object.keys(limits ?? {}).map((resource) => [resource, '0']));
  return { name, resources: { requests: { ...zeros, ...requests }, limits } };
}
