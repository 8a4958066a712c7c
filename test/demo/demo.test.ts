import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { missingBuild } from '../support/build.ts';

/** The demo starts the built service as a child process, so it can only be tested on a build of these sources. */
const needsBuild = missingBuild();
const timeoutMs = 240_000;

class Demo {
  output = '';
  readonly child: ChildProcess;

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, ['dist/demo/main.js', '--nodes', '20', '--pods', '1', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
  }

  /** Waits for a text, and fails with all output where the demo ends without it. */
  async prints(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      if (this.child.exitCode !== null) throw new Error(`the demo ended without "${text}":\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async exitCode(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  address(name: string): string {
    return new RegExp(`^${name}\\s.*?(http://\\S+?)/?$`, 'm').exec(this.output)?.[1] ?? 'no such address';
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

/** What a command that was printed to be pasted answers. */
async function outputOf(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, command.split(' '));
  return stdout;
}

describe.skipIf(needsBuild !== '')(`the demo${needsBuild}`, () => {
  test(
    'prints the ladder of the seed node and the addresses, and runs until Ctrl-C',
    async () => {
      const demo = new Demo([]);
      await demo.prints('Ctrl-C stops everything');
      expect(demo.output).toMatch(/1 │ logging\/log-shipper .*\n.*2 │ ingress\/ingress-nginx /);
      const [page, prometheus] = [demo.address('page'), demo.address('Prometheus ')];
      expect(await answers(`${page}/-/ready`)).toBe(true);
      expect(await answers(`${prometheus}/-/ready`)).toBe(true);
      const metrics = await (await fetch(`${page}/metrics`)).text();
      expect(metrics).toMatch(/^evictrank_pod_eviction_risk_rank\{.*log-shipper.*basis="now".*\} 1$/m);
      expect(metrics).toMatch(/^evictrank_pod_eviction_risk_rank\{.*ingress-nginx.*basis="now".*\} 2$/m);
      expect(await outputOf(/^node (dist\/main\.js rank .*)$/m.exec(demo.output)?.[1] ?? '')).toMatch(
        /2 +ingress\/ingress-nginx +1000 .* group$/m,
      );
      demo.child.kill('SIGINT');
      expect(await demo.exitCode()).toBe(0);
      expect(await answers(`${page}/-/ready`)).toBe(false);
      expect(await answers(`${prometheus}/-/ready`)).toBe(false);
    },
    timeoutMs,
  );

  test(
    'stops by itself with --exit',
    async () => {
      const demo = new Demo(['--exit']);
      expect(await demo.exitCode()).toBe(0);
      expect(demo.output).toContain('ingress/ingress-nginx');
      // An address that is printed last would be dead by the time it is read.
      expect(demo.output.slice(demo.output.indexOf('ingress/ingress-nginx'))).not.toContain('http://');
      const prometheus = /runs at (http:\S+)/.exec(demo.output)?.[1];
      expect(await answers(`${prometheus}/-/ready`)).toBe(false);
    },
    timeoutMs,
  );

  test(
    'stops at once on Ctrl-C while it is filling Prometheus',
    async () => {
      const demo = new Demo([]);
      await demo.prints('Writing a week');
      const prometheus = /runs at (http:\S+)/.exec(demo.output)?.[1];
      demo.child.kill('SIGINT');
      expect(await demo.exitCode()).toBe(0);
      expect(demo.output).not.toContain('demo:');
      expect(await answers(`${prometheus}/-/ready`)).toBe(false);
    },
    timeoutMs,
  );

  test('refuses an option it does not know with exit code 2', async () => {
    const demo = new Demo(['--podz', '3']);
    expect(await demo.exitCode()).toBe(2);
    expect(demo.output).toContain("unknown option '--podz'");
  });
});

test.skipIf(needsBuild)('the demo refuses a port that is taken, before anything is started', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const demo = new Demo(['--prometheus-port', String(port)]);
  expect(await demo.exitCode()).toBe(1);
  expect(demo.output).toContain(`port ${port} is taken`);
  expect(demo.output).not.toContain('runs at');
  other.close();
});

test('SIGTERM to npm run demo reaches the demo itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-npm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // The script as it stands in package.json, on a program that only says who it is: the real one would build first.
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { demo: string } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { demo: scripts.demo } }));
  mkdirSync(join(folder, 'scripts'));
  writeFileSync(
    join(folder, 'scripts/demo.mjs'),
    'process.on("SIGTERM", () => { console.log("told to stop"); process.exit(0); }); console.log("runs"); setTimeout(() => {}, 20_000);',
  );
  const npm = spawn('npm', ['run', 'demo'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  npm.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.endsWith('runs\n')) npm.kill('SIGTERM');
  });
  await once(npm, 'close');
  expect(output).toContain('told to stop');
}, 30_000);
