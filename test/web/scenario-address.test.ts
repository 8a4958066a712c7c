import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commandLine,
  noScenario,
  readSettings,
  type ScenarioSettings,
  writeSettings,
} from '../../src/web/node/scenario-address.ts';
import { formatAddress, parseAddress } from '../../src/web/shell/address.ts';

const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/);
const bytes = fc.nat({ max: 2 ** 50 });
const podChange = fc
  .record({
    namespace: name,
    pod: name,
    priority: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { nil: undefined }),
    requestBytes: fc.option(bytes, { nil: undefined }),
    usageBytes: fc.option(bytes, { nil: undefined }),
  })
  .filter((change) =>
    [change.priority, change.requestBytes, change.usageBytes].some((value) => value !== undefined),
  );

const settings: fc.Arbitrary<ScenarioSettings> = fc.record({
  basis: fc.constantFrom('now', 'peak'),
  extraNodeUsageBytes: fc.integer({ min: -(2 ** 50), max: 2 ** 50 }),
  threshold: fc.constantFrom(undefined, '100Mi', '5%', '1.5Gi'),
  minimumReclaim: fc.constantFrom(undefined, '0', '500Mi', '2%'),
  pods: fc.uniqueArray(podChange, { maxLength: 4, selector: ({ namespace, pod }) => `${namespace}/${pod}` }),
});

describe('a scenario in an address', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const address = parseAddress(formatAddress(['nodes', 'n1'], writeSettings(before)));
        const { settings: after, problems } = readSettings(address.parameters);
        expect(problems).toEqual([]);
        expect(JSON.parse(JSON.stringify(after))).toEqual(JSON.parse(JSON.stringify(before)));
      }),
    );
  });

  it('is read by people: no escapes but the necessary', () => {
    const change = { namespace: 'prod', pod: 'api', priority: -1000, requestBytes: 2 ** 30 };
    const text = formatAddress(
      ['nodes', 'n1'],
      writeSettings({ ...noScenario, extraNodeUsageBytes: 888 * 2 ** 20, pods: [change] }),
    );
    expect(text).toBe('#/nodes/n1?extra-node-usage=888Mi&pod=prod/api,priority=-1000,request=1Gi');
  });

  it('is the same as a command line', () => {
    const change = { namespace: 'prod', pod: 'api', usageBytes: 2 ** 31 };
    expect(commandLine('n1', { ...noScenario, threshold: '5%', pods: [change] })).toBe(
      'evictrank simulate --node n1 --threshold 5% --pod prod/api,usage=2Gi',
    );
  });

  it.each([
    ['extra-node-usage=1Gx', 'extra'],
    ['threshold=never', 'threshold'],
    ['threshold=0%25', 'threshold'],
    ['minimum-reclaim=-1', 'minimum-reclaim'],
    ['pod=prod/api', 'pod'],
    ['pod=prod/api,color=red', 'pod'],
    ['pod=prod/api,priority=99999999999', 'pod'],
  ])('with %s is read without that part, and the reader is told', (query, told) => {
    const { settings: read, problems } = readSettings(new URLSearchParams(query));
    expect(read).toEqual(noScenario);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(told);
  });
});

describe('an address', () => {
  it('keeps any name of a node, a namespace and a pod', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1 }), (path) => {
        expect(parseAddress(formatAddress(path)).path).toEqual(path);
      }),
    );
  });
});
