import { z } from 'zod';
import { type FileProblem, InputFileError, pathText } from './file-problem.ts';

/** What a file should hold, and how to write it. */
export interface ObjectKind {
  readonly kind: string;
  readonly command: string;
}

/** The objects of a file that could be read, and a problem for each that could not. */
export interface ReadObjects<T> {
  readonly objects: readonly T[];
  readonly problems: readonly FileProblem[];
  /** Objects of the kind that did not fit, as they were. */
  readonly unreadable: readonly unknown[];
}

const document = z.looseObject({ kind: z.string().optional(), message: z.string().optional() });

/**
 * Reads every object of a `List` (kubectl get), a list of its own kind (kubectl get --raw) or a single object.
 * An object that does not fit leaves a problem with its place in the file, and the others are read all the same.
 * @throws InputFileError where the file holds something else altogether.
 */
export function readObjects<S extends z.ZodType>(
  content: unknown,
  { file, expected, schema }: { file: string; expected: ObjectKind; schema: S },
): ReadObjects<z.output<S>> {
  const objects: z.output<S>[] = [];
  const problems: FileProblem[] = [];
  const unreadable: unknown[] = [];
  let strangers = 0;
  for (const { path, value } of listItems(content, file, expected)) {
    const kind = kindOf(value);
    if (kind !== undefined && kind !== expected.kind) {
      strangers++;
      problems.push({
        file,
        path: pathText(path),
        message: `is a ${kind}, not a ${expected.kind}; left out`,
      });
      continue;
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) objects.push(parsed.data);
    else {
      unreadable.push(value);
      problems.push(firstProblem(parsed.error, { file, path, value, kind: expected.kind }));
    }
  }
  // One line for the file, not one for each object: it is the wrong file.
  if (strangers > 0 && strangers === problems.length && objects.length === 0) {
    throw wrongContent(file, `holds no ${expected.kind}`, expected);
  }
  return { objects, problems, unreadable };
}

interface Item {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

function listItems(content: unknown, file: string, expected: ObjectKind): readonly Item[] {
  const parsed = document.safeParse(content);
  if (!parsed.success) throw wrongContent(file, 'is not a Kubernetes list', expected);
  const { kind, message, items } = parsed.data;
  if (kind === 'Status') {
    throw new InputFileError(file, `is an error of Kubernetes instead of data: ${message ?? 'no message'}`);
  }
  if (kind === expected.kind) return [{ path: [], value: content }];
  if (kind !== undefined && kind !== 'List' && kind !== `${expected.kind}List`) {
    throw wrongContent(file, `is a ${kind}`, expected);
  }
  if (items === null && kind !== undefined) return [];
  if (!Array.isArray(items)) throw wrongContent(file, 'is not a List: it has no items', expected);
  return items.map((value: unknown, index) => ({ path: ['items', index], value }));
}

function wrongContent(file: string, what: string, { kind, command }: ObjectKind): InputFileError {
  return new InputFileError(file, `${what}, where a list of ${kind} objects is expected (${command})`);
}

function kindOf(value: unknown): string | undefined {
  const kind = (value as { kind?: unknown } | null)?.kind;
  return typeof kind === 'string' ? kind : undefined;
}

const named = z.object({ metadata: z.object({ name: z.string(), namespace: z.string().optional() }) });

/** The first problem of one object, with its name where it has one: one line for each object is enough to find it. */
function firstProblem(
  error: z.ZodError,
  at: { file: string; path: readonly PropertyKey[]; value: unknown; kind: string },
): FileProblem {
  const [issue] = error.issues;
  const name = named.safeParse(at.value);
  const { namespace, name: own } = name.data?.metadata ?? { name: undefined };
  const who =
    own === undefined
      ? `the ${at.kind}`
      : `${at.kind} ${namespace === undefined ? '' : `${namespace}/`}${own}`;
  const path = pathText([...at.path, ...(issue?.path ?? [])]);
  return {
    file: at.file,
    path: path === '' ? undefined : path,
    message: `${issue?.message ?? 'cannot be read'}; ${who} is left out`,
  };
}
