import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

function run(...args: string[]) {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', timeout: 20_000 });
}

describe('the service as a process', () => {
  it('lists every wrong setting at once and exits 2, having started nothing', () => {
    const { status, stderr, stdout } = run('serve', '--refresh.interval=1', '--review.margin=x');
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('--prometheus.url is missing');
    expect(stderr).toContain('--refresh.interval must be');
    expect(stderr).toContain('--review.margin must be');
  });

  it.each([[['serve', '--nonsense']], [['nonsense']], [[]]])('exits 2 on bad usage: %j', (args) => {
    expect(run(...args).status).toBe(2);
  });

  it.each([['--help'], ['--version']])('exits 0 on %s', (flag) => {
    expect(run(flag)).toMatchObject({ status: 0, stderr: '' });
  });

  it('names a taken address and exits 1', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const { status, stderr } = run(
      'serve',
      '--prometheus.url=http://127.0.0.1:9',
      `--web.listen-address=127.0.0.1:${port}`,
    );
    taken.close();
    expect(status).toBe(1);
    expect(stderr).toContain(`cannot listen on 127.0.0.1:${port} (EADDRINUSE)`);
  });

  it('ends with exit code 0 within five seconds of SIGTERM, in the middle of a refresh', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const service = await startTestService(`http://127.0.0.1:${port}`, { until: '/-/healthy' });
    const startedAt = performance.now();
    process.kill(service.pid, 'SIGTERM');
    await service.gone;
    silent.close();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(service.output()).toContain('"msg":"stopping"');
  });
});
