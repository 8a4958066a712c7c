import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSession } from '../cli/session.ts';

/** Blocks of docs/cli.md marked `console` are sessions: a command and everything it prints, notes first. */
const text = readFileSync('docs/cli.md', 'utf8');
const blocks = [...text.matchAll(/```console\n\$ evictrank (.*)\n([\s\S]*?)```/g)].map(
  ([, command = '', output = '']) => ({ command, output }),
);

const session = startSession();
const home = process.cwd();
beforeAll(() => process.chdir('docs/example'));
afterAll(() => {
  process.chdir(home);
  session.end();
});

describe('docs/cli.md', () => {
  test('has sessions', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(5);
  });

  test.each(blocks)('shows what this prints: $command', async ({ command, output }) => {
    const { stdout, stderr } = await session.run(...command.split(' '));
    // A table ends with an empty line, which reads badly in a page.
    expect(`${(stderr + stdout).trimEnd()}\n`).toBe(output);
  });
});
