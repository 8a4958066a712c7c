/** What the message of an evicted pod says, in words for somebody who does not know the kubelet. */
import { formatQuantity } from '../foundation/quantity.ts';
import type { ComparatorGroup, DecidedBy } from '../kubelet/candidate.ts';
import { explainEviction } from '../kubelet/eviction-explanation.ts';
import {
  type EvictionText,
  type NamedUsage,
  type NodePressureText,
  parseEvictionMessage,
} from '../kubelet/eviction-message-text.ts';

export interface EvictionMessageMeaning {
  readonly kind: 'node_pressure' | 'storage_limit';
  readonly summary: string;
  /** What the node ran low on; undefined where the pod passed a limit of its own. */
  readonly resource: string | undefined;
  /** As Kubernetes writes quantities; undefined where the message has no such sentence (before Kubernetes 1.25). */
  readonly threshold: { readonly quantity: string; readonly available: string } | undefined;
  readonly group: ComparatorGroup | undefined;
  /** The comparator that singled the pod out, as far as the message tells. */
  readonly decidedBy: Extract<DecidedBy, 'exceeds_request' | 'priority'> | undefined;
  readonly named: readonly {
    readonly what: 'pod' | 'container';
    readonly name: string;
    readonly usage: string;
    readonly request: string;
  }[];
  readonly reasons: readonly string[];
  /** What would have helped. */
  readonly remedies: readonly string[];
  /** Where the message itself may mislead. */
  readonly caveats: readonly string[];
}

/** Where a message starts inside of what somebody pasted: a line of `kubectl describe`, an event, a log. */
const START =
  /The node was low on resource: |Container \S+ exceeded its local |Pod ephemeral local storage usage |Usage of EmptyDir volume /;

/** Undefined where the text holds no eviction message. Throws QuantityError for one with an impossible number. */
export function explainEvictionMessage(text: string): EvictionMessageMeaning | undefined {
  const start = START.exec(text)?.index;
  if (start === undefined) return undefined;
  const pasted = text.slice(start);
  const [firstLine = ''] = pasted.split('\n');
  // A terminal may have wrapped the message over several lines, or other lines may follow it: what leaves less unread is it.
  const readings = [firstLine, pasted.replaceAll(/\s+/g, ' ')]
    .map(parseEvictionMessage)
    .filter((message) => message !== undefined)
    .toSorted((a, b) => unreadLength(a) - unreadLength(b) || namedCount(b) - namedCount(a));
  return readings[0] === undefined ? undefined : meaningOf(readings[0]);
}

function unreadLength(message: EvictionText): number {
  return message.kind === 'node_pressure' ? message.unread.length : 0;
}

function namedCount(message: EvictionText): number {
  return message.kind === 'node_pressure' ? message.containers.length : 0;
}

function meaningOf(message: EvictionText): EvictionMessageMeaning {
  const { group, reasons, remedies } = explainEviction(message);
  const [first = 'of a limit', ...rest] = reasons;
  const common = {
    group,
    summary: `Evicted because ${first}.`,
    // They start with the name of a container, which is no word to capitalise.
    reasons: rest.map((reason) => (group === 'exceeds_request' ? `${reason}.` : toSentence(reason))),
    remedies: remedies.map(toSentence),
  };
  if (message.kind === 'storage_limit') {
    return {
      kind: message.kind,
      ...common,
      resource: undefined,
      threshold: undefined,
      decidedBy: undefined,
      named: [],
      caveats: [],
    };
  }
  return {
    kind: message.kind,
    ...common,
    resource: message.resource,
    threshold:
      message.threshold === undefined
        ? undefined
        : {
            quantity: formatQuantity(message.threshold.quantity),
            available: formatQuantity(message.threshold.available),
          },
    decidedBy: comparators[group ?? 'protected'],
    named: [
      ...(message.pod === undefined ? [] : [named('pod', message.pod)]),
      ...message.containers.map((container) => named('container', container)),
    ],
    caveats: caveatsOf(message),
  };
}

const comparators: Readonly<Record<ComparatorGroup, EvictionMessageMeaning['decidedBy']>> = {
  exceeds_request: 'exceeds_request',
  within_request: 'priority',
  no_stats: undefined,
  protected: undefined,
};

function named(what: 'pod' | 'container', { name, usage, request }: NamedUsage) {
  return { what, name, usage: formatQuantity(usage), request: formatQuantity(request) };
}

function caveatsOf({ resource, pod, containers, threshold, unread }: NodePressureText): readonly string[] {
  const byUsage = resource === 'memory' || resource === 'ephemeral-storage';
  return [
    ...(byUsage && pod === undefined && containers.length === 0
      ? [
          'A pod of which the kubelet had no statistics leaves the same message, and it would have gone first of all.',
        ]
      : []),
    ...(pod === undefined && containers.length > 0
      ? [
          "The message compares each container with its own request, the kubelet's order compares the whole pod: a pod within its request may be listed here for one container.",
        ]
      : []),
    ...(threshold === undefined
      ? ['The message does not say how much was left: kubelets before 1.25 did not write it.']
      : []),
    ...(unread === '' ? [] : [`This part of the message is not known: ${unread}`]),
  ];
}

function toSentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
