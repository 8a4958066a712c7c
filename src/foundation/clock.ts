/** Milliseconds since the epoch. Passed in, so that everything that reasons about time can be tested with a fixed one. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
