import * as fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { formatLogfmt } from '../../src/foundation/logfmt.ts';
import { logfmtStream } from '../../src/foundation/logger.ts';
import { assertProperty } from '../property.ts';

/** Reads a line as logfmt is read: bare values as they are, quoted ones as JSON texts. */
function parse(line: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const [, key = '', quoted, bare = ''] of line.matchAll(
    /(\S+?)=(?:("(?:[^"\\]|\\.)*")|(\S*))(?: |$)/g,
  )) {
    pairs.push([key, quoted === undefined ? bare : (JSON.parse(quoted) as string)]);
  }
  return pairs;
}

describe('logfmt', () => {
  it.each([
    ['a plain text', { a: 'b' }, 'a=b'],
    ['numbers and truths', { n: 1.5, t: true, u: null }, 'n=1.5 t=true u=null'],
    ['an empty text', { a: '' }, 'a=""'],
    ['spaces', { msg: 'refresh failed' }, 'msg="refresh failed"'],
    ['quotes, backslashes and equal signs', { a: 'b="c"\\' }, 'a="b=\\"c\\"\\\\"'],
    ['line breaks', { a: 'one\ntwo' }, 'a="one\\ntwo"'],
    ['what steers a terminal', { a: '\u001b[2J\u202e\u2028' }, 'a="\\u001b[2J\\u202e\\u2028"'],
    ['objects', { a: { b: [1, 'c d'] } }, 'a="{\\"b\\":[1,\\"c d\\"]}"'],
    ['keys that are no words', { 'a b=': 1 }, 'a_b_=1'],
  ])('writes %s', (_name, fields, line) => {
    expect(formatLogfmt(fields)).toBe(line);
  });

  it('is one line that reads back, whatever is logged', () => {
    assertProperty(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }), (values) => {
        const fields = Object.fromEntries(values.map((value, i) => [`k${i}`, value]));
        const line = formatLogfmt(fields);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(parse(line)).toEqual(Object.entries(fields));
      }),
    );
  });

  it('has everything that the JSON line has', () => {
    const lines: string[] = [];
    const logger = pino(
      { base: null, timestamp: false },
      logfmtStream({ write: (line) => void lines.push(line) }),
    );
    logger.info({ nodes: 3, error: 'two words' }, 'refreshed');
    expect(lines).toEqual(['level=30 nodes=3 error="two words" msg=refreshed\n']);
  });
});
