import { describe, expect, test } from 'vitest';
import {
  CURRENT_RULES,
  minorVersion,
  rulesOfKubelet,
  sinceVersion,
} from '../../src/kubelet/kubelet-version.ts';

describe('the rules of a kubelet', () => {
  test('change with its minor version, one by one', () => {
    const rules = (minor: number) => Object.values(rulesOfKubelet(`v1.${minor}.0`));
    expect([20, 21, 22, 25, 26, 29, 30, 31, 36].map(rules)).toEqual([
      ['critical', '1.20', false, 0],
      ['critical', '1.20', false, 0],
      ['node_critical', '1.20', false, 0],
      ['node_critical', '1.20', false, 0],
      ['node_critical', 'current', false, 0],
      ['node_critical', 'current', false, 0],
      ['node_critical', 'current', true, 0],
      ['node_critical', 'current', true, 1],
      ['node_critical', 'current', true, 1],
    ]);
  });

  test('are those of the newest where the version says nothing', () => {
    for (const version of [undefined, '', 'unknown', 'v2.0.0', '1', 'v1.x', 'v1.1234.0']) {
      expect(rulesOfKubelet(version), String(version)).toBe(CURRENT_RULES);
    }
  });

  test.each([
    ['v1.20.2', 20],
    ['1.9.0', 9],
    ['v1.30.1-eks-036c24b', 30],
    ['v1.21+', 21],
    ['v1.31.0-rc.1', 31],
  ])('the minor version of %s is %i', (version, minor) => {
    expect(minorVersion(version)).toBe(minor);
  });

  test('every rule that differs says since when', () => {
    expect(sinceVersion('sparedByOomKiller')).toBe('1.22');
    expect(sinceVersion('immediateGracePeriodSeconds')).toBe('1.31');
  });
});
