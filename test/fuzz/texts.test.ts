import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/load.ts';
import { options } from '../../src/config/options.ts';
import { explainKubeletText } from '../../src/explain/kubelet-text.ts';
import { EvictrankError } from '../../src/foundation/errors.ts';
import { parseGoDuration } from '../../src/foundation/go-duration.ts';
import { formatQuantity, parseQuantity, QuantityError } from '../../src/foundation/quantity.ts';
import { parseKubeletConfig } from '../../src/kubelet/kubelet-config.ts';
import { parseMinimumReclaim, parseThresholdStatement } from '../../src/kubelet/threshold-config.ts';
import { assertProperty } from '../property.ts';
import { nearlyText, runs } from './mutations.ts';

/** Undefined, or the error; anything but an error of this program fails the test. */
function errorOf(attempt: () => unknown): EvictrankError | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof EvictrankError) return error;
    throw error;
  }
}

const numberLike = fc.stringMatching(/^[-+.0-9eEinumkKMGTP%]{0,12}$/);
const anyText = fc.oneof(
  numberLike,
  fc.string({ unit: 'binary' }),
  nearlyText('1.5Gi'),
  nearlyText('-12e-3'),
);

describe('any text', () => {
  it('is a quantity that is written and read back the same, or a QuantityError', () => {
    assertProperty(
      fc.property(anyText, (text) => {
        const error = errorOf(() => {
          const quantity = parseQuantity(text);
          expect(parseQuantity(formatQuantity(quantity)).nanos).toBe(quantity.nanos);
        });
        if (error !== undefined) expect(error).toBeInstanceOf(QuantityError);
      }),
      runs * 3,
    );
  });

  it.each([
    ['a threshold', (text: string) => parseThresholdStatement('memory.available', text)],
    ['a minimum reclaim', (text: string) => parseMinimumReclaim('memory.available', text)],
    ['a duration of Go', parseGoDuration],
    ['a configuration of the kubelet', parseKubeletConfig],
  ])('is %s or one of our errors', (_name, parse) => {
    assertProperty(
      fc.property(
        fc.oneof(anyText, nearlyText('1h30m'), nearlyText('evictionHard: {memory.available: 5%}')),
        (text) => {
          errorOf(() => parse(text));
        },
      ),
      runs,
    );
  });

  it('is a setting or told as a problem of that setting', () => {
    const flags = Object.values(options).map(({ flag }) => flag);
    assertProperty(
      fc.property(fc.dictionary(fc.constantFrom(...flags), anyText, { maxKeys: 4 }), (given) => {
        const error = errorOf(() => loadConfig({ flags: given, environment: {} }));
        if (error !== undefined) expect(error).toBeInstanceOf(ConfigError);
      }),
      runs,
    );
  });

  it('is a settings file or told as one problem or several', () => {
    const file = 'prometheus.url: http://x\nprometheus.header:\n  - "A: b"\nreview.margin: 15%\n';
    assertProperty(
      fc.property(fc.oneof(nearlyText(file), fc.string({ unit: 'binary' })), (fileText) => {
        const error = errorOf(() => loadConfig({ flags: {}, environment: {}, fileText }));
        if (error !== undefined) expect(error).toBeInstanceOf(ConfigError);
      }),
      runs,
    );
  });
});

/** Texts that make a regular expression try every way to share them out take seconds, and all others wait. */
describe('a long text is read within a moment', () => {
  const length = 99_000;
  const starts = [
    '',
    'eviction manager: pods ranked for eviction: a',
    '"Eviction manager: pods ranked for eviction" pods=["',
    'The node was low on resource: ',
    'The node was low on resource: memory. Threshold quantity: 1',
    'The node was low on resource: memory. Container c was using 1',
    'Usage of EmptyDir volume "',
    '{"msg":"',
  ];
  const fills = [
    ' ',
    '\t',
    '\n',
    'a ',
    '(',
    '"',
    ', ',
    'a_b(',
    '/',
    '9',
    '.',
    '%',
    'e',
    'pods ranked for eviction" pods=[',
  ];
  const ends = ['', 'x', 'x, available: 84Mi. ', 'x, request is 0, has larger consumption of memory. '];

  it.each(starts)('that begins with %j', (start) => {
    for (const fill of fills) {
      for (const end of ends) {
        const text = start + fill.repeat(length / fill.length) + end;
        const startedAt = performance.now();
        errorOf(() => explainKubeletText(text));
        expect(performance.now() - startedAt, JSON.stringify([start, fill, end])).toBeLessThan(2_000);
      }
    }
  });

  it.each([
    ['digits that end in something else', `${'1'.repeat(length)}x`],
    ['a fraction that ends in something else', `0.${'1'.repeat(length)}x`],
    ['letters of suffixes', 'e'.repeat(length)],
    ['the largest exponents', '1e'.concat('9'.repeat(length))],
    ['digits', '9'.repeat(length)],
  ])('that is a quantity of %s', (_name, text) => {
    const startedAt = performance.now();
    errorOf(() => parseQuantity(text));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
