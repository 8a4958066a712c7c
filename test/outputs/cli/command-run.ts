import { runProgram } from '../../../src/outputs/cli/program.ts';

export interface Run {
  readonly exitCode: number;
  readonly output: string;
  readonly notes: string;
}

/** Runs the command line as the process does, with a terminal that remembers. */
export async function runCommand(
  words: readonly string[],
  {
    columns = 100,
    isTerminal = false,
    environment = {},
  }: {
    readonly columns?: number | undefined;
    readonly isTerminal?: boolean;
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): Promise<Run> {
  let output = '';
  let notes = '';
  const exitCode = await runProgram(['node', 'evictrank', ...words], {
    version: '1.2.3',
    serve: () => Promise.reject(new Error('no test serves')),
    clock: () => 1_700_000_000_000,
    terminal: {
      write: (text) => {
        output += text;
      },
      note: (text) => {
        notes += text;
      },
      isOutputTerminal: isTerminal,
      isErrorTerminal: false,
      columns,
      environment,
    },
  });
  return { exitCode, output, notes };
}
