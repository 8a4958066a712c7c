import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { EvictrankError } from '../foundation/errors.ts';
import { leash } from './leash.ts';

/** A server this program started did not come up, or went down. */
export class ChildServerError extends EvictrankError {
  override readonly name = 'ChildServerError';
}

export interface ChildServerSpec {
  /** For messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Answers 2xx once the server can be used. */
  readonly readyUrl: string;
  readonly startTimeoutMs?: number;
  /** How long it may take to stop before it is killed. */
  readonly stopTimeoutMs?: number;
  /** Its folder, removed once it has stopped. */
  readonly folder?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

export interface ChildServer {
  readonly pid: number;
  /** Resolves once the process is gone, for whatever reason. */
  readonly gone: Promise<void>;
  /** The last part of what it wrote to standard output and standard error. */
  output(): string;
  /** SIGTERM, SIGKILL after a bound; then the folder is removed. May be called more than once. */
  stop(): Promise<void>;
}

const keptOutputCharacters = 16_384;

/** Starts a server and waits until it is ready; rejects with ChildServerError, having left nothing behind, where it is not. */
export async function startChildServer(spec: ChildServerSpec): Promise<ChildServer> {
  const child = spawn(spec.command, spec.args, {
    // Its own process group, so that Ctrl-C reaches only this program, which then stops its servers in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...spec.environment },
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-keptOutputCharacters);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const finish = (): void => {
      isGone = true;
      resolve();
    };
    child.once('exit', finish);
    child.once('error', (error) => {
      output += error.message;
      finish();
    });
  });
  const { pid } = child;
  const untie = pid === undefined ? () => undefined : leash(pid, spec.folder);

  const stopOnce = async (): Promise<void> => {
    if (!isGone) {
      child.kill('SIGTERM');
      await Promise.race([gone, delay(spec.stopTimeoutMs ?? 10_000, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await gone;
    }
    if (spec.folder !== undefined) {
      await rm(spec.folder, { recursive: true, force: true, maxRetries: 3 });
    }
    untie();
  };
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= stopOnce();
    return stopping;
  };

  const deadlineMs = performance.now() + (spec.startTimeoutMs ?? 30_000);
  while (!isGone && performance.now() < deadlineMs) {
    if (await answersReady(spec.readyUrl)) {
      return { pid: pid ?? -1, gone, output: () => output, stop };
    }
    await Promise.race([gone, delay(100)]);
  }
  const what = isGone ? 'ended before it was ready' : 'was not ready in time';
  await stop();
  throw new ChildServerError(`${spec.name} (${spec.command}) ${what}: ${lastLines(output)}`);
}

async function answersReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function lastLines(output: string): string {
  const text = output.trim().split('\n').slice(-5).join('\n');
  return text === '' ? 'it wrote nothing' : text;
}
