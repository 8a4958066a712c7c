import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';
import type { PasswordAnswer, PasswordQuestion } from './password-messages.ts';

parentPort?.on('message', ({ id, password, hash }: PasswordQuestion) => {
  parentPort?.postMessage({ id, matches: compareSync(password, hash) } satisfies PasswordAnswer);
});
