import { chmod, cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ComposeFile, type ComposeService, mountsOf } from './compose-file.ts';

/** Where the services of one compose project are, natively: `prometheus:9090` → `127.0.0.1:45321`. */
export type Addresses = ReadonlyMap<string, string>;

/** The file system of one container: mounts and configs below a folder of its own. */
export interface Root {
  readonly folder: string;
  /** A text with paths and addresses of the container, as they are natively. */
  translate(text: string): string;
}

export interface RootSpec {
  readonly file: ComposeFile;
  readonly service: ComposeService;
  readonly folder: string;
  readonly addresses: Addresses;
}

/** Lays out what the container would see. Rejects where a mounted file is not in the repository. */
export async function layOut({ file, service, folder, addresses }: RootSpec): Promise<Root> {
  const mounts = mountsOf(service);
  const configs = service.configs ?? [];
  const targets = [...mounts, ...configs].map(({ target }) => target);
  const firstParts = [...new Set(targets.map((target) => target.split('/')[1] ?? ''))];
  const paths = new RegExp(`(?<=^|[=\\s["'])/(?=(?:${firstParts.join('|')})\\b)`, 'gm');

  const translate = (text: string): string =>
    [...addresses].reduce(
      (translated, [inside, native]) => translated.replaceAll(inside, native),
      firstParts.length === 0 ? text : text.replaceAll(paths, `${folder}/`),
    );

  for (const { source, target, isVolume } of mounts) {
    const path = join(folder, target);
    if (isVolume) {
      await mkdir(path, { recursive: true });
      await chmod(path, 0o777);
    } else if ((await stat(source)).isDirectory()) {
      await cp(source, path, { recursive: true });
    } else {
      await write(path, translate(await readFile(source, 'utf8')));
    }
  }
  for (const { source, target } of configs) {
    await write(join(folder, target), translate(file.configs[source]?.content ?? ''));
  }
  return { folder, translate };
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
