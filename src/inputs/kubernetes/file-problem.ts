import { EvictrankError } from '../../foundation/errors.ts';

/** One thing wrong with a file or with an object in it: one line for the reader. */
export interface FileProblem {
  readonly file: string;
  /** Place inside the file, such as `items[3].spec.priority`; undefined for the file as a whole. */
  readonly path: string | undefined;
  readonly message: string;
}

export function describeFileProblem({ file, path, message }: FileProblem): string {
  return path === undefined ? `${file}: ${message}` : `${file}: ${path}: ${message}`;
}

/** A file that cannot be used at all. */
export class InputFileError extends EvictrankError {
  override readonly name = 'InputFileError';
  readonly problem: FileProblem;

  constructor(file: string, message: string, cause?: unknown) {
    const problem = { file, path: undefined, message };
    super(describeFileProblem(problem), cause === undefined ? {} : { cause });
    this.problem = problem;
  }
}

/** `['items', 3, 'spec']` → `items[3].spec`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = String(key);
    if (/^[A-Za-z_][\w-]*$/.test(name)) return text === '' ? name : `${text}.${name}`;
    return `${text}[${JSON.stringify(name)}]`;
  }, '');
}
