// Loaded before a program by `node --import`, in each of its threads: its clock is wrong by the milliseconds in a file.
import { readFileSync } from 'node:fs';

const RightDate = globalThis.Date;
const rightNow = RightDate.now;
const now = () => rightNow() + Number(readFileSync(process.env.EVICTRANK_TEST_CLOCK, 'utf8'));

globalThis.Date = class extends RightDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now() {
    return now();
  }
};
