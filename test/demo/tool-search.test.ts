import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTool, ToolMissingError } from '../../src/demo/tool-search.ts';
import { type ToolName, tools } from '../../src/demo/tools.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evictrank-tools-'));
  mkdirSync(join(folder, 'chromium'));
  for (const program of ['prometheus', 'prometheus-alertmanager', 'elsewhere']) {
    writeFileSync(join(folder, program), '#!/bin/sh\n');
    chmodSync(join(folder, program), 0o755);
  }
  writeFileSync(join(folder, 'promtool'), 'no program');
  chmodSync(join(folder, 'promtool'), 0o644);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the search for a tool', () => {
  const cases: {
    name: string;
    tool: ToolName;
    environment: () => NodeJS.ProcessEnv;
    found: string | undefined;
  }[] = [
    {
      name: 'takes the program in PATH',
      tool: 'prometheus',
      environment: () => ({ PATH: `/no/such/folder:${folder}` }),
      found: 'prometheus',
    },
    {
      name: "knows Debian's other name of a program",
      tool: 'alertmanager',
      environment: () => ({ PATH: folder }),
      found: 'prometheus-alertmanager',
    },
    {
      name: 'prefers the environment variable to PATH',
      tool: 'prometheus',
      environment: () => ({ PATH: folder, PROMETHEUS_BIN: join(folder, 'elsewhere') }),
      found: 'elsewhere',
    },
    {
      name: 'takes an empty environment variable as unset',
      tool: 'prometheus',
      environment: () => ({ PATH: folder, PROMETHEUS_BIN: '' }),
      found: 'prometheus',
    },
    {
      name: 'passes over a file that cannot be executed',
      tool: 'promtool',
      environment: () => ({ PATH: folder }),
      found: undefined,
    },
    {
      name: 'passes over a folder of that name',
      tool: 'chromium',
      environment: () => ({ PATH: folder }),
      found: undefined,
    },
  ];
  test.each(cases)('$name', ({ tool, environment, found }) => {
    expect(findTool(tool, { environment: environment(), unpackedFolder: '/no/such/folder' })).toBe(
      found === undefined ? undefined : join(folder, found),
    );
  });

  test('takes what was unpacked before where PATH has nothing', () => {
    mkdirSync(join(folder, 'usr/bin'), { recursive: true });
    writeFileSync(join(folder, 'usr/bin/victoria-metrics'), '#!/bin/sh\n', { mode: 0o755 });
    expect(findTool('victoriaMetrics', { environment: { PATH: '' }, unpackedFolder: folder })).toBe(
      join(folder, 'usr/bin/victoria-metrics'),
    );
  });

  test('refuses an environment variable that names nothing executable instead of falling back', () => {
    const environment = { PATH: folder, PROMETHEUS_BIN: '/no/such/program' };
    expect(() => findTool('prometheus', { environment })).toThrow(ToolMissingError);
    expect(() => findTool('prometheus', { environment })).toThrow(/PROMETHEUS_BIN names \/no\/such\/program/);
  });

  test('every tool has its own environment variable', () => {
    const variables = Object.values(tools).map(({ environmentVariable }) => environmentVariable);
    expect(new Set(variables).size).toBe(variables.length);
  });
});
