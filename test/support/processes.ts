import { setTimeout as delay } from 'node:timers/promises';

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until the claim holds; false where it still does not after the time. */
export async function becomesTrue(claim: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!claim()) {
    if (performance.now() > deadlineMs) {
      return false;
    }
    await delay(50);
  }
  return true;
}
