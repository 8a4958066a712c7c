import { readFileSync } from 'node:fs';

/** The version in package.json, which lies two folders above both src/foundation and dist/foundation. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
