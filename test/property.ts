import * as fc from 'fast-check';

/** fast-check's assert for properties that run synchronously: throws with the smallest failing example. */
export function assertProperty<T>(property: fc.IProperty<T>, numRuns = 200): void {
  void fc.assert(property, { numRuns });
}
