import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ExplainedPod } from '../../src/outputs/api/explanation.ts';
import { caseHead, caseName, nullable, readOracleCases, wholeNumber } from '../oracle-cases.ts';
import { oracleContainer } from '../oracle-pods.ts';
import { nodeList, podList, statsSummary, withoutDefaults } from './kubectl-output.ts';
import { startSession } from './session.ts';

/** Every `oom_score_adj` of the kubelet 1.20, through `explain --nodes`, which tells the capacity and the version. */
const session = startSession();
afterAll(session.end);

const cases = readOracleCases(
  'oom_score_adj',
  z.strictObject({
    ...caseHead,
    priority: nullable(z.int()),
    annotations: z.record(z.string(), z.string()),
    containers: z.array(oracleContainer),
    initContainers: z.array(oracleContainer),
    memoryCapacityBytes: wholeNumber,
    isCriticalPod: z.boolean(),
    class: z.string(),
    result: z.array(
      z.strictObject({
        container: z.string(),
        init: z.literal(true).optional(),
        // The kubelet crashes on a node without memory; nothing is said of it here.
        oomScoreAdj: z.union([
          z.int(),
          z
            .string()
            .startsWith('panics: ')
            .transform(() => null),
        ]),
      }),
    ),
  }),
);

async function explain(one: (typeof cases)[number], kubeletVersion: string | undefined) {
  const pods = [
    {
      namespace: 'a',
      name: 'pod',
      priority: one.priority,
      annotations: one.annotations,
      containers: one.containers.map(withoutDefaults),
      initContainers: one.initContainers.map(withoutDefaults),
      stats: { memory: { workingSetBytes: 1 } },
    },
  ];
  const { status, stdout, stderr } = await session.run(
    ...['explain', 'a/pod', '--output', 'json'],
    ...['--pods', session.file('pods.json', podList(pods))],
    ...['--nodes', session.file('nodes.json', nodeList(one.memoryCapacityBytes, kubeletVersion))],
    ...['--summary', session.file('summary.json', statsSummary(pods))],
  );
  expect(status, stderr).toBe(0);
  const { now, explanation } = JSON.parse(stdout) as ExplainedPod;
  return { now, resources: explanation.resources };
}

describe('explain on a node of version 1.20.2', () => {
  for (const one of cases) {
    test(caseName(one), async () => {
      const { now, resources } = await explain(one, 'v1.20.2');
      expect(now.group === 'protected').toBe(one.isCriticalPod);
      expect(resources?.qos.qosClass).toBe(one.class);
      expect(
        resources?.containers.map(({ name, kind, oomScoreAdj }) => ({
          container: name,
          init: kind === 'main' ? undefined : true,
          oomScoreAdj,
        })),
      ).toEqual(one.result.map(({ container, init, oomScoreAdj }) => ({ container, init, oomScoreAdj })));
      expect(resources?.oomSentence.includes('critical pod')).toBe(one.isCriticalPod);
    });
  }
});

describe('explain on a newer node', () => {
  const critical = cases.filter((one) => one.isCriticalPod && one.class !== 'Guaranteed');

  test('has critical pods to look at', () => {
    expect(critical.length).toBeGreaterThan(10);
  });

  test.each(['v1.22.0', 'v1.36.0', undefined])(
    'of version %s: none of the class is spared',
    async (version) => {
      for (const one of critical) {
        const { now, resources } = await explain(one, version);
        expect(now.group).toBe('protected');
        const scores = resources?.containers.map(({ oomScoreAdj }) => oomScoreAdj) ?? [];
        expect(scores.filter((score) => score === -997)).toEqual([]);
        expect(resources?.oomSentence).toContain('Since Kubernetes 1.22 the kernel spares only those');
        expect(resources?.oomSentence).toContain(version ?? 'is not known, so the newer rule is taken');
      }
    },
  );
});
