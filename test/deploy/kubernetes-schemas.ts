import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { obtainPythonPackage } from '../support/tool-cache.ts';

/**
 * Kubernetes' own JSON schemas, a set for each minor version, in the form that refuses unknown fields: the package
 * kubernetes-validate of PyPI ships them, with the program that applies them.
 */
export class KubernetesSchemas {
  private readonly folder: string;
  /** Newest last: 1.25, 1.26, … */
  readonly versions: readonly string[];

  private constructor(folder: string) {
    this.folder = folder;
    this.versions = readdirSync(join(folder, 'kubernetes_validate', 'kubernetes-json-schema'))
      .flatMap((name) => /^v(1\.\d+)\.\d+-local-strict$/.exec(name)?.[1] ?? [])
      .sort((a, b) => Number(a.slice(2)) - Number(b.slice(2)));
  }

  static async obtain(): Promise<KubernetesSchemas> {
    return new KubernetesSchemas(await obtainPythonPackage('kubernetes-validate', '1.37.0'));
  }

  /** What is wrong with objects by the schemas of any version; empty = nothing. */
  problemsOf(objects: readonly object[]): string {
    const scratch = mkdtempSync(join(tmpdir(), 'evictrank-schemas-'));
    try {
      const manifest = join(scratch, 'manifest.yaml');
      writeFileSync(manifest, objects.map((object) => stringify(object)).join('---\n'));
      const versions = this.versions.flatMap((version) => ['--kubernetes-version', version]);
      const { status, stdout, stderr } = spawnSync(
        'python3',
        ['-m', 'kubernetes_validate', '--strict', '--quiet', ...versions, manifest],
        { encoding: 'utf8', env: { ...process.env, PYTHONPATH: this.folder } },
      );
      return status === 0 ? '' : `${stdout}${stderr}`;
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
}
