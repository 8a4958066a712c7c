import type { Envelope } from '../response.ts';
import type { FailurePattern } from './failure-pattern.ts';

export type DialectName = 'prometheus' | 'thanos' | 'mimir' | 'victoriametrics';

/** Everything in which one backend differs from another; one file each. */
export interface Dialect {
  /** Sent with every query. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The header that names the tenant; undefined where the backend has none. */
  readonly tenantHeader: string | undefined;
  /** A longer query is refused by the backend. */
  readonly maxQueryBytes: number | undefined;
  /** How its error texts are sorted; the first match wins, and the status decides where none matches. */
  readonly failurePatterns: readonly FailurePattern[];
  /** Why a successful answer lacks a part of the data; undefined if it is complete. */
  missingPart(answer: Pick<Envelope, 'warnings' | 'isPartial'>): string | undefined;
}
