import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Left to right; a folder imports only from folders to its left, and from itself. */
const order = [
  'foundation',
  'kubelet',
  'config',
  'prometheus',
  'inputs',
  'model',
  'window',
  'review',
  'snapshot',
  'scenario',
  'explain',
  'outputs',
  'web',
  'alerts',
  'dashboards',
  'demo',
  'docs',
];

/** Packages that one folder alone may use. */
const onlyUsers: Readonly<Record<string, string>> = {
  axios: 'prometheus',
  'prom-client': 'outputs/metrics',
  'node-cache': 'outputs/api',
  bcryptjs: 'outputs/api',
  express: 'outputs/api',
  helmet: 'outputs/api',
  compression: 'outputs/api',
  pino: 'foundation',
  '@grafana/grafana-foundation-sdk': 'dashboards',
  preact: 'web',
};

/** Folders without a clock, the network or files: everything between inputs and snapshot, and the rules. */
const pureFolders = ['kubelet', 'model', 'review', 'scenario', 'explain'];
const impure =
  /\bDate\.now\(|\bnew Date\(\)|\bprocess\.|from 'node:(?:fs|net|http|https|child_process|os)|\bfetch\(/;

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => join('src', file));
const imports = files.flatMap((file): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => ({
    file,
    target: match[1] ?? '',
  })),
);

const folderOf = (file: string): string => relative('src', file).split('/')[0] ?? '';

function brokenImports(edges: readonly Import[]): string[] {
  return edges
    .filter(({ target }) => target.startsWith('.'))
    .filter(({ file, target }) => {
      const from = order.indexOf(folderOf(file));
      const to = order.indexOf(folderOf(normalize(join(dirname(file), target))));
      // main.ts and app.ts stand outside the folders and may see them all, but nobody may import them.
      return from !== -1 && (to === -1 || to > from);
    })
    .map(({ file, target }) => `${file} → ${target}`);
}

function strayUsers(edges: readonly Import[]): string[] {
  return edges
    .filter(({ file, target }) => {
      const name = Object.keys(onlyUsers).find((known) => target === known || target.startsWith(`${known}/`));
      return name !== undefined && !file.startsWith(`src/${onlyUsers[name]}/`);
    })
    .map(({ file, target }) => `${file} uses ${target}`);
}

describe('the structure', () => {
  it('is read in full', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(imports.length).toBeGreaterThan(100);
  });

  it('has only folders whose place in the order is known', () => {
    const unknown = new Set(files.filter((file) => file.split('/').length > 2).map(folderOf));
    expect([...unknown].filter((folder) => !order.includes(folder))).toEqual([]);
  });

  it('lets a folder import only from folders to its left', () => {
    expect(brokenImports(imports)).toEqual([]);
  });

  it('lets a package be used only where it belongs', () => {
    expect(strayUsers(imports)).toEqual([]);
  });

  it('keeps clocks and I/O out of the pure folders', () => {
    const dirty = files
      .filter((file) => pureFolders.includes(folderOf(file)))
      .filter((file) => impure.test(readFileSync(file, 'utf8')));
    expect(dirty).toEqual([]);
  });

  it('would notice each kind of break', () => {
    expect(brokenImports([{ file: 'src/kubelet/rank.ts', target: '../snapshot/build.ts' }])).toHaveLength(1);
    expect(brokenImports([{ file: 'src/model/pod.ts', target: '../app.ts' }])).toHaveLength(1);
    expect(strayUsers([{ file: 'src/inputs/collect.ts', target: 'axios' }])).toHaveLength(1);
    expect(impure.test('const now = Date.now();')).toBe(true);
  });
});
