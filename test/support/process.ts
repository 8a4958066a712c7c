import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface TestProcess {
  readonly pid: number;
  /** All of standard output and standard error so far. */
  output(): string;
  /** Waits until the output fits; rejects with the output where it does not within 30 s. */
  outputWhen(pattern: RegExp): Promise<string>;
  /** Exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/** Runs the built program, with nothing of this environment but the path. It ends with the test. */
export function startProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): TestProcess {
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...environment },
  });
  let output = '';
  let changed: () => void = () => undefined;
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    changed();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(stop);
  return {
    pid: child.pid ?? -1,
    output: () => output,
    async outputWhen(pattern) {
      const deadlineMs = performance.now() + 30_000;
      while (!pattern.test(output)) {
        if (performance.now() > deadlineMs) throw new Error(`no ${pattern} in: ${output}`);
        await new Promise<void>((resolve) => {
          changed = resolve;
          setTimeout(resolve, 200);
        });
      }
      return output;
    },
    ended,
    stop,
  };
}

/** Runs the built program to its end. */
export async function runProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = startProcess(args, environment);
  const status = await child.ended;
  return { status, output: child.output() };
}
