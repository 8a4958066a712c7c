import { describe, expect, it } from 'vitest';
import { joinKey } from '../../src/model/keys.ts';
import { createCoverage } from '../../src/window/coverage.ts';
import { createHourTable } from '../../src/window/hour-table.ts';
import { createPeakRows, workloadRowKey } from '../../src/window/peak-rows.ts';
import { chooseRetired, podMayReturn, vanishedRowLimit } from '../../src/window/retention.ts';

const now = 483_000;

describe('a row of something that vanished', () => {
  it.each([
    ['is given up without data in the window', { lastHour: undefined, mayReturn: true }, true],
    ['is kept while it may return', { lastHour: now - 100, mayReturn: true }, false],
    ['is kept for an hour though its name cannot return', { lastHour: now - 1, mayReturn: false }, false],
    ['is then given up', { lastHour: now - 2, mayReturn: false }, true],
  ])('%s', (_, row, isRetired) => {
    expect(chooseRetired([{ key: 'x', ...row }], now, 10)).toEqual(isRetired ? ['x'] : []);
  });

  it('goes first where there are too many and it was silent for longest', () => {
    const rows = [5, 1, 3].map((age) => ({ key: `age-${age}`, lastHour: now - age, mayReturn: true }));
    expect(chooseRetired(rows, now, 1)).toEqual(['age-5', 'age-3']);
  });

  it.each([
    ['StatefulSet', true],
    ['Node', true],
    ['Pod', true],
    ['CloneSet', true],
    ['Deployment', false],
    ['ReplicaSet', false],
    ['DaemonSet', false],
    ['Job', false],
    ['CronJob', false],
    [undefined, false],
  ])('of a pod of a %s may return: %s', (kind, mayReturn) => {
    expect(podMayReturn(kind)).toBe(mayReturn);
  });

  it('has room in proportion to the living, so that memory stays bounded', () => {
    expect(vanishedRowLimit(100)).toBe(10_000);
    expect(vanishedRowLimit(150_000)).toBe(37_500);
  });
});

describe('rows', () => {
  const web = workloadRowKey({ cluster: undefined, namespace: 'shop', kind: 'Deployment', name: 'web' });
  const pod = (name: string): string => joinKey(undefined, 'shop', name);

  function emptyRows() {
    const table = createHourTable(5);
    table.moveTo(now);
    return createPeakRows(table);
  }

  it('count for the workload what a pod had before its owner was known', () => {
    const rows = emptyRows();
    const row = rows.podRow(pod('web-1'));
    rows.raisePod(row, now - 1, 9);
    expect(rows.hasUnownedData(now - 1)).toBe(true);
    rows.setOwner(row, web);
    rows.raisePod(row, now, 5);
    expect(rows.hasUnownedData(now - 1)).toBe(false);
    const workloadRow = rows.workloads.get(web) ?? -1;
    expect([rows.table.at(workloadRow, now - 1), rows.table.at(workloadRow, now)]).toEqual([9, 5]);
  });

  it('ask no more for the owner of a pod that has none', () => {
    const rows = emptyRows();
    const row = rows.podRow(pod('bare'));
    rows.raisePod(row, now, 9);
    rows.setNoOwner(row);
    expect(rows.hasUnownedData(now)).toBe(false);
  });

  it('of pods that are gone are used again, and the workload keeps their peaks', () => {
    const rows = emptyRows();
    rows.beginRefresh();
    const row = rows.podRow(pod('web-1'));
    rows.setOwner(row, web);
    rows.raisePod(row, now - 3, 9);
    rows.retire(now);
    expect(rows.pods.size).toBe(0);
    expect(rows.podRow(pod('web-2'))).toBe(row);
    expect(rows.table.at(rows.workloads.get(web) ?? -1, now - 3)).toBe(9);
  });

  it('of living pods stay, without data or long without', () => {
    const rows = emptyRows();
    rows.beginRefresh();
    const row = rows.podRow(pod('web-1'));
    rows.setOwner(row, web);
    rows.markLiving(row);
    rows.retire(now);
    expect(rows.pods.size).toBe(1);
    rows.beginRefresh();
    rows.retire(now);
    expect(rows.pods.size).toBe(0);
    expect(rows.workloads.size).toBe(0);
    expect(rows.table.rowCount).toBe(0);
  });
});

describe('coverage', () => {
  const ended = { first: now - 9, last: now };

  it('asks for the newest missing hours, as many in a row as may be', () => {
    const coverage = createCoverage([now, now - 4]);
    expect(coverage.nextMissing(ended, 24)).toEqual({ first: now - 3, last: now - 1 });
    expect(coverage.nextMissing(ended, 2)).toEqual({ first: now - 2, last: now - 1 });
    coverage.cover({ first: now - 3, last: now - 1 });
    expect(coverage.nextMissing(ended, 24)).toEqual({ first: now - 9, last: now - 5 });
    coverage.cover(ended);
    expect(coverage.nextMissing(ended, 24)).toBeUndefined();
  });

  it('takes hours that failed last, and one by one', () => {
    const coverage = createCoverage();
    coverage.postpone({ first: now - 1, last: now });
    expect(coverage.nextMissing(ended, 24)).toEqual({ first: now - 9, last: now - 2 });
    coverage.cover({ first: now - 9, last: now - 2 });
    expect(coverage.nextMissing(ended, 24)).toEqual({ first: now, last: now });
    coverage.postpone({ first: now, last: now });
    expect(coverage.nextMissing(ended, 24)).toEqual({ first: now - 1, last: now - 1 });
  });

  it('forgets hours that have left the window or, after a step of the clock, not ended yet', () => {
    const coverage = createCoverage([now - 20, now - 5, now + 1]);
    coverage.keepWithin(ended);
    expect(coverage.covered()).toEqual([now - 5]);
    coverage.uncover({ first: now - 6, last: now });
    expect(coverage.covered()).toEqual([]);
  });
});
