import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { committedFiles, readBoard } from './committed.ts';
import { emptyPlaces } from './proof.ts';
import { readersChoices } from './readers-choices.ts';
import { type SeededPrometheus, startSeededPrometheus } from './world/seeded-prometheus.ts';

describe.each([
  { store: 'without a cluster label', cluster: undefined, empty: ['variable cluster'] },
  { store: 'with a cluster label', cluster: 'west', empty: [] },
])('a store $store', ({ cluster, empty }) => {
  let prometheus: SeededPrometheus;
  beforeAll(async () => {
    prometheus = await startSeededPrometheus(cluster);
  });
  afterAll(() => prometheus.stop());

  test.each(committedFiles())('every query of %s has data', async (file) => {
    const board = readBoard(file);
    const hasCluster = board.templating.list.some((variable) => variable.name === 'cluster');
    expect(await emptyPlaces(board, prometheus, await readersChoices(file, prometheus))).toEqual(
      hasCluster ? empty : [],
    );
  });
});
