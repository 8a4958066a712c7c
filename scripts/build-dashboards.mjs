// Writes dashboards/**/*.json from src/dashboards; with --check only compares, and fails where a file differs.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dashboards');
const { module } = await runnerImport(join(root, 'src/dashboards/generation.ts'), {
  configFile: false,
  logLevel: 'warn',
});
const wanted = module.generateFiles();
mkdirSync(folder, { recursive: true });
const present = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.json'));
const stale = present.filter((name) => !wanted.has(name));
const differing = [...wanted].filter(
  ([name, text]) => !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
);

if (process.argv.includes('--check')) {
  for (const name of [...stale, ...differing.map(([name]) => name)]) {
    console.error(`dashboards/${name} is not what src/dashboards builds: run npm run build:dashboards`);
    process.exitCode = 1;
  }
} else {
  for (const name of stale) rmSync(join(folder, name));
  for (const [name, text] of differing) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  console.log(`dashboards: ${differing.length} of ${wanted.size} written, ${stale.length} removed`);
}
