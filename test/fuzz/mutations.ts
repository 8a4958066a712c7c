import * as fc from 'fast-check';

/** How often each property is tried; more with EVICTRANK_FUZZ_RUNS, to search for new failures. */
export const runs = Number(process.env.EVICTRANK_FUZZ_RUNS ?? 300);

/** Values that programs tend to take for something else. */
const odd = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  'NaN',
  '-0',
  '1e999',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  -1,
  0.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  true,
  [],
  {},
  [null],
  { __proto__: null },
);
const anything = fc.oneof(
  { weight: 3, arbitrary: odd },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

type Step = {
  readonly pick: number;
  readonly how: 'replace' | 'remove' | 'repeat' | 'rename';
  readonly value: unknown;
};
const step: fc.Arbitrary<Step> = fc.record({
  pick: fc.nat(),
  how: fc.constantFrom('replace', 'replace', 'remove', 'repeat', 'rename'),
  value: anything,
});

/** A JSON value that was right until one to three places in it were changed. */
export function nearly(value: unknown): fc.Arbitrary<unknown> {
  return fc
    .array(step, { minLength: 1, maxLength: 3 })
    .map((steps) => steps.reduce(change, structuredClone(value)));
}

/** A text that was right until parts of it were cut out, doubled or overwritten. */
export function nearlyText(text: string): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat({ max: text.length }),
    length: fc.nat({ max: 8 }),
    by: fc.string({ maxLength: 6 }),
  });
  return fc
    .array(edit, { minLength: 1, maxLength: 4 })
    .map((edits) =>
      edits.reduce((now, { at, length, by }) => now.slice(0, at) + by + now.slice(at + length), text),
    );
}

function nameOf(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

interface Place {
  readonly container: Record<string, unknown> | unknown[];
  readonly key: string;
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const container = value as Record<string, unknown> | unknown[];
  return Object.entries(container).flatMap(([key, part]) => [{ container, key }, ...placesOf(part)]);
}

function change(value: unknown, { pick, how, value: shared }: Step): unknown {
  // What is put into one value must not be changed by the next.
  const given = structuredClone(shared);
  const places = placesOf(value);
  const place = places[pick % Math.max(1, places.length)];
  if (place === undefined) return given;
  const { container, key } = place;
  if (Array.isArray(container)) {
    const index = Number(key);
    if (how === 'remove') container.splice(index, 1);
    else if (how === 'repeat') container.push(container[index]);
    else container[index] = given;
    return value;
  }
  if (how === 'remove') delete container[key];
  else if (how === 'rename') container[nameOf(given)] = container[key];
  else container[key] = given;
  return value;
}
