import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareText } from '../../src/foundation/text-order.ts';
import { askByName, askByShard } from '../../src/inputs/ask-in-parts.ts';
import type { Shard } from '../../src/inputs/shard.ts';
import { PrometheusError } from '../../src/prometheus/failures.ts';

const failure = (kind: 'too_large' | 'timeout' | 'unauthorized'): PrometheusError =>
  new PrometheusError({ kind, detail: 'no' }, { id: 'x', url: 'http://x' });

/** Answers at most so many rows at once. */
function limited<Row>(rows: readonly Row[], most: number): Promise<readonly Row[]> {
  return rows.length > most ? Promise.reject(failure('too_large')) : Promise.resolve(rows);
}

const podName = fc.stringMatching(/^[a-z]([a-z0-9-]{0,60}[a-z0-9])?$/);

describe('names asked for in parts', () => {
  test('are each asked for once, in questions that every backend reads, whatever the limit of an answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(podName, { maxLength: 400 }),
        fc.integer({ min: 1, max: 50 }),
        async (names, most) => {
          const answers = await askByName(names, (some) => {
            expect(Buffer.byteLength(some.join('|'))).toBeLessThanOrEqual(4_000);
            return limited(some, most);
          });
          expect([...answers].sort(compareText)).toEqual([...names].sort(compareText));
        },
      ),
    );
  });

  test('fail where a single one is too large', async () => {
    await expect(askByName(['a', 'b'], () => Promise.reject(failure('too_large')))).rejects.toMatchObject({
      kind: 'too_large',
    });
  });
});

describe('pods asked for in parts', () => {
  const holds = (shard: Shard, namespace: string, pod: string): boolean =>
    shard.every(
      ({ subject, holds: isWanted, pattern }) =>
        new RegExp(`^(?:${pattern})$`).test(subject === 'namespace' ? namespace : pod) === isWanted,
    );

  test('are each answered once, whatever the limit of an answer', async () => {
    const known = fc.uniqueArray(fc.tuple(podName, fc.uniqueArray(podName, { minLength: 1, maxLength: 8 })), {
      selector: ([namespace]) => namespace,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(known, fc.integer({ min: 1, max: 20 }), async (namespaces, most) => {
        const all = namespaces.flatMap(([namespace, pods]) => pods.map((pod) => [namespace, pod] as const));
        const answers = await askByShard(new Map(namespaces), (shard) =>
          limited(
            all.filter(([namespace, pod]) => holds(shard, namespace, pod)),
            most,
          ),
        );
        expect([...answers].map(String).sort(compareText)).toEqual(all.map(String).sort(compareText));
      }),
    );
  });

  test.each([
    ['a timeout splits, too: the same would only time out again', 'timeout', 3],
    ['other failures end it at once', 'unauthorized', 1],
  ] as const)('%s', async (_what, kind, questions) => {
    let asked = 0;
    const known = new Map([
      ['a', ['x']],
      ['b', ['y']],
    ]);
    const answer = askByShard(known, (shard) => {
      asked++;
      return shard.length === 0 ? Promise.reject(failure(kind)) : Promise.resolve([]);
    });
    if (kind === 'timeout') await answer;
    else await expect(answer).rejects.toMatchObject({ kind });
    expect(asked).toBe(questions);
  });
});
