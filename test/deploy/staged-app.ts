import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StagedApp {
  readonly folder: string;
  remove(): Promise<void>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>>;
}

/** What is in /app of an image: files of the Dockerfile's COPY, and the packages that `npm ci --omit=dev` would install. */
export async function stageApp(): Promise<StagedApp> {
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-image-'));
  // As in the image, everybody may read.
  await chmod(folder, 0o755);
  for (const path of ['package.json', 'LICENSE', 'dist'])
    await cp(path, join(folder, path), { recursive: true });
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as LockFile;
  const needed = Object.entries(packages).filter(
    ([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional,
  );
  for (const [path] of needed) await cp(path, join(folder, path), { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
