import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { podList, statsSummary } from './kubectl-output.ts';
import { startSession } from './session.ts';

const session = startSession();
afterAll(session.end);

const mi = 2 ** 20;
const container = (memory: string) => [{ name: 'secret-container', resources: { requests: { memory } } }];
const pods = [
  { namespace: 'acme-payments', name: 'acme-api-7d9f', priority: 0, usage: 900, memory: '512Mi' },
  { namespace: 'acme-payments', name: 'acme-batch', priority: -10, usage: 300, memory: '64Mi' },
  { namespace: 'acme-ledger', name: 'acme-batch', priority: 1000, usage: 200, memory: '1Gi' },
].map(({ usage, memory, ...pod }) => ({
  ...pod,
  containers: container(memory),
  stats: { memory: { workingSetBytes: usage * mi } },
}));
const files = [
  '--pods',
  session.file('pods.json', podList(pods)),
  '--summary',
  session.file(
    'summary.json',
    statsSummary(pods, { memory: { workingSetBytes: 1500 * mi, availableBytes: 500 * mi } }),
  ),
];

interface Ranks {
  readonly nodes: readonly { readonly node: string; readonly pods: readonly Record<string, unknown>[] }[];
}

async function ranksOf(...source: readonly string[]): Promise<Ranks> {
  const { stdout, status } = await session.run('rank', ...source, '--output', 'json');
  expect(status).toBe(0);
  return JSON.parse(stdout) as Ranks;
}

describe('evictrank snapshot --redact', () => {
  const target = join(session.file('target', ''), '..', 'for-a-bug-report.json');

  it('writes a file without any name, which ranks as the cluster does', async () => {
    const written = await session.run('snapshot', target, ...files, '--redact');
    expect(written).toMatchObject({ status: 0 });
    const text = readFileSync(target, 'utf8');
    const { nodes } = await ranksOf(...files);
    const names = nodes.flatMap(({ node, pods: ranked }) => [
      node,
      ...ranked.flatMap(({ namespace, pod }) => [String(namespace), String(pod)]),
    ]);
    expect(new Set(names).size).toBe(5);
    for (const name of [...names, 'acme', 'secret', session.file('x', '')]) expect(text).not.toContain(name);

    const redacted = await ranksOf('--snapshot', target);
    const places = ({ nodes: ranked }: Ranks) =>
      ranked.map(({ pods: order }) => order.map(({ namespace: _n, pod: _p, ...place }) => place));
    expect(places(redacted)).toEqual(places({ nodes }));
  });

  it('redacts a snapshot that was written before, and a redacted one anew', async () => {
    const full = `${target}.full`;
    const again = `${target}.again`;
    await session.run('snapshot', full, ...files);
    expect(readFileSync(full, 'utf8')).toContain('acme-api-7d9f');
    await session.run('snapshot', again, '--snapshot', full, '--redact');
    await session.run('snapshot', `${again}.twice`, '--snapshot', again, '--redact');
    expect(readFileSync(again, 'utf8')).not.toContain('acme');
    expect(readFileSync(`${again}.twice`, 'utf8')).toBe(readFileSync(again, 'utf8'));
  });
});
