import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parameterTable } from '../../src/alerts/parameters.ts';
import { runPromtool } from './promtool.ts';
import { alertRules } from './rules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const runbook = read('alerts/RUNBOOK.md');
const docs = read('docs/alerts.md');

describe('docs/alerts.md', () => {
  const rows = [...docs.matchAll(/^\| `(\w+)` +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, name, fallback, help]) => ({
      name,
      fallback,
      help,
    }),
  );

  test('it has a row for every parameter, as the code has it, and no other', () => {
    const wanted = Object.entries(parameterTable).map(([name, { fallback, help }]) => ({
      name,
      fallback: fallback === '' ? 'none' : `\`${fallback.replaceAll('|', '\\|')}\``,
      help,
    }));
    expect(rows).toEqual(wanted);
  });

  test('every alert it names exists', () => {
    const names = [...docs.matchAll(/\bEvictrank[A-Z]\w+/g)].map(([name]) => name);
    for (const name of names) expect(alertRules.map(({ alert }) => alert)).toContain(name);
  });
});

test('the Prometheus configuration it shows is one, with the rules beside it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'evictrank-docs-'));
  try {
    const [, shown = ''] = /### Prometheus\n[^`]*`prometheus.yml`[^`]*```yaml\n([^`]*)```/.exec(docs) ?? [];
    const { rule_files } = parse(shown) as { rule_files: readonly string[] };
    for (const name of rule_files) await copyFile(join(root, 'alerts', name), join(directory, name));
    await writeFile(join(directory, 'prometheus.yml'), shown);
    const { passed, output } = await runPromtool('check', 'config', join(directory, 'prometheus.yml'));
    expect(passed, output).toBe(true);
  } finally {
    await rm(directory, { recursive: true });
  }
});

describe('alerts/RUNBOOK.md', () => {
  const sections = runbook.split(/^## /m).slice(1);
  const headings = sections.map((section) => section.split('\n')[0]);

  test('it has one section per alert, and no other', () => {
    expect(headings.toSorted()).toEqual(alertRules.map(({ alert }) => alert).toSorted());
  });

  test.for(sections.map((section) => [section.split('\n')[0], section] as const))(
    '%s has its four headings, each with a text',
    ([, section]) => {
      const parts = section.split(/^### /m).slice(1);
      expect(parts.map((part) => part.split('\n')[0])).toEqual([
        'Meaning',
        'Impact',
        'Diagnosis',
        'Mitigation',
      ]);
      for (const part of parts) expect(part.split('\n').slice(1).join('').trim()).not.toBe('');
    },
  );

  test('every parameter it names exists', () => {
    const names = [...runbook.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name]) => name);
    const others = new Set(['decidedBy', 'globalDefault', 'scopeSelector', 'systemContainers']);
    for (const name of names) if (!others.has(name ?? '')) expect(parameterTable).toHaveProperty(name ?? '');
  });
});

describe('commands', () => {
  /** The subcommands of `evictrank`. */
  const subcommands = [
    'serve',
    'rank',
    'explain',
    'review',
    'simulate',
    'explain-message',
    'check',
    'snapshot',
  ];
  const descriptions = alertRules.map(({ alert, annotations }) => [alert, annotations.description] as const);
  test.for([['the runbook', runbook] as const, ['docs/alerts.md', docs] as const, ...descriptions])(
    '%s names only commands that exist',
    ([, text]) => {
      for (const [, name] of text.matchAll(/(?:`|\| )evictrank ([a-z-]+)/g))
        expect(subcommands).toContain(name);
    },
  );
});
