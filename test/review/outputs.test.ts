import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { quantityToNumber } from '../../src/foundation/quantity.ts';
import { podRequest } from '../../src/kubelet/pod-request.ts';
import type { PodSpec } from '../../src/kubelet/pod-spec.ts';
import { chooseWorkloads, type SortKey } from '../../src/outputs/review/choice.ts';
import { reviewHead, urgentText } from '../../src/outputs/review/review-head.ts';
import { reviewHtml } from '../../src/outputs/review/review-html.ts';
import { reviewMarkdown } from '../../src/outputs/review/review-markdown.ts';
import { reviewPatches } from '../../src/outputs/review/review-patch.ts';
import { foundIn } from '../../src/outputs/review/review-text.ts';
import { noFacts } from '../../src/review/placed.ts';
import { reviewCapacity } from '../../src/review/review.ts';
import { nodeOf, podOf, snapshotOf } from '../snapshot/sample-snapshot.ts';
import { app, mi, reviewOf, settings } from './sample-review.ts';

const pod = { name: 'api', requestBytes: mi(400), usageBytes: mi(90) };

describe('patches', () => {
  test.each<[string, PodSpec, object]>([
    [
      'change the request alone where the limit is above it',
      app(400, 800),
      { requests: { memory: '115Mi' } },
    ],
    [
      'move an equal limit along',
      app(400, 400),
      { requests: { memory: '115Mi' }, limits: { memory: '115Mi' } },
    ],
    [
      'raise a limit that would be below the request',
      app(50, 60),
      { requests: { memory: '115Mi' }, limits: { memory: '115Mi' } },
    ],
  ])('%s', (_what, spec, resources) => {
    const requestBytes = quantityToNumber(podRequest(spec, 'memory'));
    const [document] = parseAllDocuments(reviewPatches(reviewOf({ ...pod, requestBytes }, spec)));
    expect(document?.toJS()).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'api', namespace: 'default' },
      spec: { template: { spec: { containers: [{ name: 'app', resources }] } } },
    });
  });

  test('are not made where containers do not add up to the request, as with pod-level resources', () => {
    const text = reviewPatches(reviewOf({ ...pod, requestBytes: mi(2048) }, app(512)));
    expect(text).toMatch(/# .*2Gi → 115Mi per pod\n# .*pod-level resources: set it by hand/);
    expect(parseAllDocuments(text)[0]?.toJS() ?? null).toBeNull();
  });

  test('leave an injected container to where it is injected', () => {
    const spec = { ...app(400), containers: [...app(400).containers, { name: 'istio-proxy' }] };
    const text = reviewPatches(reviewOf(pod, spec));
    expect(text).toMatch(/# {3}istio-proxy: .*sidecar\.istio\.io\/proxyMemory/);
    expect(parseAllDocuments(text)[0]?.toJS()).not.toHaveProperty('spec.template.spec.containers.1');
  });

  test('say so where nothing is to change', () => {
    expect(reviewPatches(reviewOf({ ...pod, requestBytes: mi(115) }, app(115)))).toBe(
      '# Nothing to change.\n',
    );
  });

  test.each(['Job', 'Pod'])('only tell what a %s should have', (kind) => {
    const text = reviewPatches(reviewOf({ ...pod, workload: { kind, name: 'api' } }, app(400)));
    expect(text).toMatch(new RegExp(`a ${kind} cannot be changed`));
    expect(parseAllDocuments(text).every((document) => document.toJS() === null)).toBe(true);
  });
});

describe('names that mean mischief', () => {
  const name = '<img src=x onerror=alert(1)>|`a`';
  const review = reviewOf({ ...pod, name }, app(400), {
    waitingPods: [{ cluster: undefined, namespace: 'a', name, requestBytes: mi(99_999) }],
  });

  test('stay text in the HTML report', () => {
    const html = reviewHtml(review, 0);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  test('open no cell and no tag in the markdown report', () => {
    const markdown = reviewMarkdown(review, 0);
    expect(markdown).not.toMatch(/[^\\]<img/);
    expect(markdown).toContain('\\<img src=x onerror=alert(1)\\>\\|\\`a\\`');
  });
});

test('the HTML report asks nothing of the network and runs no script', () => {
  const html = reviewHtml(reviewOf(pod, app(400)), 0);
  expect(html).not.toMatch(/<script|https?:|url\(|@import|<link/i);
  expect(html).toContain("default-src 'none'");
});

describe('the choice of workloads', () => {
  const choice = { namespaces: [], kinds: [], findings: [], sort: 'change', top: undefined } as const;
  const review = reviewOf(pod, app(400));

  test.each([
    ['keeps all where nothing is asked', {}, 1],
    ['keeps those of a namespace', { namespaces: ['default'] }, 1],
    ['drops those of others', { namespaces: ['shop'] }, 0],
    ['takes kinds as kubectl does, whatever their case', { kinds: ['deployment'] }, 1],
    ['keeps those with a finding', { findings: ['over_requested'] }, 1],
    ['drops those without it', { findings: ['spiky'] }, 0],
  ])('%s', (_what, wanted, count) => {
    expect(chooseWorkloads(review, { ...choice, ...wanted }).workloads).toHaveLength(count);
  });
});

describe('the order of workloads', () => {
  const request = { a: 300, b: 100, c: 200 } as const;
  const peak = { a: 100, b: 200, c: undefined } as const;
  const names = ['a', 'b', 'c'] as const;
  const snapshot = snapshotOf(
    [nodeOf({ pods: names.map((name) => podOf({ name, requestBytes: mi(request[name]) })) })],
    {
      peaks: Object.fromEntries(
        names.flatMap((name) => (peak[name] === undefined ? [] : [[name, mi(peak[name])]])),
      ),
    },
  );
  const review = reviewCapacity(snapshot, noFacts, settings);
  const order = (sort: SortKey, top?: number) =>
    chooseWorkloads(review, { namespaces: [], kinds: [], findings: [], sort, top }).workloads.map(
      ({ workload }) => workload.name,
    );

  test.each<[SortKey, string[]]>([
    ['change', ['a', 'b', 'c']],
    ['freed', ['a', 'b', 'c']],
    ['added', ['b', 'a', 'c']],
    ['request', ['a', 'c', 'b']],
    ['peak', ['b', 'a', 'c']],
    ['time-over-request', ['b', 'a', 'c']],
    ['oom-kills', ['a', 'b', 'c']],
    ['name', ['a', 'b', 'c']],
  ])('by %s has the largest first and the unknown last', (sort, expected) => {
    expect(order(sort)).toEqual(expected);
  });

  test('may be cut off', () => {
    expect(order('added', 1)).toEqual(['b']);
  });
});

test('what was chosen has sums of its own beside those of the cluster', () => {
  const review = reviewOf(pod, app(400));
  const head = (one: typeof review) => reviewHead(one).details.join(' ');
  expect(head(review)).not.toContain('Shown are');
  expect(head({ ...review, workloads: [] })).toContain(
    'Shown are 0 of 1 workload: these alone free 0 and add 0.',
  );
});

test('the most urgent findings come first in every report', () => {
  const review = reviewOf(
    { ...pod, requestBytes: 0 },
    { containers: [{ name: 'app' }], initContainers: [] },
    {
      waitingPods: [{ cluster: undefined, namespace: 'a', name: 'huge', requestBytes: mi(99_999) }],
      oomKills: () => 1,
    },
  );
  expect(foundIn(review).map(([, { id }]) => id)).toEqual(['request_above_any_node', 'no_request']);
  expect(urgentText(reviewHead(review))).toBe(
    'Most urgent: request above any node: cluster; no request: default/Deployment/api.',
  );
});

test('without the facts of a review the sizing is the same', () => {
  const [known] = reviewOf(pod, app(400)).workloads;
  const [unknown] = reviewOf(pod, app(400), { specOf: () => undefined }).workloads;
  expect(unknown?.recommendation).toEqual(known?.recommendation);
  expect(unknown?.containers).toEqual([]);
});
