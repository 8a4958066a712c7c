import { spawnSync } from 'node:child_process';
import { accessSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackedToolsFolder } from './tool-search.ts';
import { type ToolName, tools } from './tools.ts';

/** What came of an attempt to get packages; `reason` is for the reader. */
export type AptOutcome =
  | { readonly installed: true }
  | { readonly installed: false; readonly reason: string };

/**
 * Run as root with the units to disable, `--`, and the packages to install.
 * A package's service must not start beside the demo's own: `policy-rc.d` answering 101 forbids it while apt runs
 * (Debian: invoke-rc.d(8)); one that is there already is somebody's decision and stays. Packages that this
 * release does not carry are left out, so that one of them does not stop the rest.
 */
const installScript = `
set -eu
export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
fi
units=
while [ "$1" != -- ]; do units="$units $1"; shift; done
shift
known() { for package; do ! apt-cache show "$package" >/dev/null 2>&1 || printf '%s ' "$package"; done; }
[ "$(known "$@" | wc -w)" = "$#" ] || apt-get update
packages=$(known "$@")
[ -n "$packages" ] || exit 3
apt-get install -y --no-install-recommends $packages || { apt-get update && apt-get install -y --no-install-recommends $packages; }
[ -z "$units" ] || ! command -v systemctl >/dev/null || systemctl disable --quiet $units >/dev/null 2>&1 || true
`;

/** Installs the packages of the tools in one call; needs root, or sudo without a password. Output goes to the terminal. */
export function installWithApt(names: readonly ToolName[]): AptOutcome {
  if (!isOnPath('apt-get')) {
    return { installed: false, reason: 'there is no apt-get' };
  }
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) {
    return { installed: false, reason: 'this user is not root and has no sudo without a password' };
  }
  const units = unique(names.flatMap((name) => tools[name].unit ?? []));
  const packages = unique(names.map((name) => tools[name].aptPackage));
  const command = ['sh', '-c', installScript, 'install', ...units, '--', ...packages];
  const [program = 'sh', ...args] = isRoot ? command : ['sudo', '-n', ...command];
  const { status } = spawnSync(program, args, { stdio: ['ignore', 2, 2] });
  return status === 0
    ? { installed: true }
    : { installed: false, reason: `apt-get install ${packages.join(' ')} failed (see above)` };
}

/**
 * Downloads the packages of self-contained tools and unpacks them into the project's own cache folder: no root needed,
 * nothing outside the project is touched. Works where the machine's package lists are there.
 */
export function unpackWithApt(names: readonly ToolName[]): AptOutcome {
  const packages = unique(
    names.filter((name) => tools[name].isSelfContained).map((name) => tools[name].aptPackage),
  );
  if (packages.length === 0 || !isOnPath('apt-get') || !isOnPath('dpkg-deb')) {
    return { installed: false, reason: 'nothing could be unpacked from Debian packages' };
  }
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-packages-'));
  try {
    const download = spawnSync('apt-get', ['download', ...packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 2],
    });
    if (download.status !== 0) {
      return { installed: false, reason: `apt-get download ${packages.join(' ')} failed` };
    }
    mkdirSync(unpackedToolsFolder, { recursive: true });
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
      const unpacked = spawnSync('dpkg-deb', ['-x', join(folder, file), unpackedToolsFolder]);
      if (unpacked.status !== 0) {
        return { installed: false, reason: `dpkg-deb could not unpack ${file}` };
      }
    }
    return { installed: true };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, program));
      return true;
    } catch {
      return false;
    }
  });
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}
