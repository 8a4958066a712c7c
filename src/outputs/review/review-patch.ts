import { Document } from 'yaml';
import { formatBytes, formatTotal } from '../../foundation/byte-text.ts';
import { formatQuantity, quantityOfBytes } from '../../foundation/quantity.ts';
import type { ContainerSizing } from '../../review/container-sizing.ts';
import { injectorOf } from '../../review/injected-sidecars.ts';
import type { Review, WorkloadReview } from '../../review/review.ts';
import { countText, nameOf } from './review-text.ts';

/** Where a kind keeps its pod template. The template of a Job and the resources of a bare pod cannot be changed. */
const templates: Readonly<Record<string, { readonly apiVersion: string; readonly path: readonly string[] }>> =
  {
    Deployment: { apiVersion: 'apps/v1', path: ['spec', 'template', 'spec'] },
    StatefulSet: { apiVersion: 'apps/v1', path: ['spec', 'template', 'spec'] },
    DaemonSet: { apiVersion: 'apps/v1', path: ['spec', 'template', 'spec'] },
    ReplicaSet: { apiVersion: 'apps/v1', path: ['spec', 'template', 'spec'] },
    CronJob: { apiVersion: 'batch/v1', path: ['spec', 'jobTemplate', 'spec', 'template', 'spec'] },
  };

/** Smaller changes are not worth a rollout. */
const WORTHWHILE_RATIO = 0.05;

/**
 * Strategic-merge patches in YAML, one document per workload whose request should change, as kustomize takes them and,
 * one by one, `kubectl patch --patch-file`. What is left out is told in comments.
 */
export function reviewPatches({ workloads, gaps }: Review): string {
  const head = gaps.map((gap) => `Incomplete: ${gap}`);
  const changed = workloads.flatMap((one) => {
    const text = patchOf(one);
    return text === undefined ? [] : [{ one, text }];
  });
  if (changed.length === 0) return comment([...head, 'Nothing to change.']);
  const total = comment([...head, totalsOf(changed.map(({ one }) => one))]);
  return `${total}${changed.map(({ text }) => text).join('---\n')}`;
}

/** What all of them together change, with what limits that move along take. */
function totalsOf(changed: readonly WorkloadReview[]): string {
  const changes = changed.map(
    ({ recommendation, patchedRequestBytes, requestBytes = 0, replicas }) =>
      ((patchedRequestBytes ?? recommendation.requestBytes ?? requestBytes) - requestBytes) * replicas,
  );
  const sum = (sign: 1 | -1): string =>
    formatTotal(changes.reduce((total, bytes) => total + Math.max(0, bytes * sign), 0));
  return `${countText(changed.length, 'workload')}: together this frees ${sum(-1)} of requests and adds ${sum(1)}.`;
}

function patchOf(review: WorkloadReview): string | undefined {
  const { recommendation, requestBytes, containers, patchedRequestBytes, workload, effect } = review;
  if (recommendation.abstention !== undefined || requestBytes === undefined) return undefined;
  const after = recommendation.requestBytes;
  if (Math.abs(after - requestBytes) < requestBytes * WORTHWHILE_RATIO) return undefined;
  const template = templates[workload.kind];
  const asPatched =
    patchedRequestBytes === undefined || patchedRequestBytes === after
      ? ''
      : ` (its containers together ${formatBytes(patchedRequestBytes)})`;
  const title = `${nameOf(review)}: ${formatBytes(requestBytes)} → ${formatBytes(after)} per pod${asPatched}`;
  const own = containers.filter(({ name }) => injectorOf(name) === undefined);
  const left = containers.filter((container) => !own.includes(container)).map(injectedNote);
  if (template === undefined)
    return comment([title, `a ${workload.kind} cannot be changed: change what makes it`]);
  if (own.length === 0)
    return comment([
      title,
      'its containers are not known, or do not add up to its request, as with pod-level resources: set it by hand',
      ...left,
    ]);
  const lines = [
    title,
    ...own.map(containerNote),
    ...left,
    ...(effect?.qosAfter === undefined || effect.qosAfter === effect.qosBefore
      ? []
      : [`class: ${effect?.qosBefore} → ${effect?.qosAfter}`]),
  ];
  const podSpec = {
    ...listOf(
      'initContainers',
      own.filter(({ isSidecar }) => isSidecar),
    ),
    ...listOf(
      'containers',
      own.filter(({ isSidecar }) => !isSidecar),
    ),
  };
  const document = new Document({
    apiVersion: template.apiVersion,
    kind: workload.kind,
    metadata: { name: workload.name, namespace: workload.namespace },
    ...template.path.reduceRight<Record<string, unknown>>((inner, key) => ({ [key]: inner }), podSpec),
  });
  return `${comment(lines)}${document.toString()}`;
}

function listOf(key: string, containers: readonly ContainerSizing[]) {
  return containers.length === 0 ? {} : { [key]: containers.map(resourcesOf) };
}

function resourcesOf({ name, recommendedRequestBytes, recommendedLimitBytes }: ContainerSizing) {
  const memory = (bytes: number) => ({ memory: formatQuantity(quantityOfBytes(bytes)) });
  return {
    name,
    resources: {
      requests: memory(recommendedRequestBytes ?? 0),
      ...(recommendedLimitBytes === undefined ? {} : { limits: memory(recommendedLimitBytes) }),
    },
  };
}

function containerNote(container: ContainerSizing): string {
  const { name, requestBytes, limitBytes, recommendedRequestBytes, recommendedLimitBytes } = container;
  const limit = container.isLimitHeld
    ? ', limit not lowered: its own peaks are known for too few hours'
    : recommendedLimitBytes === undefined
      ? ''
      : `, limit ${bytesOrNone(limitBytes)} → ${bytesOrNone(recommendedLimitBytes)}`;
  return `  ${name}: request ${bytesOrNone(requestBytes)} → ${bytesOrNone(recommendedRequestBytes)}${limit}`;
}

function injectedNote({ name, recommendedRequestBytes }: ContainerSizing): string {
  return `  ${name}: ${bytesOrNone(recommendedRequestBytes)}, to be set where it is injected: ${injectorOf(name)}`;
}

function bytesOrNone(bytes: number | undefined): string {
  return bytes === undefined ? 'none' : formatBytes(bytes);
}

/** Names stand in comments, too: none may end its line. */
function comment(lines: readonly string[]): string {
  return lines.map((line) => `# ${line.replaceAll(/[\r\n]/g, ' ')}\n`).join('');
}
