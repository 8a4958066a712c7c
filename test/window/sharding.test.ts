import { describe, expect, it } from 'vitest';
import { type KnownPods, wholeShard } from '../../src/inputs/shard.ts';
import { createSharding } from '../../src/window/sharding.ts';

const known: KnownPods = new Map(['a', 'b', 'c', 'd'].map((namespace) => [namespace, ['one', 'two']]));

describe('sharding', () => {
  it('begins with everything at once, and keeps what replaced it', () => {
    const sharding = createSharding();
    expect(sharding.shards()).toEqual([wholeShard]);
    const halves = sharding.replace(wholeShard, known);
    expect(sharding.shards()).toEqual(halves);
    const quarters = sharding.replace(sharding.shards()[0] ?? wholeShard, known);
    expect(sharding.shards()).toEqual([...(quarters ?? []), halves?.[1]]);
  });

  it('tries everything at once again after an hour, and where refused goes back to what worked and waits longer', () => {
    const sharding = createSharding();
    sharding.replace(wholeShard, known);
    const proven = sharding.shards();
    let hours = 0;
    const waits: number[] = [];
    for (let trial = 0; trial < 4; trial++) {
      hours = 0;
      do {
        sharding.hourPassed();
        hours++;
      } while (sharding.shards().length > 1);
      waits.push(hours);
      expect(sharding.replace(wholeShard, known)).toEqual(proven);
      expect(sharding.shards()).toEqual(proven);
    }
    expect(waits).toEqual([1, 2, 4, 8]);
  });

  it('stays with everything at once where that was answered', () => {
    const sharding = createSharding();
    sharding.replace(wholeShard, known);
    sharding.hourPassed();
    sharding.hourPassed();
    expect(sharding.shards()).toEqual([wholeShard]);
    // A refusal after that is a new one.
    expect(sharding.replace(wholeShard, known)).toHaveLength(2);
  });

  it('cannot split what it knows no names of', () => {
    expect(createSharding().replace(wholeShard, new Map())).toBeUndefined();
  });
});
