import { EvictrankError } from '../../foundation/errors.ts';

/** The command line asks for something that makes no sense: exit code 2. */
export class UsageError extends EvictrankError {
  override readonly name = 'UsageError';
}
