// `npm test`: installs what the tests need, then checks format and lint, types and build, and runs every test.
// Further arguments go to vitest: `npm test -- test/demo -t staleness`.
import { spawnSync } from 'node:child_process';
import { installDependencies, requireNode, root } from './dependencies.mjs';

requireNode();
installDependencies();

const env = { ...process.env };
if (!process.stdout.isTTY) {
  // Plain text in logs: the counts at the end are read by people and by programs.
  delete env.FORCE_COLOR;
  env.NO_COLOR = '1';
}

function run(title, script, args) {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(process.execPath, [`${root}${script}`, ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`\n${title} failed`);
    process.exit(status ?? 1);
  }
}

run('format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '.']);
run('types', 'node_modules/typescript/bin/tsc', ['--noEmit']);
run('types of the page', 'node_modules/typescript/bin/tsc', ['-p', 'src/web']);
run('build', 'scripts/build.mjs', []);

const { obtainTools } = await import('../dist/demo/tool-install.js');
const { tools } = await import('../dist/demo/tools.js');
const { missing, reason } = obtainTools(Object.keys(tools), (line) => console.error(line));
for (const name of missing) {
  console.error(
    `${name} is missing (${reason}): the tests that need it will fail. Install it, or name it in ${tools[name].environmentVariable}`,
  );
}

run('tests', 'node_modules/vitest/vitest.mjs', ['run', ...process.argv.slice(2)]);
