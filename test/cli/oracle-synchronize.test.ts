import { afterAll, describe, expect, test } from 'vitest';
import type { Simulation } from '../../src/scenario/simulate.ts';
import { scenario } from '../kubelet/eviction-world.ts';
import { caseName, readOracleCases } from '../oracle-cases.ts';
import { type ListedPod, podList, statsSummary } from './kubectl-output.ts';
import { startSession } from './session.ts';

/**
 * The passes of the eviction manager, through `simulate`: for every pass whom it evicts first from what the node then
 * has, and the whole chain in one run where nothing but the evictions changes the node. What `simulate` cannot
 * express is counted below; all of it is tested against the rules in test/kubelet/synchronize.test.ts.
 */
const session = startSession();
afterAll(session.end);

const cases = readOracleCases('synchronize', scenario);
type Case = (typeof cases)[number];
type Pod = Case['pods'][number];

/** Why a case is not for `simulate`; the first that fits. */
const obstacles: readonly (readonly [why: string, count: number, holds: (one: Case) => boolean])[] = [
  [
    'a soft threshold waits for its grace period',
    13,
    ({ config }) => Object.keys(config.evictionSoft).length > 0,
  ],
  [
    'another signal than memory.available is observed: allocatable, pid or nodefs',
    4,
    ({ node }) => node.allocatable !== undefined || node.pid !== undefined || node.nodefs !== undefined,
  ],
  ['there is no threshold at all', 1, ({ config }) => config.evictionHard['memory.available'] === undefined],
];

function obstacleOf(one: Case): string | undefined {
  return obstacles.find(([, , holds]) => holds(one))?.[0];
}
const expressible = cases.filter((one) => obstacleOf(one) === undefined);

/** `simulate` refuses to play a node that evicts nothing. */
function isOff({ config }: Case): boolean {
  return config.evictionHard['memory.available'] === '0%';
}

/** Nothing but evictions changes the node, every eviction works and gives back what the pod used. */
function isOneChain({ pods, steps }: Case): boolean {
  return (
    steps.every(
      ({ availableDeltaBytes, setUsageBytes }) =>
        availableDeltaBytes === 0 && Object.keys(setUsageBytes).length === 0,
    ) && pods.every(({ freedBytes, usageBytes = 0, killFails }) => freedBytes === usageBytes && !killFails)
  );
}

function listedPod({ name, namespace, priority, annotations, containers, usageBytes }: Pod): ListedPod {
  return {
    name,
    namespace,
    priority,
    annotations,
    containers: containers.map((container) => ({
      name: container.name,
      resources: { requests: { memory: container.requestMemory } },
    })),
    stats: usageBytes === undefined ? undefined : { memory: { workingSetBytes: usageBytes } },
  };
}

async function simulate({ node, config }: Case, pods: readonly Pod[], availableBytes: number) {
  const listed = pods.map(listedPod);
  const workingSetBytes = node.memory.capacityBytes - availableBytes;
  const { 'memory.available': reclaim } = config.evictionMinimumReclaim;
  const { status, stdout, stderr } = await session.run(
    ...['simulate', '--output', 'json'],
    ...['--pods', session.file('pods.json', podList(listed))],
    '--summary',
    session.file('summary.json', statsSummary(listed, { memory: { availableBytes, workingSetBytes } })),
    `--threshold=${config.evictionHard['memory.available']}`,
    ...(reclaim === undefined ? [] : [`--minimum-reclaim=${reclaim}`]),
  );
  return {
    status,
    stderr,
    answer: (status === 0 ? JSON.parse(stdout) : undefined) as Simulation | undefined,
  };
}

/** The passes, each with the pods that are left and what they then use. */
function passesOf({ pods, steps }: Case) {
  let left: readonly Pod[] = pods;
  return steps.map((step) => {
    left = left.map((pod) => ({ ...pod, usageBytes: step.setUsageBytes[pod.name] ?? pod.usageBytes }));
    const before = left;
    left = left.filter(({ name, killFails }) => name !== step.evicted || killFails);
    return { step, pods: before };
  });
}

describe('simulate takes the pod of every pass of the kubelet', () => {
  test('of the 35 cases it can express 17, with 58 passes', () => {
    const found = obstacles.map(([why]) => [why, cases.filter((one) => obstacleOf(one) === why).length]);
    expect(found).toEqual(obstacles.map(([why, count]) => [why, count]));
    expect(expressible).toHaveLength(17);
    expect(expressible.flatMap(({ steps }) => steps)).toHaveLength(58);
  });

  for (const one of expressible) {
    test(caseName(one), async () => {
      for (const { step, pods } of passesOf(one)) {
        const { status, stderr, answer } = await simulate(one, pods, step.availableBytes);
        if (isOff(one)) {
          expect(status).toBe(2);
          expect(stderr).toContain('0% switches the threshold off: nothing is ever evicted');
          expect(step.evicted).toBeUndefined();
          continue;
        }
        expect(answer?.evictions[0]?.pod, `at ${step.t} s`).toBe(step.evicted);
      }
    });
  }
});

describe('simulate plays the whole chain', () => {
  const chains = expressible.filter((one) => isOneChain(one) && !isOff(one));
  test('of 10 cases', () => expect(chains).toHaveLength(10));

  for (const one of chains) {
    test(caseName(one), async () => {
      const { answer } = await simulate(one, one.pods, one.steps[0]?.availableBytes ?? 0);
      expect(answer?.evictions.map(({ pod }) => pod)).toEqual(one.evictionOrder);
      const before = one.steps.filter(({ evicted }) => evicted !== undefined);
      expect(answer?.evictions.map(({ availableBeforeBytes }) => availableBeforeBytes)).toEqual(
        before.map(({ availableBytes }) => availableBytes),
      );
    });
  }
});
