import { expect, it, onTestFinished } from 'vitest';
import { collectInputs } from '../../src/inputs/collect.ts';
import { readClusterFiles } from '../../src/inputs/kubernetes/cluster-files.ts';
import { collectReviewInputs } from '../../src/inputs/review-inputs.ts';
import type { Answer, PrometheusClient, Sample, Series } from '../../src/prometheus/client.ts';
import { PrometheusError } from '../../src/prometheus/failures.ts';
import { chooseRetired } from '../../src/window/retention.ts';
import { startSession } from '../cli/session.ts';
import { plainScope } from '../support/plain-scope.ts';

/** As many pods as the largest cluster has: more than the 120,000 or so arguments that one call of Node takes. */
const pods = 150_000;
const labels = Array.from({ length: pods }, (_, i) => ({ namespace: 'a', pod: `p${i}`, uid: `${i}` }));

const nothing = {
  droppedPoints: pods,
  droppedLabels: labels,
  warnings: [],
  infos: [],
  stats: undefined,
};
/** A backend of which every sample is NaN. */
const client: PrometheusClient = {
  instant: async (): Promise<Answer<Sample>> => ({ rows: [], ...nothing }),
  range: async (): Promise<Answer<Series>> => ({ rows: [], ...nothing }),
};

it('the inputs of a refresh may all be lost', async () => {
  const { rows } = await collectInputs({ client, scope: plainScope, evaluatedAtMs: 0 });
  expect(rows.pods.outcome).toBe('empty');
  expect(rows.pods.dropped).toHaveLength(pods);
});

it('the inputs of a review may all be lost', async () => {
  const { rows, restingJobs } = await collectReviewInputs({
    client,
    scope: plainScope,
    timeMs: 0,
    windowMs: 3_600_000,
    knownPods: new Map(),
    isRunning: () => false,
  });
  expect(rows.limits.dropped).toHaveLength(pods);
  expect(restingJobs instanceof PrometheusError ? [] : restingJobs.dropped).toHaveLength(pods);
});

it('the pods of a file may all be unreadable', async () => {
  const session = startSession();
  onTestFinished(session.end);
  const file = session.file('pods.json', {
    kind: 'PodList',
    items: Array(pods).fill({ spec: { nodeName: 7 } }),
  });
  const read = await readClusterFiles({ pods: [file], nodes: [], priorityClasses: [], summaries: [] });
  expect(read.unreadablePodNodes).toHaveLength(pods);
});

it('the rows of a window may all be given up', () => {
  const rows = labels.map(({ pod }, i) => ({ key: pod, lastHour: i, mayReturn: true }));
  expect(chooseRetired(rows, pods, 10)).toHaveLength(pods - 10);
});
