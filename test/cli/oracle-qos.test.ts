import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ExplainedPod } from '../../src/outputs/api/explanation.ts';
import { caseHead, caseName, readOracleCases } from '../oracle-cases.ts';
import { oracleContainer } from '../oracle-pods.ts';
import { asWritten, type ListedPod, podList, statsSummary, withoutDefaults } from './kubectl-output.ts';
import { startSession } from './session.ts';

/**
 * Every QoS class of the kubelet, through `explain` of the files a user would give it. Every pod a kubelet sees has the
 * API server's defaults, so a pod as written has the class after them; one that they do not change has the other.
 */
const session = startSession();
afterAll(session.end);

const qosClass = z.enum(['Guaranteed', 'Burstable', 'BestEffort']);
const cases = readOracleCases(
  'qos',
  z.strictObject({
    ...caseHead,
    containers: z.array(oracleContainer),
    initContainers: z.array(oracleContainer),
    class: qosClass,
    classAfterApiDefaults: qosClass,
  }),
);

async function explain(pods: readonly ListedPod[]) {
  const files = [
    ...['--pods', session.file('pods.json', podList(pods))],
    ...['--summary', session.file('summary.json', statsSummary(pods))],
  ];
  return async (name: string) => {
    const run = await session.run('explain', `a/${name}`, ...files, '--output', 'json');
    expect(run.status, run.stderr).toBe(0);
    const { now, explanation } = JSON.parse(run.stdout) as ExplainedPod;
    expect(explanation.resources?.qos.summary).not.toBe('');
    const { qosClass: computed, reported, difference, findings } = explanation.resources?.qos ?? {};
    return { shown: now.qosClass, computed, reported, difference, findings: findings?.length };
  };
}

describe('explain names the QoS class', () => {
  for (const one of cases) {
    const { class: pinned, classAfterApiDefaults: defaulted } = one;
    test(caseName(one), async () => {
      const pod = { namespace: 'a', priority: 0, stats: {} };
      const written = {
        ...pod,
        containers: one.containers.map(asWritten),
        initContainers: one.initContainers.map(asWritten),
      };
      const qosOf = await explain([
        { ...written, name: 'written' },
        { ...written, name: 'reported', qosClass: pinned },
        {
          ...pod,
          name: 'pinned',
          containers: one.containers.map(withoutDefaults),
          initContainers: one.initContainers.map(withoutDefaults),
        },
      ]);
      const unreported = { reported: null, difference: null };
      expect(await qosOf('written')).toMatchObject({ shown: defaulted, computed: defaulted, ...unreported });
      expect(await qosOf('pinned')).toMatchObject({ shown: pinned, computed: pinned, ...unreported });
      const reported = await qosOf('reported');
      expect(reported).toMatchObject({ shown: pinned, computed: defaulted, reported: pinned });
      if (pinned === defaulted) expect(reported.difference).toBeNull();
      else {
        expect(reported.difference).toContain(`Kubernetes reports ${pinned}, the spec gives ${defaulted}`);
      }
      // What keeps a pod from being Guaranteed is named; a pod without containers has nothing that could be.
      expect(reported.findings === 0).toBe(defaulted === 'Guaranteed' || one.containers.length === 0);
    });
  }

  test('in some of which the defaults make a difference', () => {
    expect(cases.filter((one) => one.class !== one.classAfterApiDefaults)).toHaveLength(16);
  });
});
