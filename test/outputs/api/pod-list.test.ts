import { describe, expect, it } from 'vitest';
import type { PodList } from '../../../src/outputs/api/pod-list.ts';
import { nodeOf, podOf, snapshotOf } from '../../snapshot/sample-snapshot.ts';
import { type ApiServer, startApi } from './api-server.ts';

/** Three nodes of seven pods each, two of which are never evicted. */
const snapshot = snapshotOf(
  ['n1', 'n2', 'n3'].map((node) =>
    nodeOf({
      name: node,
      pods: Array.from({ length: 7 }, (_, index) =>
        podOf({
          name: `${node}-pod-${index}`,
          node,
          usageBytes: index % 2 === 0 ? 300 : 100,
          isStatic: index === 0,
          priority: index === 1 ? 2_000_000_000 : 0,
        }),
      ),
    }),
  ),
);

const list = async (api: ApiServer, query: string) =>
  (await api.get(`/api/v1/pods?${query}`)).body as PodList;
const names = ({ pods }: PodList) => pods.map(({ pod }) => pod);

describe('GET /api/v1/pods', () => {
  it('gives by offset the rows that it gives by cursor', async () => {
    const api = await startApi(snapshot);
    const all = names(await list(api, 'limit=1000'));
    expect(all).toHaveLength(21);
    const byCursor: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: PodList = await list(api, `limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
      byCursor.push(...names(page));
      cursor = page.nextCursor;
    }
    const byOffset: string[] = [];
    for (let offset = 0; offset < 21; offset += 4) {
      byOffset.push(...names(await list(api, `limit=4&offset=${offset}`)));
    }
    expect(byCursor).toEqual(all);
    expect(byOffset).toEqual(all);
  });

  it.each([
    ['', 21],
    ['node=n2', 7],
    ['group=exceeds_request', 9],
    ['group=protected', 6],
    ['search=pod-3', 3],
    ['search=N1-POD', 7],
    ['search=default/n3', 7],
    ['search=nobody', 0],
  ])('counts the pods that fit %s on all pages', async (query, total) => {
    const api = await startApi(snapshot);
    const page = await list(api, `${query}&limit=2`);
    expect(page.total).toBe(total);
    expect(page.pods).toHaveLength(Math.min(2, total));
  });

  it('has those that are never evicted last, node by node like the others', async () => {
    const api = await startApi(snapshot);
    const { pods } = await list(api, 'limit=1000');
    expect(pods.map(({ node, group }) => `${node} ${group === 'protected' ? 'never' : 'evictable'}`)).toEqual(
      [
        ...['n1', 'n2', 'n3'].flatMap((node) => Array<string>(5).fill(`${node} evictable`)),
        ...['n1', 'n2', 'n3'].flatMap((node) => Array<string>(2).fill(`${node} never`)),
      ],
    );
  });

  it('is empty past the end', async () => {
    const api = await startApi(snapshot);
    expect(await list(api, 'offset=21')).toMatchObject({ pods: [], nextCursor: null, total: 21 });
  });
});
