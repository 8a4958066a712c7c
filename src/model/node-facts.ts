import { compareText } from '../foundation/text-order.ts';
import type { CollectedInput, CollectedInputs } from '../inputs/collect.ts';
import { minorVersion } from '../kubelet/kubelet-version.ts';
import type { Sample } from '../prometheus/client.ts';
import { clusterOf, joinKey } from './keys.ts';

/** What the node inputs say of one node, as far as it is known. */
export interface NodeFacts {
  readonly capacityBytes: number | undefined;
  readonly allocatableBytes: number | undefined;
  readonly workingSetBytes: number | undefined;
  readonly kubeletVersion: string | undefined;
}

/** Facts by `joinKey(cluster, node)`; every node any node input knows is in it. */
export function nodeFacts({ rows }: CollectedInputs): ReadonlyMap<string, NodeFacts> {
  const capacities = byNode(rows.node_capacity);
  const allocatables = byNode(rows.node_allocatable);
  const workingSets = workingSetsByNode(rows.node_working_set, nodeNames(rows.node_info));
  const versions = kubeletVersions(rows.node_info);
  const known = new Set([...byNode(rows.node_info).keys(), ...capacities.keys(), ...allocatables.keys()]);
  return new Map(
    [...known].map((key) => [
      key,
      {
        capacityBytes: capacities.get(key),
        allocatableBytes: allocatables.get(key),
        workingSetBytes: workingSets.get(key),
        kubeletVersion: versions.get(key),
      },
    ]),
  );
}

function byNode(input: CollectedInput): Map<string, number> {
  const values = new Map<string, number>();
  for (const sample of input.samples) {
    const node = sample.labels[input.keys.node];
    if (node !== undefined) values.set(joinKey(clusterOf(sample, input.keys), node), sample.value);
  }
  return values;
}

/** For some minutes after an upgrade a node may have two series: the higher version is taken to be the newer one. */
function kubeletVersions(input: CollectedInput): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const sample of input.samples) {
    const node = sample.labels[input.keys.node];
    const version = sample.labels.kubelet_version;
    if (node === undefined || !version) continue;
    const key = joinKey(clusterOf(sample, input.keys), node);
    const known = versions.get(key);
    if (known === undefined || isLater(version, known)) versions.set(key, version);
  }
  return versions;
}

function isLater(a: string, b: string): boolean {
  return ((minorVersion(a) ?? 0) - (minorVersion(b) ?? 0) || compareText(a, b)) > 0;
}

/** Node names by name and by internal address, so that `instance="10.0.1.8:10250"` finds its node. */
function nodeNames(input: CollectedInput): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const sample of input.samples) {
    const node = sample.labels[input.keys.node];
    if (node === undefined) continue;
    const cluster = clusterOf(sample, input.keys);
    names.set(joinKey(cluster, node), node);
    if (sample.labels.internal_ip) names.set(joinKey(cluster, sample.labels.internal_ip), node);
  }
  return names;
}

function workingSetsByNode(input: CollectedInput, names: ReadonlyMap<string, string>): Map<string, number> {
  const values = new Map<string, number>();
  for (const sample of input.samples) {
    const cluster = clusterOf(sample, input.keys);
    const node = nodeOf(sample, input, (name) => names.get(joinKey(cluster, name)));
    if (node === undefined) continue;
    const key = joinKey(cluster, node);
    values.set(key, Math.max(values.get(key) ?? 0, sample.value));
  }
  return values;
}

function nodeOf(
  sample: Sample,
  input: CollectedInput,
  resolve: (name: string) => string | undefined,
): string | undefined {
  const node = sample.labels[input.keys.node];
  if (node !== undefined && node !== '') return resolve(node) ?? node;
  const host = sample.labels.instance?.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return host === undefined ? undefined : resolve(host);
}
