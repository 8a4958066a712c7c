import { execFile } from 'node:child_process';

export interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

/** Runs promtool from PATH. A promtool that cannot be started is an error, not a failed check. */
export function runPromtool(...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    execFile('promtool', args, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(error);
      else resolve({ passed: error === null, output: `${stdout}${stderr}` });
    });
  });
}
