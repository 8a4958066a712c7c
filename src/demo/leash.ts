import { spawn } from 'node:child_process';

/**
 * Waits for its standard input to end, which happens however this process ends; then stops the process `$1`
 * (SIGTERM, SIGKILL after 10 s) and removes the folder `$2`, where one is given.
 */
const watchScript = `
while read -r _; do :; done
kill -TERM "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ "$tries" -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL "$1" 2>/dev/null
[ -z "$2" ] || rm -rf -- "$2"
`;

/**
 * Ties a child process and its folder to this process: nothing is left when this one is killed and cannot clean up.
 * Returns the function that unties them, to be called once the child has been stopped in the ordinary way.
 */
export function leash(pid: number, folder: string | undefined): () => void {
  const watcher = spawn('sh', ['-c', watchScript, 'leash', String(pid), folder ?? ''], {
    // Its own session: a Ctrl-C in the terminal must not end it before this process.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without `sh` there is no leash; the child is still stopped in the ordinary way.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  return () => {
    watcher.kill('SIGKILL');
    watcher.stdin.destroy();
  };
}
