import type { LabelKeys } from './scope.ts';

/** A condition on a namespace or pod name. Conditions are only ever added, so two halves of a shard never overlap. */
interface NameCondition {
  readonly subject: 'namespace' | 'pod';
  readonly holds: boolean;
  /** Regular expression for the whole name, the same in RE2 and JavaScript. */
  readonly pattern: string;
}

/** A part of all pods, told by their names: what one query asks for. No condition = everything. */
export type Shard = readonly NameCondition[];

export const wholeShard: Shard = [];

/** Names of pods by namespace: what is known of how the series are spread. Other names may exist. */
export type KnownPods = ReadonlyMap<string, readonly string[]>;

/** PromQL matchers of a shard, in the label names of one exporter; only those on namespaces where `pods` is false. */
export function shardMatchers(shard: Shard, keys: LabelKeys, of: { pods: boolean }): string[] {
  return shard
    .filter(({ subject }) => subject === 'namespace' || of.pods)
    .map(({ subject, holds, pattern }) => `${keys[subject]}${holds ? '=~' : '!~'}${JSON.stringify(pattern)}`);
}

/**
 * Two shards that together are exactly this one, each with about half of the known pods: by namespace, and within a
 * single namespace by pod name. Undefined where no more than one name is left to tell apart.
 */
export function splitShard(shard: Shard, known: KnownPods): readonly [Shard, Shard] | undefined {
  const hasNamespace = nameFilter(shard, 'namespace');
  const namespaces = [...known].filter(([namespace]) => hasNamespace(namespace));
  const byNamespace = halve(new Map(namespaces.map(([namespace, pods]) => [namespace, pods.length])));
  if (byNamespace !== undefined) return halves(shard, 'namespace', byNamespace);
  const pods = namespaces.flatMap(([, names]) => names).filter(nameFilter(shard, 'pod'));
  const byPod = halve(new Map(pods.map((name) => [name, 1])));
  return byPod === undefined ? undefined : halves(shard, 'pod', byPod);
}

/** At least `count` shards of about one size, as far as the known names allow. */
export function splitIntoShards(count: number, known: KnownPods): Shard[] {
  let shards: Shard[] = [wholeShard];
  while (shards.length < count) {
    const next = shards.flatMap((shard) => splitShard(shard, known) ?? [shard]);
    if (next.length === shards.length) break;
    shards = next;
  }
  return shards;
}

function halves(shard: Shard, subject: NameCondition['subject'], pattern: string): readonly [Shard, Shard] {
  return [
    [...shard, { subject, holds: true, pattern }],
    [...shard, { subject, holds: false, pattern }],
  ];
}

function nameFilter(shard: Shard, subject: NameCondition['subject']): (name: string) => boolean {
  const conditions = shard
    .filter((condition) => condition.subject === subject)
    .map(({ holds, pattern }) => ({ holds, expression: new RegExp(`^(?:${pattern})$`) }));
  return (name) => conditions.every(({ holds, expression }) => expression.test(name) === holds);
}

/**
 * A pattern that holds about half of the weight: names that go on with certain characters after what all have in
 * common. Unlike a list of names it stays short, however many there are. Undefined for fewer than two names.
 */
function halve(weights: ReadonlyMap<string, number>): string | undefined {
  if (weights.size < 2) return undefined;
  const prefix = commonPrefix([...weights.keys()]);
  const groups = new Map<string, number>();
  let total = 0;
  for (const [name, weight] of weights) {
    const next = name.charAt(prefix.length);
    groups.set(next, (groups.get(next) ?? 0) + weight);
    total += weight;
  }
  const heaviestFirst = [...groups].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const chosen: string[] = [];
  let weight = 0;
  for (const [next, share] of heaviestFirst.slice(0, -1)) {
    if (chosen.length > 0 && weight + share > total / 2) continue;
    chosen.push(next);
    weight += share;
  }
  const start = escapeForRegExp(prefix);
  const characters = chosen.filter((next) => next !== '').map(escapeForRegExp);
  const alternatives = chosen.includes('') ? [start] : [];
  if (characters.length > 0) alternatives.push(`${start}[${characters.join('')}].*`);
  return alternatives.join('|');
}

function commonPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names;
  let length = first.length;
  for (const name of others) {
    while (length > 0 && !name.startsWith(first.slice(0, length))) length--;
  }
  return first.slice(0, length);
}

/** Escapes for use both outside and inside of a character class. */
function escapeForRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|-]/g, '\\$&');
}
