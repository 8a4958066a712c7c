import type { ZodType, z } from 'zod';

/** One row of the option table: everything there is to know of a setting, in one place. */
export interface Option<Schema extends ZodType = ZodType> {
  /** Name on the command line (`--prometheus.url`), in the file (`prometheus.url: …`) and, upper-cased, in the environment. */
  readonly flag: string;
  /** Placeholder in help texts. */
  readonly value: string;
  /** As a user would write it; undefined = no default. */
  readonly default: string | undefined;
  /** Parses the text a user writes; its messages are shown as they are. */
  readonly schema: Schema;
  /** What it is, and when to change it. */
  readonly help: string;
  /** May be given several times. */
  readonly isList?: boolean;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** The parsed settings of a table, under the table's keys. */
export type Settings<Table extends OptionTable> = {
  readonly [K in keyof Table]: z.output<Table[K]['schema']>;
};

export function option<Schema extends ZodType>(row: Option<Schema>): Option<Schema> {
  return row;
}

/** `--prometheus.url` → `EVICTRANK_PROMETHEUS_URL`. */
export function environmentName(flag: string): string {
  return `EVICTRANK_${flag.replaceAll(/[.-]/g, '_').toUpperCase()}`;
}
