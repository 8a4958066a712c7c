import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { renderSnapshot } from '../../src/outputs/metrics/render.ts';
import { refreshOnce } from '../../src/snapshot/refresh.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { noWindowKeeper } from '../../src/window/no-window.ts';
import { startSession } from '../cli/session.ts';
import { startApi } from '../outputs/api/api-server.ts';
import { clientFor } from '../prometheus/settings.ts';
import { plainScope } from '../support/plain-scope.ts';
import { startWireBackend } from '../support/wire-backend.ts';
import { smallCluster, type WireValues } from '../support/wire-cluster.ts';

/** As Prometheus writes them; the finite ones have infinite sums, or quotients. */
const absurd = [
  '1e308',
  '-1e308',
  '1.7976931348623157e+308',
  '9007199254740991',
  '5e-324',
  '0',
  'NaN',
  '+Inf',
];
const measures = ['usage', 'request', 'capacity', 'workingSet'] as const;

const cases: readonly (readonly [string, WireValues])[] = absurd.flatMap((value) => [
  ...measures.map((what) => [`a ${what} of ${value}`, { [what]: value }] as const),
  [`everything at ${value}`, Object.fromEntries(measures.map((what) => [what, value]))] as const,
]);

/** `InfinityEi` among them. */
const notFinite = /NaN|Infinity|\bInf\b/;

/** The problem itself says what was dropped. */
const withoutProblems = (text: string): string =>
  text.replaceAll(/NaN, infinite or (beyond 2\^53|too large)/g, '');

async function snapshotOf(url: string): Promise<Snapshot> {
  const config = loadConfig({ flags: { 'prometheus.url': url }, environment: {} });
  const settings = {
    threshold: config.kubeletMemoryThreshold,
    windowMs: 3_600_000,
    requestMargin: 0.15,
    hasClusterLabel: false,
  };
  const parts = { client: clientFor(url), scope: plainScope, window: noWindowKeeper, settings };
  return refreshOnce({ ...parts, priorityClasses: new Map() }, 1_700_000_000_000);
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

it.each(cases)('%s is exported nowhere as a number that is none', async (_name, values) => {
  const backend = await startWireBackend(smallCluster(undefined, values));
  const snapshot = await snapshotOf(backend.url);
  expect(numbersIn(snapshot).filter((value) => !Number.isFinite(value))).toEqual([]);
  const render = { disabledFamilies: new Set<string>(), maxRank: 0 };
  expect([...renderSnapshot(snapshot, render)].join('')).not.toMatch(notFinite);
  const api = await startApi(snapshot);
  for (const path of ['nodes', 'nodes/n1', 'pods', 'pods/a/x', 'workloads?format=csv', 'status']) {
    const { status, text } = await api.get(`/api/v1/${path}`);
    expect(status).toBe(200);
    expect(withoutProblems(text), path).not.toMatch(notFinite);
  }
});

it.each(cases)('%s is printed nowhere either', async (_name, values) => {
  const backend = await startWireBackend(smallCluster(undefined, values));
  const session = startSession();
  onTestFinished(session.end);
  for (const command of [
    ['rank'],
    ['rank', '--output=csv'],
    ['review'],
    ['explain', 'a/x'],
    ['simulate', '--node=n1'],
  ]) {
    const { stdout, stderr } = await session.run(...command, `--prometheus.url=${backend.url}`);
    expect(stdout + stderr).not.toBe('');
    expect(withoutProblems(stdout + stderr), command.join(' ')).not.toMatch(notFinite);
  }
});

it.each(['1e308', '1e900', '99999999999999999999', '9223372036854775807', '1e-999', '1n'])(
  'the quantity %s of a file is printed nowhere as a number that is none',
  async (memory) => {
    const session = startSession();
    onTestFinished(session.end);
    const items = ['x', 'y'].map((name) => ({
      metadata: { namespace: 'a', name, uid: name },
      spec: { nodeName: 'n1', containers: [{ name: 'c', resources: { requests: { memory } } }] },
      status: { phase: 'Running' },
    }));
    const stats = items.map(({ metadata }) => ({ podRef: metadata, memory: { workingSetBytes: 5 } }));
    const node = { nodeName: 'n1', memory: { availableBytes: 1e15, workingSetBytes: 1e15 } };
    const files = [
      '--pods',
      session.file('pods.json', { kind: 'List', items }),
      '--summary',
      session.file('n1.json', { node, pods: stats }),
    ];
    for (const command of [['rank'], ['rank', '--output=json'], ['review'], ['simulate', '--node=n1']]) {
      const { stdout, stderr } = await session.run(...command, ...files);
      expect(stdout + stderr).not.toBe('');
      expect(stdout + stderr, command.join(' ')).not.toMatch(notFinite);
    }
  },
);
