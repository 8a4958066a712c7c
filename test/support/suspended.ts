import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const patienceMs = 10_000;

/** Whether every thread has stopped: the signal is only on its way when `kill` returns (`man 5 proc`, `stat`). */
function standsStill(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    // After the name of the program, which may hold anything but ends with the last bracket.
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  });
}

/** Does something while a process stands still, as one on a machine that hangs. It goes on afterwards, whatever happened. */
export async function whileSuspended<T>(pid: number, act: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP');
  try {
    for (const deadlineMs = performance.now() + patienceMs; !standsStill(pid); await delay(5)) {
      if (performance.now() > deadlineMs) throw new Error(`process ${pid} has not stopped`);
    }
    return await act();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
