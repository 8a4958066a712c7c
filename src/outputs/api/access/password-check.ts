import { createHmac, randomBytes } from 'node:crypto';
import pLimit from 'p-limit';

/** Whether a bcrypt hash is that of a password. Takes some 0.1 s of CPU, by design. */
export type ComparePassword = (password: string, hash: string) => Promise<boolean>;

export interface PasswordCheck {
  /** `busy`: too many others wait already, as when somebody tries passwords. */
  check(
    user: string,
    password: string,
    users: ReadonlyMap<string, string>,
  ): Promise<'right' | 'wrong' | 'busy'>;
}

/** Right passwords remembered, the same number as in the exporters of Prometheus (exporter-toolkit `web/cache.go`). */
const REMEMBERED = 100;
/** Comparisons waiting: some two seconds of work. */
const LONGEST_QUEUE = 20;

/**
 * Checks passwords, one at a time. Right ones are remembered, under a key made with a secret of this process, so that a
 * scraper costs one comparison; wrong ones are not, so that trying passwords cannot push right ones out.
 */
export function createPasswordCheck(compare: ComparePassword): PasswordCheck {
  const secret = randomBytes(32);
  const right = new Set<string>();
  const underWay = new Map<string, Promise<boolean>>();
  const limit = pLimit(1);

  /** The hash is part of the key: a password that was changed is not remembered. */
  function keyOf(...parts: readonly string[]): string {
    return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64');
  }

  function remember(key: string): void {
    right.delete(key);
    right.add(key);
    for (const oldest of right) {
      if (right.size <= REMEMBERED) break;
      right.delete(oldest);
    }
  }

  /** The same question asked by several requests at once, as by a page that loads, is answered once. */
  function ask(key: string, password: string, hash: string): Promise<boolean> {
    const asked = limit(() => compare(password, hash)).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  }

  return {
    async check(user, password, users) {
      const known = users.get(user);
      // Of an unknown user as much is computed as of a known one, or the time would tell which names there are.
      const hash = known ?? users.values().next().value;
      if (hash === undefined) return 'wrong';
      const key = keyOf(user, hash, password);
      if (right.has(key)) {
        remember(key);
        return 'right';
      }
      const asked = underWay.get(key);
      if (asked === undefined && underWay.size >= LONGEST_QUEUE) return 'busy';
      const matches = (await (asked ?? ask(key, password, hash))) && known !== undefined;
      if (matches) remember(key);
      return matches ? 'right' : 'wrong';
    },
  };
}
