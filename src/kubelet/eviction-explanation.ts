import { formatQuantity } from '../foundation/quantity.ts';
import type { ComparatorGroup } from './candidate.ts';
import type {
  EvictionText,
  NamedUsage,
  NodePressureText,
  StorageLimitText,
} from './eviction-message-text.ts';

/** What an eviction message tells of the decision behind it. */
export interface EvictionExplanation {
  /** The group the pod was in as far as the message tells; undefined where it does not tell. */
  readonly group: ComparatorGroup | undefined;
  /** Why this pod went. */
  readonly reasons: readonly string[];
  /** What would have helped. */
  readonly remedies: readonly string[];
}

export function explainEviction(text: EvictionText): EvictionExplanation {
  return text.kind === 'storage_limit' ? explainStorageLimit(text) : explainNodePressure(text);
}

function explainStorageLimit({ what, name, limit }: StorageLimitText): EvictionExplanation {
  const subject = { container: `container ${name}`, pod: 'the pod', empty_dir: `emptyDir volume ${name}` }[
    what
  ];
  return {
    group: undefined,
    reasons: [
      `${subject} used more local storage than its own limit of ${formatQuantity(limit)}; the node and other pods played no part`,
    ],
    remedies: [`raise the limit of ${subject}, or write less`],
  };
}

function explainNodePressure(text: NodePressureText): EvictionExplanation {
  const pressure = describePressure(text);
  const explain = EXPLANATIONS[text.resource] ?? explainUnnamed;
  const { group, reasons, remedies } = explain(text);
  return { group, reasons: [pressure, ...reasons], remedies };
}

type Explain = (text: NodePressureText) => EvictionExplanation;

/** Usage is named by container only for memory and storage. */
const EXPLANATIONS: Readonly<Record<string, Explain>> = {
  memory: explainByUsage,
  'ephemeral-storage': explainByUsage,
};

function describePressure({ resource, threshold }: NodePressureText): string {
  if (threshold === undefined) return `the node ran low on ${resource}`;
  const [available, quantity] = [formatQuantity(threshold.available), formatQuantity(threshold.quantity)];
  return `the node ran low on ${resource}: ${available} available, below the threshold of ${quantity}`;
}

/**
 * The message takes container usage and the ranking pod usage, so they can disagree: a pod within its request may
 * have a container above its own. At pod level the request named is the one that ranks.
 */
function explainByUsage({ resource, pod, containers }: NodePressureText): EvictionExplanation {
  const above = pod === undefined ? containers : [pod].filter(isAbove);
  if (above.length === 0) {
    return {
      group: 'within_request',
      reasons: [
        `nothing of the pod was above its ${resource} request, so it went in the second group: every pod above its ` +
          'request was gone or protected, and no pod left had a lower priority',
      ],
      remedies: [
        'give it a higher priority than its neighbours',
        `reserve more of the node's ${resource}, so that pods within their requests fit`,
      ],
    };
  }
  return {
    group: 'exceeds_request',
    reasons: above.map(
      ({ name, usage, request }) =>
        `${name} used ${formatQuantity(usage)} with a request of ${formatQuantity(request)}, which put the pod in the first group`,
    ),
    remedies: above.map(
      ({ name, usage }) =>
        `request at least ${formatQuantity(usage)} of ${resource} for ${name}, or make it use less`,
    ),
  };
}

function explainUnnamed({ resource }: NodePressureText): EvictionExplanation {
  return {
    group: undefined,
    reasons: [`the message names no usage of ${resource}: ask the kubelet's log for the ranking`],
    remedies: [`find which pods use most ${resource}; a higher priority moves a pod back`],
  };
}

function isAbove({ usage, request }: NamedUsage): boolean {
  return usage.nanos > request.nanos;
}
