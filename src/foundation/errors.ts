/**
 * Base of every error this program raises on purpose: a literal `name`, one sentence that names the cause,
 * the original in `cause`, and, where there is one, the remedy the reader can apply.
 */
export abstract class EvictrankError extends Error {
  abstract override readonly name: string;
  readonly remedy: string | undefined;

  constructor(message: string, options: { cause?: unknown; remedy?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.remedy = options.remedy;
  }
}

/** One line for a person: the message and, if known, the remedy. Never contains `cause`, which may hold credentials. */
export function describeError(error: unknown): string {
  if (error instanceof EvictrankError) {
    return error.remedy === undefined ? error.message : `${error.message} (${error.remedy})`;
  }
  return error instanceof Error ? error.message : String(error);
}
