import { expect, test } from 'vitest';
import { type CollectedReview, type ReviewInputId, reviewInputs } from '../../src/inputs/review-inputs.ts';
import { joinWorkloadFacts } from '../../src/model/workload-facts.ts';
import { podOf } from '../snapshot/sample-snapshot.ts';

const keys = {
  cluster: undefined,
  namespace: 'namespace',
  pod: 'pod',
  container: 'container',
  node: 'node',
  uid: 'uid',
};
const ofApp = { namespace: 'default', pod: 'api', uid: 'uid-api', container: 'app' };
const answered: Partial<Record<ReviewInputId, { labels: Record<string, string>; value: number }[]>> = {
  containers: [{ labels: ofApp, value: 1 }],
  requests: [{ labels: { ...ofApp, resource: 'memory' }, value: 1024 }],
  limits: [{ labels: { ...ofApp, resource: 'memory' }, value: 2048 }],
};

function collected(
  samples: typeof answered,
  dropped: Partial<Record<ReviewInputId, Record<string, string>[]>> = {},
): CollectedReview {
  const rows = (Object.keys(reviewInputs) as ReviewInputId[]).map((id) => [
    id,
    { samples: samples[id] ?? [], dropped: dropped[id] ?? [], keys, error: undefined },
  ]);
  return {
    rows: Object.fromEntries(rows) as CollectedReview['rows'],
    restingJobs: { keys, lastJobs: [], pods: [], requests: [], dropped: [] },
  };
}

test('the containers of a pod are known where requests and limits are', () => {
  const facts = joinWorkloadFacts(collected(answered));
  expect(facts.specOf(podOf({ name: 'api' }))?.containers.map(({ name }) => name)).toEqual(['app']);
  expect(facts.specOf(podOf({ name: 'api', uid: 'another' }))).toBeUndefined();
});

test('limits that are exported nowhere are not taken for limits that are not set', () => {
  const facts = joinWorkloadFacts(collected({ ...answered, limits: [] }));
  expect(facts.specOf(podOf({ name: 'api' }))).toBeUndefined();
  expect(facts.gaps).toContainEqual(expect.stringMatching(/^There are no series for limits/));
});

test.each(['containers', 'requests', 'limits', 'init_requests', 'init_limits', 'overhead_memory'] as const)(
  'a pod whose %s came as NaN has no containers that are known, and is named',
  (id) => {
    const web = { ...ofApp, pod: 'web', uid: 'uid-web' };
    const both = Object.fromEntries(
      Object.entries(answered).map(([key, samples]) => [
        key,
        [...samples, ...samples.map((sample) => ({ ...sample, labels: { ...sample.labels, ...web } }))],
      ]),
    );
    const { specOf, gaps } = joinWorkloadFacts(collected(both, { [id]: [ofApp] }));
    expect(specOf(podOf({ name: 'api' }))).toBeUndefined();
    expect(specOf(podOf({ name: 'web' }))).toBeDefined();
    expect(gaps).toEqual([
      `Samples of ${id.replace('_', ' ')} are NaN, infinite or beyond 2^53 (1 of them), and what they say is not known: default/api.`,
    ]);
  },
);

test('a CronJob between two runs whose request came as NaN is not taken for one without', () => {
  const job = { namespace: 'default', job_name: 'nightly-1', owner_name: 'nightly' };
  const run = { namespace: 'default', pod: 'nightly-1-x', created_by_name: 'nightly-1' };
  const resting = {
    keys,
    lastJobs: [{ labels: job, value: 1 }],
    pods: [{ labels: run, value: 1 }],
    requests: [],
  };
  const factsOf = (dropped: Record<string, string>[]) =>
    joinWorkloadFacts({ ...collected(answered), restingJobs: { ...resting, dropped } });
  expect(factsOf([]).restingCronJobs).toMatchObject([{ requestBytes: 0 }]);
  const lost = factsOf([{ namespace: 'default', pod: 'nightly-1-x' }]);
  expect(lost.restingCronJobs).toEqual([]);
  expect(lost.gaps).toEqual([expect.stringMatching(/^Samples of CronJobs between two runs .*default/)]);
});
