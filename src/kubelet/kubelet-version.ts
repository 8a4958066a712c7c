/** What differs between versions of the kubelet: the one table that knows version numbers. */
import type { MessageStyle } from './eviction-message.ts';

export interface KubeletRules {
  /** Whose containers the kernel is told to kill last, Guaranteed ones aside (pkg/kubelet/qos/policy.go). */
  readonly sparedByOomKiller: 'critical' | 'node_critical';
  /** pkg/kubelet/eviction/helpers.go */
  readonly messageStyle: MessageStyle;
  /** Whether imagefs.inodesFree has a default (pkg/kubelet/eviction/defaults_linux.go). */
  readonly hasImagefsInodesDefault: boolean;
  /** What a pod gets for a hard threshold or a limit of its own; 0 turned out to mean its own full period. */
  readonly immediateGracePeriodSeconds: number;
}

/** Kubernetes 1.20, the oldest version whose rules are checked against the real code. */
const OLDEST_RULES: KubeletRules = {
  sparedByOomKiller: 'critical',
  messageStyle: '1.20',
  hasImagefsInodesDefault: false,
  immediateGracePeriodSeconds: 0,
};

interface RuleChange {
  /** The first 1.MINOR that has it. */
  readonly sinceMinor: number;
  /** The pull request of kubernetes/kubernetes. */
  readonly pullRequest: number;
  readonly rules: Partial<KubeletRules>;
}

/** Oldest first. None of them was brought to earlier minor versions. */
const CHANGES: readonly RuleChange[] = [
  { sinceMinor: 22, pullRequest: 99_729, rules: { sparedByOomKiller: 'node_critical' } },
  { sinceMinor: 26, pullRequest: 111_597, rules: { messageStyle: 'current' } },
  { sinceMinor: 30, pullRequest: 121_834, rules: { hasImagefsInodesDefault: true } },
  { sinceMinor: 31, pullRequest: 124_063, rules: { immediateGracePeriodSeconds: 1 } },
];

/** The rules of the newest version known. */
export const CURRENT_RULES: KubeletRules = rulesOfMinor(Number.POSITIVE_INFINITY);

/**
 * The rules of a kubelet of this version, as a node reports it in `status.nodeInfo.kubeletVersion`: `v1.20.2`,
 * `v1.30.1-eks-036c24b`. Those of the newest version where it is not known.
 */
export function rulesOfKubelet(version: string | undefined): KubeletRules {
  const minor = minorVersion(version);
  return minor === undefined ? CURRENT_RULES : rulesOfMinor(minor);
}

/** 20 of `v1.20.2`; undefined where it is not a version of Kubernetes 1. */
export function minorVersion(version: string | undefined): number | undefined {
  const minor = /^v?1\.(\d{1,3})(?!\d)/.exec(version ?? '')?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** The first version of this rule as people write it: `1.22`. */
export function sinceVersion(rule: keyof KubeletRules): string {
  const change = CHANGES.find(({ rules }) => rule in rules);
  if (change === undefined) throw new RangeError(`${rule} is the same in all versions`);
  return `1.${change.sinceMinor}`;
}

function rulesOfMinor(minor: number): KubeletRules {
  const changes = CHANGES.filter(({ sinceMinor }) => sinceMinor <= minor).map(({ rules }) => rules);
  return Object.assign({}, OLDEST_RULES, ...changes);
}
