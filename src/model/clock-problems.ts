import type { CollectedInputs } from '../inputs/collect.ts';
import { type InputProblem, problem } from './problem.ts';

/** A `Date` has whole seconds, and an answer takes its time; half of this is a usual scrape interval. */
const LARGEST_DIFFERENCE_MS = 30_000;

/** Everything is asked for at the time that the clock here shows, so where it is wrong, other data are shown than those of now. */
export function clockProblems({ clockAheadMs = 0 }: CollectedInputs): InputProblem[] {
  if (Math.abs(clockAheadMs) <= LARGEST_DIFFERENCE_MS) return [];
  const seconds = Math.round(Math.abs(clockAheadMs) / 1000);
  const message =
    clockAheadMs < 0
      ? `the clock here is ${seconds} s behind that of the backend, so the data shown are older than they seem by that much`
      : `the clock here is ${seconds} s ahead of that of the backend, so pods that have just gone may be shown, and new ones may be missing`;
  return [problem('clock_differs', { subject: 'clock', message, remedy: 'set both clocks by NTP' })];
}
