import { joinKey } from '../model/keys.ts';
import type { InputProblem } from '../model/problem.ts';
import { windowAt } from './hour.ts';
import { type HourSummary, listHours, summarizeHours } from './hour-summary.ts';
import { workloadRowKey } from './peak-rows.ts';
import type { PeakWindow } from './peak-window.ts';
import type { WindowState } from './window-state.ts';

/** The read side of the window at one time. It reads the rows themselves, so it is valid until they change. */
export function viewWindow(
  { rows, coverage }: WindowState,
  at: {
    readonly timeMs: number;
    readonly windowHours: number;
    readonly problems: readonly InputProblem[];
    /** Rows of the living by their objects, which are found faster than by name. */
    readonly livingRows: ReadonlyMap<object, number>;
  },
): PeakWindow {
  const hours = windowAt(at.timeMs, at.windowHours);
  let covered = 0;
  for (let hour = hours.first; hour < hours.first + at.windowHours; hour++) {
    if (coverage.isCovered(hour)) covered++;
  }

  function summarize(row: number | undefined, thresholdBytes?: number): HourSummary | undefined {
    const { first, last } = hours;
    return row === undefined ? undefined : summarizeHours(rows.table, row, { first, last, thresholdBytes });
  }

  const hoursOf = (row: number | undefined): readonly number[] | undefined =>
    row === undefined ? undefined : listHours(rows.table, row, hours);

  return {
    coverageRatio: covered / at.windowHours,
    problems: at.problems,
    podPeak(pod) {
      const { cluster, namespace, name, requestBytes } = pod;
      const row = at.livingRows.get(pod) ?? rows.pods.get(joinKey(cluster, namespace, name));
      const summary = summarize(row, requestBytes);
      if (summary?.peakBytes === undefined) return undefined;
      const { peakBytes, observedHours, hoursAbove } = summary;
      return {
        peakBytes,
        timeOverRequestRatio: requestBytes === undefined ? undefined : hoursAbove / observedHours,
      };
    },
    workloadPeakBytes: (workload) => summarize(rows.workloads.get(workloadRowKey(workload)))?.peakBytes,
    observedHours: (workload) => summarize(rows.workloads.get(workloadRowKey(workload)))?.observedHours ?? 0,
    workloadHours: (workload) => hoursOf(rows.workloads.get(workloadRowKey(workload))),
    podHours: ({ cluster, namespace, name }) => hoursOf(rows.pods.get(joinKey(cluster, namespace, name))),
  };
}
