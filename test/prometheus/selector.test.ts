import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  labelMatcher,
  labelName,
  oneOf,
  quoteRegex,
  quoteString,
  selector,
} from '../../src/prometheus/selector.ts';

test.each([
  ['a plain value', 'default', '"default"'],
  ['a quote', 'a"b', '"a\\"b"'],
  ['a backslash', 'a\\b', '"a\\\\b"'],
  ['a newline', 'a\nb', '"a\\nb"'],
  ['a brace and a comma', '"},x{', '"\\"},x{"'],
  ['unicode', 'größe ☃ 𝕏', '"größe ☃ 𝕏"'],
  ['a control character', 'a\u0000\u007fb', '"a\\u0000\\u007fb"'],
  ['the replacement character, which the lexer refuses', 'a\uFFFDb', '"a\\ufffdb"'],
  ['nothing', '', '""'],
])('%s is quoted', (_name, text, expected) => {
  expect(quoteString(text)).toBe(expected);
});

test('a literal never ends before its end, whatever is in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(quoteString(text)).toMatch(/^"([^"\\\p{Cc}\uFFFD]|\\["\\nrt]|\\u[0-9a-f]{4})*"$/u);
    }),
  );
});

test('a quoted regular expression matches its text and no other', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, other) => {
      const pattern = new RegExp(`^(?:${quoteRegex(text)})$`, 's');
      expect(pattern.test(text)).toBe(true);
      expect(pattern.test(other)).toBe(other === text);
    }),
  );
});

test('other than classic label names are quoted', () => {
  expect(labelName('exported_namespace')).toBe('exported_namespace');
  expect(labelName('k8s.pod.name')).toBe('"k8s.pod.name"');
  expect(labelMatcher('k8s.pod', '!~', 'a"b')).toBe('"k8s.pod"!~"a\\"b"');
});

test('one value is matched by equality, several by a regular expression, none is refused', () => {
  expect(oneOf('pod', ['a.b'])).toBe('pod="a.b"');
  expect(oneOf('pod', ['a.b', 'c|d'])).toBe('pod=~"a\\\\.b|c\\\\|d"');
  expect(() => oneOf('pod', [])).toThrow(RangeError);
});

test.each([
  ['a name alone', 'up', [], 'up'],
  ['a name with matchers', 'up', ['a="b"', 'c="d"'], 'up{a="b",c="d"}'],
  ['a recording rule', 'node:mem:sum', [], 'node:mem:sum'],
  ['a name with dots', 'k8s.mem', ['a="b"'], '{__name__="k8s.mem",a="b"}'],
  ['a name that would be read as a number', 'Inf', [], '{__name__="Inf"}'],
  ['a name that would break out', 'up} or {', [], '{__name__="up} or {"}'],
])('a selector of %s', (_name, metric, matchers, expected) => {
  expect(selector(metric, matchers)).toBe(expected);
});
