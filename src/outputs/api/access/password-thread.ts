import { Worker } from 'node:worker_threads';
import type { ComparePassword } from './password-check.ts';
import type { PasswordAnswer, PasswordQuestion } from './password-messages.ts';

export interface PasswordThread {
  readonly compare: ComparePassword;
  stop(): Promise<void>;
}

/** Compares passwords in a thread of its own, which starts with the first one: the one that serves must not wait. */
export function createPasswordThread(): PasswordThread {
  const waiting = new Map<number, { resolve(matches: boolean): void; reject(error: Error): void }>();
  let worker: Worker | undefined;
  let lastId = 0;

  function spawn(): Worker {
    const spawned = new Worker(new URL('./password-worker.js', import.meta.url));
    spawned.on('message', ({ id, matches }: PasswordAnswer) => {
      waiting.get(id)?.resolve(matches);
      waiting.delete(id);
    });
    spawned.on('error', () => undefined);
    spawned.on('exit', () => {
      // The next password starts it anew.
      if (worker === spawned) worker = undefined;
      for (const { reject } of waiting.values())
        reject(new Error('the thread that compares passwords ended'));
      waiting.clear();
    });
    // It holds nothing that must be finished.
    spawned.unref();
    return spawned;
  }

  return {
    compare(password, hash) {
      worker ??= spawn();
      const id = ++lastId;
      const answered = new Promise<boolean>((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ id, password, hash } satisfies PasswordQuestion);
      return answered;
    },
    async stop() {
      await worker?.terminate();
    },
  };
}
