import { afterAll, beforeAll, expect, test } from 'vitest';
import { committedFiles, type Panel, panelsOf, readBoard } from './committed.ts';
import { applyLook, type QueryAnswer, shownTable, tableFrames, transform } from './grafana-data.ts';
import { answerOf, openingTime } from './proof.ts';
import { readersChoices } from './readers-choices.ts';
import { type SeededPrometheus, startSeededPrometheus } from './world/seeded-prometheus.ts';

let prometheus: SeededPrometheus;
beforeAll(async () => {
  prometheus = await startSeededPrometheus('west');
});
afterAll(() => prometheus.stop());

async function answersOf(file: string, panel: Panel): Promise<QueryAnswer[]> {
  const time = openingTime(readBoard(file), prometheus);
  const choices = await readersChoices(file, prometheus);
  const answers: QueryAnswer[] = [];
  for (const target of panel.targets) {
    const series = await answerOf(target, { choices, time, store: prometheus });
    answers.push({ refId: target.refId, series });
  }
  return answers;
}

async function show(panel: Panel, answers: readonly QueryAnswer[]): Promise<Record<string, string[]>> {
  const [frame, ...others] = applyLook(panel, await transform(panel, tableFrames(answers)));
  if (frame === undefined) throw new Error('Nothing left to show');
  expect(others).toEqual([]);
  return shownTable(frame);
}

function panelOf(file: string, title: string): Panel {
  const panel = panelsOf(readBoard(file)).find((candidate) => candidate.title === title);
  if (panel === undefined) throw new Error(`No panel ${title} in ${file}`);
  return panel;
}

/** The titles that a table should show, from left to right. */
function wantedColumns(panel: Panel): string[] {
  const { indexByName = {}, renameByName = {} } = panel.transformations?.at(-1)?.options ?? {};
  return Object.entries(indexByName)
    .filter(([name]) => name !== 'Value' || panel.targets.length === 1)
    .toSorted(([, a], [, b]) => a - b)
    .map(([name]) => renameByName[name] ?? name);
}

const tables = committedFiles().flatMap((file) =>
  panelsOf(readBoard(file))
    .filter((panel) => panel.type === 'table')
    .map((panel) => [file, panel.title, panel] as const),
);

test.each(tables)(
  '%s: the table "%s" shows its columns in order, one row for each thing',
  async (file, _, panel) => {
    const answers = await answersOf(file, panel);
    const shown = await show(panel, answers);
    expect(Object.keys(shown)).toEqual(wantedColumns(panel));
    const rows = Math.max(...answers.map(({ series }) => series.length));
    for (const [title, cells] of Object.entries(shown)) expect(cells, title).toHaveLength(rows);
  },
);

/** Rows of a table as lines of text, in the order of the panel's own sort column. */
async function linesOf(file: string, title: string, columns: readonly string[]): Promise<string[]> {
  const panel = panelOf(file, title);
  const shown = await show(panel, await answersOf(file, panel));
  const rows = (shown[columns[0] ?? ''] ?? []).map((_, row) =>
    columns.map((column) => shown[column]?.[row] ?? '').join(' | '),
  );
  return rows.toSorted();
}

test('the ladder shows the order of the node, with the group and the comparator that decided, in words', async () => {
  const columns = ['Rank', 'Pod', 'Group', 'Decided by', 'Priority', 'QoS class'];
  expect(await linesOf('node-ladder.json', 'Eviction order now', columns)).toEqual([
    '1 | cart-7c9d-aaaa | Over request | Amount | 0 | Burstable',
    '2 | cart-7c9d-bbbb | Over request | Amount | 0 | Burstable',
    '3 | report-x | Over request | Priority | 0 | BestEffort',
    '4 | checkout-0 | Over request | Group | 100000 | Burstable',
    '5 | twin-a | Within request | Priority | 0 | Burstable',
    '5 | twin-b | Within request | Priority | 0 | Burstable',
    '7 | search-1 | Within request | Last in order | 100000 | Guaranteed',
  ]);
});

test('a node without data is shown as such, with a dash in the cells', async () => {
  const columns = ['Node', 'Data', 'Headroom', 'Inversions'];
  const [, second, third] = await linesOf('eviction-risk.json', 'Nodes by headroom', columns);
  expect(second).toMatch(/^worker-2 \| complete \| [\d.]+ [MG]iB \| 1$/);
  expect(third).toBe('worker-3 | missing | – | –');
});

test('evicted pods show the class one assumes, and how far over the request they were', async () => {
  const columns = ['Pod', 'Node', 'QoS class', 'Last rank', 'Last over request'];
  expect(await linesOf('evictions-by-qos-class.json', 'Evicted pods', columns)).toEqual([
    'cart-7c9d-zzzz | worker-1 | Burstable | 1 | 310.0 MiB',
    'report-old | worker-1 | BestEffort | 1 | 120.0 MiB',
    'search-old | worker-2 | Guaranteed | 1 | -24.0 MiB',
  ]);
});

test('evictions are counted from the first one on, also where the kubelet names its node only as instance', async () => {
  const columns = ['Node', 'Signal', 'Evictions'];
  expect(await linesOf('evictions-by-qos-class.json', 'Evictions by node', columns)).toEqual([
    'worker-1 | memory.available | 2',
    'worker-2 | memory.available | 1',
  ]);
});

test('only evicted pods of the chosen workload are listed beside the pod', async () => {
  expect(await linesOf('pod.json', 'Evicted pods of the workload', ['Pod', 'QoS class'])).toEqual([
    'cart-7c9d-zzzz | Burstable',
  ]);
});

test('the bars of the groups have one part for each QoS class', async () => {
  const panel = panelOf('eviction-risk.json', 'Comparator groups by QoS class');
  const shown = await show(panel, await answersOf('eviction-risk.json', panel));
  expect(new Set(Object.keys(shown))).toEqual(
    new Set(['group\\qos_class', 'BestEffort', 'Burstable', 'Guaranteed']),
  );
  expect(new Set(shown['group\\qos_class'])).toEqual(
    new Set(['No figures', 'Over request', 'Within request', 'Never evicted']),
  );
});

test('a table keeps its columns where every query but the first is empty or not answered', async () => {
  const panel = panelOf('node-ladder.json', 'Eviction order now');
  const answers = await answersOf('node-ladder.json', panel);
  const whole = await show(panel, answers);
  const empty = await show(
    panel,
    answers.map((answer, i) => (i === 0 ? answer : { ...answer, series: [] })),
  );
  const unanswered = await show(panel, answers.slice(0, 1));
  for (const column of ['Rank', 'Pod', 'Group']) {
    expect(empty[column]).toEqual(whole[column]);
    expect(unanswered[column]).toEqual(whole[column]);
  }
});
