import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { committedFiles, readBoard } from './committed.ts';
import { type DemoStore, startDemoStore } from './demo-store.ts';
import { emptyPlaces } from './proof.ts';
import { readersChoices } from './readers-choices.ts';

/**
 * Places without data on the demo cluster, with the reason. Everything else must have data. A place is
 * `panel title / refId`, `annotation name` or `variable name`.
 */
const emptyByDesign: Readonly<Record<string, string>> = {
  'variable cluster': 'the store holds one cluster and no label says which',
  'Containers / oom': 'no container of the pod was OOM-killed',
  'annotation OOM kills': 'no container of the pod was OOM-killed',
  'Evicted pods of the workload / evicted': 'no evicted pod of the workload is left',
  'annotation Evictions of the workload': 'no evicted pod of the workload is left',
  'Evicted pods / rank': 'evictrank did not run yet when the pods were evicted',
  'Evicted pods / over': 'evictrank did not run yet when the pods were evicted',
};

describe('a real Prometheus with the demo cluster and evictrank', () => {
  let store: DemoStore;
  beforeAll(async () => {
    store = await startDemoStore();
  });
  afterAll(() => store.stop());

  test.each(committedFiles())('answers every query of %s, but for those that may be empty', async (file) => {
    const empty = await emptyPlaces(readBoard(file), store, await readersChoices(file, store));
    expect(empty.filter((place) => !(place in emptyByDesign))).toEqual([]);
  });
});

test('every place that may be empty is on a dashboard', () => {
  const places = new Set(
    committedFiles().flatMap((file) => {
      const board = readBoard(file);
      return [
        ...board.panels.flatMap((panel) =>
          (panel.targets ?? []).map(({ refId }) => `${panel.title} / ${refId}`),
        ),
        ...(board.annotations.list ?? []).map(({ name }) => `annotation ${name}`),
        ...board.templating.list.map(({ name }) => `variable ${name}`),
      ];
    }),
  );
  expect(Object.keys(emptyByDesign).filter((place) => !places.has(place))).toEqual([]);
});
