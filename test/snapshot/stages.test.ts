import { expect, it } from 'vitest';
import { createStageTimes } from '../../src/snapshot/stages.ts';

it('counts the time of each stage, also of one that fails, and leaves out those that did not run', async () => {
  let nowMs = 0;
  const stages = createStageTimes(() => nowMs);
  const taking = (ms: number) => () => {
    nowMs += ms;
    return ms;
  };
  expect(await stages.measure('collect', taking(1_500))).toBe(1_500);
  await stages.measure('rank', taking(20));
  await stages.measure('rank', taking(30));
  const failing = stages.measure('render', async () => {
    nowMs += 7;
    throw new Error('it broke');
  });
  await expect(failing).rejects.toThrow('it broke');
  expect(stages.seconds()).toEqual({ collect: 1.5, rank: 0.05, render: 0.007 });
});
