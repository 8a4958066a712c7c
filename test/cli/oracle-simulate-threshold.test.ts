import { afterAll, describe, expect, test } from 'vitest';
import type { Simulation } from '../../src/scenario/simulate.ts';
import { roundedUp, thresholdCaseName, thresholdCasesOf } from '../oracle-thresholds.ts';
import { podList, statsSummary } from './kubectl-output.ts';
import { startSession } from './session.ts';

/** Thresholds of the kubelet 1.20 through the options of `simulate`. */
const session = startSession();
afterAll(session.end);

interface Memory {
  readonly availableBytes: number;
  readonly capacityBytes: number;
}

/** A node without pods. */
function simulate({ availableBytes, capacityBytes }: Memory, ...flags: readonly string[]) {
  return simulateFiles(
    [],
    { memory: { availableBytes, workingSetBytes: capacityBytes - availableBytes } },
    flags,
  );
}

function simulateFiles(pods: Parameters<typeof podList>[0], nodeStats: object, flags: readonly string[]) {
  return session.run(
    ...['simulate', '--output', 'json'],
    ...['--pods', session.file('pods.json', podList(pods))],
    ...['--summary', session.file('summary.json', statsSummary(pods, nodeStats))],
    ...flags,
  );
}

describe('simulate --threshold (parseThresholdStatement, GetThresholdQuantity)', () => {
  const cases = thresholdCasesOf('parseThresholdStatement').filter(
    ({ input }) => input.signal === 'memory.available',
  );
  test('takes the 59 cases of memory.available', () => expect(cases).toHaveLength(59));

  for (const one of cases) {
    const { value } = one.input;
    test(thresholdCaseName(one), async () => {
      const run = await simulate({ availableBytes: 0, capacityBytes: 0 }, `--threshold=${value}`);
      if (one.error !== undefined) {
        expect(run).toMatchObject({ status: 2, stdout: '' });
        expect(run.stderr).toContain(`"${value}" is refused by the kubelet: ${one.error}`);
      } else if (one.ignored === true) {
        expect(run).toMatchObject({ status: 2, stdout: '' });
        expect(run.stderr).toContain(`${value} switches the threshold off`);
      } else {
        for (const { capacityBytes, thresholdBytes } of one.thresholdBytesAt ?? []) {
          const memory = { availableBytes: 0, capacityBytes };
          const { status, stdout } = await simulate(memory, `--threshold=${value}`);
          expect(status).toBe(0);
          const answer = JSON.parse(stdout) as Simulation;
          expect(answer.thresholdBytes).toBe(Number(roundedUp(thresholdBytes)));
        }
      }
    });
  }
});

describe('simulate under pressure (thresholdsMet)', () => {
  const cases = thresholdCasesOf('thresholdsMet');
  test('has 27 cases: 26 observed, 2 of them met before', () => {
    expect(cases).toHaveLength(27);
    expect(cases.filter(({ input }) => input.observed)).toHaveLength(26);
    expect(cases.filter(({ input }) => input.enforceMinReclaim)).toHaveLength(2);
  });

  for (const one of cases) {
    const { input } = one;
    test(thresholdCaseName(one), async () => {
      const threshold = [`--threshold=${input.value}`];
      if (!input.observed) {
        // The kubelet meets no threshold it has no figures for; here nothing is claimed without them.
        const run = await simulateFiles([], {}, threshold);
        expect(run).toMatchObject({ status: 1, stdout: '' });
        expect(run.stderr).toContain('its available memory is not known');
        expect(one.result.met).toBe(false);
        return;
      }
      const run = input.enforceMinReclaim
        ? await afterAnEviction(input)
        : await simulate(input, ...threshold);
      expect(run.status, run.stderr).toBe(0);
      expect((JSON.parse(run.stdout) as Simulation).underPressure).toBe(one.result.met);
    });
  }

  /** The minimum reclaim counts only once the threshold was met: a pod goes, and its memory makes up what is available. */
  function afterAnEviction({
    value,
    minimumReclaim,
    availableBytes,
    capacityBytes,
  }: (typeof cases)[number]['input']) {
    const missingBytes = availableBytes + 1;
    const pods = [
      {
        namespace: 'a',
        name: 'gone',
        priority: 0,
        containers: [{ name: 'c' }],
        stats: { memory: { workingSetBytes: missingBytes } },
      },
    ];
    const memory = { availableBytes, workingSetBytes: capacityBytes - availableBytes };
    return simulateFiles(pods, { memory }, [
      `--threshold=${value}`,
      `--extra-node-usage=${missingBytes}`,
      ...(minimumReclaim === undefined ? [] : [`--minimum-reclaim=${minimumReclaim}`]),
    ]);
  }
});
