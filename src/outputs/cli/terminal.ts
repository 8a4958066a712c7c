import pico from 'picocolors';

/** What a command writes to and knows of its surroundings: the process, or a test. */
export interface Terminal {
  /** Data: standard output. */
  write(text: string): void;
  /** Everything else: standard error. */
  note(text: string): void;
  readonly isOutputTerminal: boolean;
  readonly isErrorTerminal: boolean;
  /** Width that tables should keep to; undefined = as wide as they get. */
  readonly columns: number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type Colors = ReturnType<typeof pico.createColors>;

/** Colours only where a person looks, and none where NO_COLOR (https://no-color.org) asks for none. */
export function colorsOf({ isOutputTerminal, environment }: Terminal): Colors {
  return pico.createColors(isOutputTerminal && !environment.NO_COLOR && environment.TERM !== 'dumb');
}

/** The terminal of this process. A reader that goes away, as `head` does, ends it quietly. */
export function processTerminal(): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE')
      process.stderr.write(`evictrank: cannot write (${error.code ?? error.message})\n`);
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  process.stderr.on('error', () => undefined);
  return {
    write: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(text),
    isOutputTerminal: process.stdout.isTTY === true,
    isErrorTerminal: process.stderr.isTTY === true,
    columns: process.stdout.isTTY === true ? process.stdout.columns : undefined,
    environment: process.env,
  };
}

export interface Progress {
  /** Replaces the line shown. */
  show(text: string): void;
  /** Takes the line away; to be called before anything else is written. */
  clear(): void;
}

/** One line of progress on standard error, where that is a terminal; else nothing. */
export function createProgress(terminal: Terminal): Progress {
  let isShown = false;
  const clear = (): void => {
    if (isShown) terminal.note('\r\u001B[K');
    isShown = false;
  };
  return {
    show(text) {
      if (!terminal.isErrorTerminal) return;
      clear();
      terminal.note(printable(text).slice(0, 78));
      isShown = true;
    },
    clear,
  };
}

/** Names come from files and backends: nothing in them may steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}/gu, '\uFFFD');
}
