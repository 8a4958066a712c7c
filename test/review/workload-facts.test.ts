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

function collected(samples: typeof answered): CollectedReview {
  const rows = (Object.keys(reviewInputs) as ReviewInputId[]).map((id) => [
    id,
    { samples: samples[id] ?? [], keys, error: undefined },
  ]);
  return {
    rows: Object.fromEntries(rows) as CollectedReview['rows'],
    restingJobs: { keys, lastJobs: [], pods: [], requests: [] },
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
