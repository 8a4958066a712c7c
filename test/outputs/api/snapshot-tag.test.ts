import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { startApi } from './api-server.ts';
import { sampleSnapshot } from './sample-data.ts';

const tagged = [
  '/api/v1/nodes',
  '/api/v1/nodes/n1?basis=peak',
  '/api/v1/pods?limit=2',
  '/api/v1/workloads',
  '/api/v1/workloads?format=csv',
];

/** Asks for a path with a condition. */
async function askFor(api: Awaited<ReturnType<typeof startApi>>, path: string, ifNoneMatch?: string) {
  return api.send(path, ifNoneMatch === undefined ? {} : { headers: { 'If-None-Match': ifNoneMatch } });
}

async function tagOf(snapshot: Snapshot, path: string): Promise<string> {
  return (await askFor(await startApi(snapshot), path)).headers.get('etag') ?? '';
}

/** Throws as soon as an answer is built from it. */
function unreadable(snapshot: Snapshot): Snapshot {
  return Object.defineProperties(
    { ...snapshot },
    {
      nodes: { get: () => expect.unreachable('the answer was built') },
      workloads: { get: () => expect.unreachable('the answer was built') },
    },
  );
}

describe('an answer that is a function of the snapshot', () => {
  it.each(tagged)('%s is not built for a client that has it', async (path) => {
    const tag = await tagOf(sampleSnapshot(), path);
    expect(tag).toMatch(/^W\/"1\.2\.3-/);
    const reply = await askFor(await startApi(unreadable(sampleSnapshot())), path, tag);
    expect(reply).toMatchObject({ status: 304, text: '' });
    expect(reply.headers.get('etag')).toBe(tag);
  });

  it('is recognised among several tags', async () => {
    const tag = await tagOf(sampleSnapshot(), '/api/v1/nodes');
    const api = await startApi(sampleSnapshot());
    expect(await askFor(api, '/api/v1/nodes', `"other", ${tag}`)).toMatchObject({ status: 304 });
  });

  it.each([
    ['of an earlier refresh', { ...sampleSnapshot(), evaluatedAtMs: 5 }, '/api/v1/nodes'],
    ['of another page', sampleSnapshot(), '/api/v1/pods'],
    ['of the same page with other parameters', sampleSnapshot(), '/api/v1/nodes?cluster='],
  ])('is sent in full for a tag %s', async (_, snapshot, path) => {
    const tag = await tagOf(snapshot, path);
    expect(await askFor(await startApi(sampleSnapshot()), '/api/v1/nodes', tag)).toMatchObject({
      status: 200,
    });
  });
});

describe('an answer that is none', () => {
  it.each([
    ['/api/v1/nodes/nope', 404],
    ['/api/v1/pods?limit=0', 400],
  ])('%s stays a %i without a tag, whatever the client has', async (path, status) => {
    const api = await startApi(sampleSnapshot());
    const tag = await tagOf(sampleSnapshot(), '/api/v1/nodes');
    for (const condition of ['*', tag]) {
      const reply = await askFor(api, path, condition);
      expect(reply.status).toBe(status);
      expect(reply.headers.get('etag') ?? '').not.toContain('1.2.3-');
    }
  });

  it('stays a 503 before the first refresh', async () => {
    expect(await askFor(await startApi(undefined), '/api/v1/nodes', '*')).toMatchObject({ status: 503 });
  });
});

it('leaves out what depends on more than the snapshot', async () => {
  const api = await startApi(sampleSnapshot());
  for (const path of ['/api/v1/status', '/api/v1/pods/shop/api']) {
    expect((await askFor(api, path)).headers.get('etag') ?? '').not.toContain('1.2.3-');
  }
});
