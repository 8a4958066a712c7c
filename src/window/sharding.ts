import { type KnownPods, type Shard, splitIntoShards, splitShard, wholeShard } from '../inputs/shard.ts';

/** The parts one question is asked in. Remembers what worked, so that a backend refuses once and not at every refresh. */
export interface Sharding {
  shards(): readonly Shard[];
  /** What to ask instead of a shard that was too much; undefined where it cannot be split any further. */
  replace(refused: Shard, known: KnownPods): readonly Shard[] | undefined;
  /** Splits ahead of a refusal that can be foreseen. */
  atLeast(count: number, known: () => KnownPods): void;
  /** Now and then tries whether one question will do again: limits are raised, and clusters shrink. */
  hourPassed(): void;
}

/** More parts than this and something else is wrong. */
const maxShards = 1024;
const maxWaitHours = 168;

export function createSharding(): Sharding {
  let shards: readonly Shard[] = [wholeShard];
  // What worked before the trial that is going on.
  let proven: readonly Shard[] | undefined;
  let waitHours = 1;
  let hoursSplit = 0;

  return {
    shards: () => shards,
    replace(refused, known) {
      if (proven !== undefined) {
        shards = proven;
        proven = undefined;
        waitHours = Math.min(waitHours * 2, maxWaitHours);
        if (refused === wholeShard) return shards;
      }
      const halves = shards.length < maxShards ? splitShard(refused, known) : undefined;
      if (halves === undefined) return undefined;
      shards = shards.flatMap((shard) => (shard === refused ? halves : [shard]));
      return halves;
    },
    atLeast(count, known) {
      if (shards.length < count) shards = splitIntoShards(Math.min(count, maxShards), known());
    },
    hourPassed() {
      proven = undefined;
      if (shards.length === 1 || ++hoursSplit < waitHours) return;
      hoursSplit = 0;
      proven = shards;
      shards = [wholeShard];
    },
  };
}
