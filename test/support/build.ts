import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Why a test that starts the built program as a process cannot run now; empty where it can. For the test's title. */
export function missingBuild(): string {
  const isCurrent = entriesAreNewer(['dist/main.js', 'dist/demo/main.js']);
  return isCurrent ? '' : ' (skipped: dist/ is missing or older than src/; `npm test` builds it)';
}

function entriesAreNewer(entries: readonly string[]): boolean {
  if (!entries.every((entry) => existsSync(entry))) return false;
  const builtMs = Math.min(...entries.map((entry) => statSync(entry).mtimeMs));
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return sources.every((file) => statSync(join('src', file)).mtimeMs <= builtMs);
}
