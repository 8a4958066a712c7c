// Compiles src/ to dist/ from nothing, so that a deleted source leaves no stale module behind; then builds the page.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (script, ...args) =>
  execFileSync(process.execPath, [`${root}node_modules/${script}`, ...args], { cwd: root, stdio: 'inherit' });

rmSync(`${root}dist`, { recursive: true, force: true });
run('typescript/bin/tsc', '-p', 'tsconfig.build.json');
run('vite/bin/vite.js', 'build', '--config', 'src/web/vite.config.ts');
