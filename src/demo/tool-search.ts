import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EvictrankError } from '../foundation/errors.ts';
import { type ToolName, tools } from './tools.ts';

/** A program that is needed cannot be had, or a setting names one that does not run. */
export class ToolMissingError extends EvictrankError {
  override readonly name = 'ToolMissingError';
}

/** Where packages are unpacked for users without root; `src/` and `dist/` are equally deep, so both find it. */
export const unpackedToolsFolder = fileURLToPath(new URL('../../.cache/tools', import.meta.url));

export interface ToolSearchOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly unpackedFolder?: string;
}

/**
 * Path of a tool: its environment variable, then PATH, then what was unpacked before; undefined where there is none.
 * Throws ToolMissingError where the variable is set but names nothing executable: falling back would hide the mistake.
 */
export function findTool(
  name: ToolName,
  { environment = process.env, unpackedFolder = unpackedToolsFolder }: ToolSearchOptions = {},
): string | undefined {
  const tool = tools[name];
  const named = environment[tool.environmentVariable];
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) {
      return named;
    }
    throw new ToolMissingError(
      `${tool.environmentVariable} names ${named}, which is not an executable file`,
      {
        remedy: `correct or unset ${tool.environmentVariable}`,
      },
    );
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of [...folders, join(unpackedFolder, 'usr/bin')]) {
    const found = tool.programs.map((program) => join(folder, program)).find(isExecutable);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
