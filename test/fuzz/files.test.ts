import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/load.ts';
import { readWebConfig } from '../../src/outputs/api/access/web-config.ts';
import { readSnapshotFile, SnapshotReadError } from '../../src/outputs/snapshot-file/read.ts';
import { redactSnapshot } from '../../src/outputs/snapshot-file/redact.ts';
import { serializeSnapshot } from '../../src/outputs/snapshot-file/write.ts';
import { decodeWindow, SavedWindowError } from '../../src/window/saved-window.ts';
import { podList, statsSummary } from '../cli/kubectl-output.ts';
import { startSession } from '../cli/session.ts';
import { folderWith } from '../outputs/api/access/web-config-files.ts';
import { startApi } from '../outputs/api/api-server.ts';
import { sampleSnapshot } from '../outputs/api/sample-data.ts';
import { nearly, nearlyText, runs } from './mutations.ts';

const session = startSession();
afterAll(session.end);

describe('a snapshot file that is nearly right', () => {
  const right: unknown = JSON.parse(serializeSnapshot(sampleSnapshot(), '1.2.3'));

  it('is read or refused by name, and what is read can be shown', async () => {
    const folder = folderWith({});
    const file = join(folder, 'snapshot.json');
    await fc.assert(
      fc.asyncProperty(nearly(right), async (content) => {
        writeFileSync(file, JSON.stringify(content) ?? '');
        const snapshot = await readSnapshotFile(file).catch((error: unknown) => {
          expect(error).toBeInstanceOf(SnapshotReadError);
          return undefined;
        });
        if (snapshot === undefined) return;
        const again = JSON.parse(serializeSnapshot(redactSnapshot(snapshot), '1')) as unknown;
        expect(again).toMatchObject({ format: 'evictrank-snapshot' });
        for (const command of [['rank'], ['rank', '--output', 'csv'], ['simulate', '--node', 'n1']]) {
          const { status, stderr } = await session.run(...command, '--snapshot', file);
          expect([0, 1, 2]).toContain(status);
          expect(stderr).not.toMatch(/TypeError|RangeError|\bat .*:\d+:\d+/);
        }
      }),
      { numRuns: runs / 3 },
    );
  });

  it('is refused where it is cut or damaged, packed or not', async () => {
    const folder = folderWith({});
    const whole = Buffer.from(JSON.stringify(right));
    const packed = gzipSync(whole);
    const place = fc.record({
      packs: fc.boolean(),
      cut: fc.nat(),
      flips: fc.array(fc.nat(), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(place, async ({ packs, cut, flips }) => {
        const bytes = Buffer.from(packs ? packed : whole);
        for (const at of flips) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << (at % 8));
        const file = join(folder, 'damaged');
        writeFileSync(file, bytes.subarray(0, cut % bytes.length));
        await expect(readSnapshotFile(file)).rejects.toBeInstanceOf(SnapshotReadError);
      }),
      { numRuns: runs },
    );
  });

  it('serves every route where it is read', async () => {
    const folder = folderWith({});
    const file = join(folder, 'snapshot.json');
    await fc.assert(
      fc.asyncProperty(nearly(right), async (content) => {
        writeFileSync(file, JSON.stringify(content) ?? '');
        const snapshot = await readSnapshotFile(file).catch(() => undefined);
        if (snapshot === undefined) return;
        const api = await startApi(snapshot);
        for (const path of [
          'status',
          'nodes',
          'pods',
          'workloads',
          'workloads?format=csv',
          'nodes/n1',
          'pods/default/api',
        ]) {
          expect((await api.get(`/api/v1/${path}`)).status).toBeLessThan(500);
        }
      }),
      { numRuns: runs / 10 },
    );
  });
});

it('files of kubectl that are nearly right are ranked or refused in one line', async () => {
  const pods = podList([
    {
      namespace: 'a',
      name: 'x',
      priority: 0,
      containers: [{ name: 'c', resources: { requests: { memory: '100Mi' } } }],
      stats: { memory: { workingSetBytes: 5 } },
    },
  ]);
  const summary = statsSummary([
    { namespace: 'a', name: 'x', stats: { memory: { workingSetBytes: 5 } } },
  ] as never);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.tuple(nearly(pods), fc.constant<unknown>(summary)),
        fc.tuple(fc.constant<unknown>(pods), nearly(summary)),
      ),
      async ([podFile, summaryFile]) => {
        const { status, stderr } = await session.run(
          'rank',
          '--pods',
          session.file('pods.json', JSON.stringify(podFile) ?? ''),
          '--summary',
          session.file('summary.json', JSON.stringify(summaryFile) ?? ''),
        );
        expect([0, 1]).toContain(status);
        expect(stderr).not.toMatch(/TypeError|RangeError|Cannot read|\bat .*:\d+:\d+/);
      },
    ),
    { numRuns: runs },
  );
});

it.each([
  ['lists in one another', '['.repeat(200_000)],
  ['lists that end', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['objects in one another', '{"items":'.repeat(100_000)],
  ['a property of every object', '{"__proto__":{"kind":"PodList","items":[]}}'],
])('a file with %s is refused in one line', async (_name, text) => {
  const file = session.file('deep.json', text);
  for (const source of [
    ['--snapshot', file],
    ['--pods', file, '--summary', file],
  ]) {
    const { status, stdout, stderr } = await session.run('rank', ...source);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('deep.json');
    expect(stderr).not.toMatch(/RangeError|call stack/);
  }
});

it('a web configuration that is nearly right is read or refused by name', async () => {
  const text =
    'tls_server_config:\n  cert_file: a\n  key_file: b\nbasic_auth_users:\n  alice: $2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ\nbearer_token_files: [c]\n';
  const file = join(folderWith({}), 'web.yaml');
  await fc.assert(
    fc.asyncProperty(fc.oneof(nearlyText(text), fc.string({ unit: 'binary' })), async (content) => {
      writeFileSync(file, content);
      await readWebConfig(file).catch((error: unknown) => expect(error).toBeInstanceOf(ConfigError));
    }),
    { numRuns: runs },
  );
});

it('any bytes are a saved window or a SavedWindowError', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, hasStart) => {
      const content = hasStart
        ? Buffer.concat([Buffer.from('evictrank window\n'), bytes])
        : Buffer.from(bytes);
      let position = 0;
      const source = {
        sizeBytes: content.length,
        read: async (target: Uint8Array) => {
          const count = content.copy(target, 0, position);
          position += count;
          return count;
        },
      };
      await expect(decodeWindow(source, { fingerprint: '', hoursKept: 3 })).rejects.toBeInstanceOf(
        SavedWindowError,
      );
    }),
    { numRuns: runs },
  );
});
