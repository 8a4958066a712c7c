import type { Exporter, QueryScope } from './scope.ts';

/** One way to get an input. */
export interface InputSource {
  /** The metric it is read from; shown as the source used. */
  readonly metric: string;
  /** Whose label names its answer carries. */
  readonly exporter: Exporter;
  readonly query: (scope: QueryScope) => string;
}

/** One input: its sources in order of preference, and what is wrong without it. */
export interface InputSpec {
  /** `abort`: without an answer the refresh fails and the last good data stay. `degrade`: published without it, and told. */
  readonly onFailure: 'abort' | 'degrade';
  /** What an empty answer means: `normal` in some clusters, a `problem` worth telling, or `good`: it shows a fault. */
  readonly whenEmpty: 'normal' | 'problem' | 'good';
  /** Labels without which a series cannot be joined; such a series is left out and told. */
  readonly identity: readonly ('namespace' | 'pod' | 'node')[];
  /** What is missing or wrong without it, as a sentence. */
  readonly cost: string;
  /** What brings it back. */
  readonly remedy: string;
  readonly sources: readonly [InputSource, ...InputSource[]];
}
