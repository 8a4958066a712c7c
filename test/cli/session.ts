import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../src/outputs/cli/program.ts';

export interface SessionResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Session {
  /** Writes a file of the session's folder and answers its path. Text is written as it is, all else as JSON. */
  file(name: string, content: unknown): string;
  /** Runs `evictrank …` in this process, through the parsing of its arguments. */
  run(...args: readonly string[]): Promise<SessionResult>;
  end(): void;
}

/** The command line as a user has it, in a folder of its own, with nothing from the environment. */
export function startSession(
  surroundings: {
    /** What the clock shows; default: the first moment of 2026. */
    readonly nowMs?: number;
    readonly columns?: number;
    readonly isTerminal?: boolean;
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): Session {
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-cli-'));
  return {
    file(name, content) {
      const path = join(folder, name);
      writeFileSync(path, typeof content === 'string' ? content : exactJson(content));
      return path;
    },
    async run(...args) {
      let [stdout, stderr] = ['', ''];
      const status = await runProgram(['node', 'evictrank', ...args], {
        version: '0.0.0',
        serve: () => Promise.reject(new Error('the service is not part of these sessions')),
        clock: () => surroundings.nowMs ?? Date.parse('2026-01-01T00:00:00Z'),
        terminal: {
          write(text) {
            stdout += text;
          },
          note(text) {
            stderr += text;
          },
          isOutputTerminal: surroundings.isTerminal ?? false,
          isErrorTerminal: false,
          columns: surroundings.columns,
          environment: surroundings.environment ?? {},
        },
      });
      return { status, stdout, stderr };
    },
    end: () => rmSync(folder, { recursive: true }),
  };
}

/** JSON in which bigints stand as the numbers they are, as Go writes them. */
function exactJson(content: unknown): string {
  const marked = JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'bigint' ? `bigint:${value}` : value,
  );
  return marked.replaceAll(/"bigint:(-?\d+)"/g, '$1');
}
