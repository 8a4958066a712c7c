// Makes sure that node_modules holds what package-lock.json says. Uses nothing but Node: it runs before any install.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends the process with a clear message where this Node is too old to run the project. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Node ${process.versions.node} is too old: install Node 20.19 or later`);
    process.exit(1);
  }
}

/** Runs `npm ci` where packages are missing or not those of the lock file. */
export function installDependencies() {
  if (areInstalled()) {
    return;
  }
  console.error('Installing the npm packages of package-lock.json');
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const { status } = spawnSync(command, [...before, 'ci'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error('npm ci failed: see above');
    process.exit(1);
  }
}

/** npm keeps what it installed in `node_modules/.package-lock.json`; packages for other platforms are not in it. */
function areInstalled() {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  return (
    installed !== undefined &&
    Object.entries(wanted ?? {}).every(
      ([path, { version, optional }]) =>
        path === '' || installed[path]?.version === version || (optional === true && !(path in installed)),
    )
  );
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(`${root}${file}`, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
