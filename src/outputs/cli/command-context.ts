import { stringify as stringifyExact } from 'lossless-json';
import type { Clock } from '../../foundation/clock.ts';
import { type Loaded, loadSource } from './load-source.ts';
import type { Source } from './source-options.ts';
import { createProgress, printable, type Terminal } from './terminal.ts';

/** What a command works with. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly version: string;
  /** Ends with exit code 1 although something was printed. */
  markFailed(): void;
}

export const outputFormats = ['table', 'json', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Loads the source and says what is to be known of it, on standard error. */
export async function loadForCommand(
  source: Source,
  context: CommandContext,
  { needsWindow = false } = {},
): Promise<Loaded> {
  const { terminal, clock } = context;
  const loaded = await loadSource(source, { clock, progress: createProgress(terminal), needsWindow });
  for (const note of loaded.notes) terminal.note(`evictrank: ${printable(note)}\n`);
  if (loaded.isDamaged) context.markFailed();
  return loaded;
}

export function writeJson(terminal: Terminal, value: unknown): void {
  terminal.write(jsonText(value));
}

/** Indented; amounts above 2^53 with all their digits. */
export function jsonText(value: unknown): string {
  return `${stringifyExact(value, undefined, 2) ?? 'null'}\n`;
}
