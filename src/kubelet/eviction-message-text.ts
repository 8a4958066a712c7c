/** Reads what the kubelet wrote about an eviction, of Kubernetes 1.20 and later (formats: pkg/kubelet/eviction/helpers.go). */
import { parseQuantity, type Quantity } from '../foundation/quantity.ts';

export interface NamedUsage {
  readonly name: string;
  readonly usage: Quantity;
  readonly request: Quantity;
}

/** Evicted because the node ran low on a resource. */
export interface NodePressureText {
  readonly kind: 'node_pressure';
  /** memory, ephemeral-storage, inodes or pids. */
  readonly resource: string;
  /** Not written by 1.20. */
  readonly threshold: { readonly quantity: Quantity; readonly available: Quantity } | undefined;
  /** Only with pod-level resources; named whether above its request or not. */
  readonly pod: NamedUsage | undefined;
  /** Only those above their request. */
  readonly containers: readonly NamedUsage[];
  /** Sentences behind those that are known; '' where all were read. */
  readonly unread: string;
}

/** Evicted because the pod passed a limit of its own; other pods and the node play no part. */
export interface StorageLimitText {
  readonly kind: 'storage_limit';
  readonly what: 'container' | 'pod' | 'empty_dir';
  /** Of the container or volume; undefined for the whole pod. */
  readonly name: string | undefined;
  readonly limit: Quantity;
}

export type EvictionText = NodePressureText | StorageLimitText;

const NODE_LOW = /^The node was low on resource: (\S+)\. ?/;
const THRESHOLD = /^Threshold quantity: (\S+), available: (\S+)\. ?/;
const USAGE =
  /^(Container|Pod) (\S+) was using ([^\s,]+), (?:which exceeds its request of (\S+)|request is ([^\s,]+), has larger consumption of \S+)\.(?: |$)/;

const STORAGE_LIMITS: readonly { what: StorageLimitText['what']; pattern: RegExp }[] = [
  {
    what: 'container',
    pattern: /^Container (?<name>\S+) exceeded its local ephemeral storage limit "(?<limit>[^"]+)"\. ?$/,
  },
  {
    what: 'pod',
    pattern: /^Pod ephemeral local storage usage exceeds the total limit of containers (?<limit>\S+)\. ?$/,
  },
  {
    what: 'empty_dir',
    pattern: /^Usage of EmptyDir volume "(?<name>[^"]+)" exceeds the limit "(?<limit>[^"]+)"\. ?$/,
  },
];

/**
 * Answers undefined for a text that is not the kubelet's about an eviction. Throws QuantityError where a sentence
 * has the right words, but a number that is none.
 */
export function parseEvictionMessage(text: string): EvictionText | undefined {
  const trimmed = text.trim();
  return parseStorageLimit(trimmed) ?? parseNodePressure(trimmed);
}

function parseStorageLimit(text: string): StorageLimitText | undefined {
  for (const { what, pattern } of STORAGE_LIMITS) {
    const groups = pattern.exec(text)?.groups;
    if (groups?.limit !== undefined) {
      return { kind: 'storage_limit', what, name: groups.name, limit: parseQuantity(groups.limit) };
    }
  }
  return undefined;
}

function parseNodePressure(text: string): NodePressureText | undefined {
  const low = NODE_LOW.exec(text);
  if (low === null) return undefined;
  const [start, resource = ''] = low;
  let rest = text.slice(start.length);
  let threshold: NodePressureText['threshold'];
  const met = THRESHOLD.exec(rest);
  if (met !== null) {
    const [sentence, quantity = '', available = ''] = met;
    threshold = { quantity: parseQuantity(quantity), available: parseQuantity(available) };
    rest = rest.slice(sentence.length);
  }
  let pod: NamedUsage | undefined;
  const containers: NamedUsage[] = [];
  for (let match = USAGE.exec(rest); match !== null; match = USAGE.exec(rest)) {
    const [sentence, what, name = '', usage = '', oldRequest, request = oldRequest ?? ''] = match;
    const named = { name, usage: parseQuantity(usage), request: parseQuantity(request) };
    if (what === 'Pod') pod = named;
    else containers.push(named);
    rest = rest.slice(sentence.length);
  }
  return { kind: 'node_pressure', resource, threshold, pod, containers, unread: rest };
}
