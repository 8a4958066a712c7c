import type { Coverage } from './coverage.ts';
import type { PeakRows } from './peak-rows.ts';
import type { Progress } from './recent.ts';

/** Everything a restart must not lose. */
export interface WindowState {
  readonly rows: PeakRows;
  readonly coverage: Coverage;
  /** Undefined until the first good refresh. */
  readonly progress: Progress | undefined;
}
