import { describe, expect, it } from 'vitest';
import { joinKey } from '../../src/model/keys.ts';
import { createCoverage } from '../../src/window/coverage.ts';
import { hourMs } from '../../src/window/hour.ts';
import { createHourTable } from '../../src/window/hour-table.ts';
import { createPeakRows } from '../../src/window/peak-rows.ts';
import { podHours } from '../../src/window/pod-hours.ts';

const api = { cluster: undefined, namespace: 'prod', name: 'api' };

describe('the hours of a pod', () => {
  it('are those kept, oldest first, with gaps where nothing is known', () => {
    const table = createHourTable(4);
    const rows = createPeakRows(table);
    table.moveTo(100);
    const row = rows.podRow(joinKey(undefined, 'prod', 'api'));
    rows.raisePod(row, 98, 500);
    rows.raisePod(row, 100, 700);
    const state = { rows, coverage: createCoverage(), progress: undefined };
    expect(podHours(state, api)).toEqual([
      { endsAtMs: 97 * hourMs, peakBytes: undefined },
      { endsAtMs: 98 * hourMs, peakBytes: 500 },
      { endsAtMs: 99 * hourMs, peakBytes: undefined },
      { endsAtMs: 100 * hourMs, peakBytes: 700 },
    ]);
    expect(podHours(state, { ...api, name: 'other' })).toBeUndefined();
  });
});
