import { describe, expect, test } from 'vitest';
import { boards, tag } from '../../src/dashboards/identity.ts';
import { colours } from '../../src/dashboards/palette.ts';
import { type CommittedBoard, committedFiles, type Panel, panelsOf, readBoard } from './committed.ts';

const files = committedFiles().map((file) => [file, readBoard(file)] as const);
const variableOrder = ['datasource', 'cluster', 'namespace', 'node', 'workload', 'pod'];
const prometheus = { type: 'prometheus', uid: `\${${'datasource'}}` };

/** Names of the panels for which `holds` is false: the message of a failing test names them. */
function offenders(board: CommittedBoard, holds: (panel: Panel) => boolean): string[] {
  return panelsOf(board)
    .filter((panel) => !holds(panel))
    .map((panel) => panel.title);
}

function overlap({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** Titles of the value columns that no override gives a unit. */
function columnsWithoutUnit(panel: Panel): string[] {
  const renamed = Object.entries(panel.transformations?.at(-1)?.options.renameByName ?? {});
  const values = renamed.filter(([field]) => field.startsWith('Value')).map(([, title]) => title);
  const withUnit = panel.fieldConfig.overrides
    .filter(({ properties }) => properties.some(({ id }) => id === 'unit'))
    .map(({ matcher }) => matcher.options);
  return values.filter((title) => !withUnit.includes(title));
}

function coloursOf(panel: Panel): string[] {
  return [...JSON.stringify(panel).matchAll(/"(?:color|fixedColor)":"([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  );
}

describe.each(files)('%s', (_, board) => {
  test('every panel says what it shows, and why it may be empty', () => {
    expect(offenders(board, (p) => p.description.length > 20)).toEqual([]);
    expect(offenders(board, (p) => (p.fieldConfig.defaults.noValue ?? '').length > 10)).toEqual([]);
  });

  test('every panel has a unit, and every column of a table that shows a query', () => {
    expect(offenders(board, (p) => (p.fieldConfig.defaults.unit ?? '') !== '')).toEqual([]);
    expect(offenders(board, (p) => p.type !== 'table' || columnsWithoutUnit(p).length === 0)).toEqual([]);
  });

  test('every panel and every query asks the chosen data source', () => {
    expect(offenders(board, (p) => JSON.stringify(p.datasource) === JSON.stringify(prometheus))).toEqual([]);
    expect(
      offenders(board, (p) =>
        p.targets.every((t) => JSON.stringify(t.datasource) === JSON.stringify(prometheus)),
      ),
    ).toEqual([]);
  });

  test('panels lie within the 24 columns and do not overlap', () => {
    const crossing = board.panels.filter(
      ({ gridPos: { x, y, w, h } }) => x < 0 || y < 0 || w < 1 || h < 1 || x + w > 24,
    );
    expect(crossing.map((p) => p.title)).toEqual([]);
    const pairs = board.panels.flatMap((a, i) => board.panels.slice(i + 1).map((b) => [a, b] as const));
    expect(pairs.filter(([a, b]) => overlap(a, b)).map(([a, b]) => `${a.title} × ${b.title}`)).toEqual([]);
  });

  test('each row of panels fills the width', () => {
    const widths = new Map<number, number>();
    for (const { gridPos } of board.panels) {
      widths.set(gridPos.y, (widths.get(gridPos.y) ?? 0) + gridPos.w);
    }
    expect([...widths].filter(([, width]) => width !== 24)).toEqual([]);
  });

  test('panel ids are positive and each is used once', () => {
    const ids = board.panels.map((panel) => panel.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true);
  });

  test('query ids are unique within a panel', () => {
    expect(offenders(board, (p) => new Set(p.targets.map((t) => t.refId)).size === p.targets.length)).toEqual(
      [],
    );
  });

  test('tables are sorted by a column they have', () => {
    const tables = panelsOf(board).filter((panel) => panel.type === 'table');
    const unsorted = tables.filter((panel) => {
      const renamed = JSON.stringify(panel.transformations?.at(-1)?.options.renameByName ?? {});
      return !renamed.includes(`"${panel.options.sortBy?.[0]?.displayName}"`);
    });
    expect(unsorted.map((p) => p.title)).toEqual([]);
  });

  test('only panels are used that Grafana 10 to 13 all have', () => {
    expect(offenders(board, (p) => ['stat', 'timeseries', 'table', 'barchart'].includes(p.type))).toEqual([]);
  });

  test('legends of time series show values', () => {
    expect(
      offenders(board, (p) => p.type !== 'timeseries' || (p.options.legend?.calcs.length ?? 0) > 0),
    ).toEqual([]);
  });

  test('no colour is used that is not in the palette', () => {
    const palette: readonly string[] = Object.values(colours);
    expect(offenders(board, (p) => coloursOf(p).every((colour) => palette.includes(colour)))).toEqual([]);
  });

  test('it has the common tag, a schema that Grafana 10 knows, and links that keep variables and time', () => {
    expect(board.tags).toEqual([tag]);
    expect(board.schemaVersion).toBeLessThanOrEqual(38);
    expect(board.links).toEqual([
      expect.objectContaining({ type: 'dashboards', tags: [tag], includeVars: true, keepTime: true }),
    ]);
  });

  test('its variables are a selection of the common ones, in their order', () => {
    const names = board.templating.list.map((variable) => variable.name);
    expect(names).toEqual(variableOrder.filter((name) => names.includes(name)));
    expect(names[0]).toBe('datasource');
  });

  test('cells link to dashboards of the set, keep the time range, and set variables that the target has', () => {
    const urls = [...JSON.stringify(board).matchAll(/"url":"(\/d\/(?:[^"\\]|\\.)+)"/g)].map(
      (m) => m[1] ?? '',
    );
    for (const url of urls) {
      const uid = /^\/d\/([\w-]+)\?/.exec(url)?.[1];
      const target = files.find(([, candidate]) => candidate.uid === uid)?.[1];
      expect(target, url).toBeDefined();
      expect(url).toContain('__url_time_range');
      const set = [...url.matchAll(/var-(\w+)=/g)].map((m) => m[1]);
      const known = target?.templating.list.map((variable) => variable.name) ?? [];
      expect(set.filter((name) => !known.includes(name ?? ''))).toEqual([]);
    }
  });
});

test('uids are the published ones', () => {
  const published = Object.values(boards).map((board) => board.uid);
  expect(new Set(published).size).toBe(published.length);
  for (const [file, board] of files) {
    const expected = Object.values(boards).find((candidate) => file.endsWith(candidate.file));
    expect(board.uid, file).toBe(expected?.uid);
    expect(board.title, file).toBe(expected?.title);
  }
});

test('the cluster is hidden for one cluster and shown for several', () => {
  const hidden = files.map(([file, board]) => {
    const cluster = board.templating.list.find((variable) => variable.name === 'cluster');
    return [file.startsWith('several-clusters/'), cluster?.hide ?? 'absent'] as const;
  });
  expect(hidden.filter(([several, hide]) => hide !== 'absent' && hide !== (several ? 0 : 2))).toEqual([]);
});
