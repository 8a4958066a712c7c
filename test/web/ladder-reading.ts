import type { Page } from 'playwright-core';

export interface ReadRung {
  readonly pod: string;
  readonly rank: number | undefined;
  /** Available memory in bytes before and after its eviction; undefined where it stays. */
  readonly evicted: { readonly beforeBytes: number; readonly afterBytes: number } | undefined;
  readonly isCrossedOut: boolean;
}

/** The ladder as it is on the page, top to bottom. */
export function readLadder(page: Page): Promise<readonly ReadRung[]> {
  return page.locator('[data-testid=rung]').evaluateAll((rungs) => {
    // Exact bytes are in the title of each amount.
    const bytesOf = (element: Element | undefined) =>
      Number(element?.getAttribute('title')?.replaceAll(',', '').replace(' bytes', ''));
    return rungs.map((rung) => {
      const link = rung.querySelector('.rung__link');
      const [before, after] = rung.querySelectorAll('.rung__available .amount');
      const rank = rung.querySelector('.rung__rank')?.textContent?.match(/\d+/)?.[0];
      return {
        pod: link?.textContent?.split('/')[1] ?? '',
        rank: rank === undefined ? undefined : Number(rank),
        evicted:
          before === undefined ? undefined : { beforeBytes: bytesOf(before), afterBytes: bytesOf(after) },
        isCrossedOut: link !== null && getComputedStyle(link).textDecorationLine === 'line-through',
      };
    });
  });
}

/** The evictions in their order, in MiB, as the oracle writes them. */
export async function readEvictions(page: Page) {
  const rungs = await readLadder(page);
  return rungs.flatMap(({ pod, evicted }) =>
    evicted === undefined
      ? []
      : [
          {
            pod,
            availableBeforeMi: evicted.beforeBytes / 2 ** 20,
            availableAfterMi: evicted.afterBytes / 2 ** 20,
          },
        ],
  );
}
