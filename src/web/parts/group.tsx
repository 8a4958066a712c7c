import { groupNames } from '../../explain/comparator-names.ts';
import type { ComparatorGroup } from '../../kubelet/candidate.ts';

interface GroupWords {
  readonly label: string;
  readonly heading: string;
  readonly meaning: string;
}

/** In the order of eviction. */
export const groupWords: Readonly<Record<ComparatorGroup, GroupWords>> = {
  no_stats: {
    label: groupNames.no_stats,
    heading: 'No memory figures',
    meaning: 'the kubelet takes them before all others',
  },
  exceeds_request: {
    label: groupNames.exceeds_request,
    heading: 'Over their request',
    meaning: 'lowest priority first, then the one furthest over',
  },
  within_request: {
    label: groupNames.within_request,
    heading: 'Within their request',
    meaning:
      'only when all of the above are gone; lowest priority first, then the one closest to its request',
  },
  protected: {
    label: groupNames.protected,
    heading: 'Never evicted',
    meaning: 'static pods, and pods of priority 2,000,000,000 and above',
  },
};

export const groupOrder = Object.keys(groupWords) as readonly ComparatorGroup[];

export function GroupChip({ group }: { readonly group: ComparatorGroup | null | undefined }) {
  if (group === null || group === undefined) return <span class="chip">not ranked</span>;
  return <span class={`chip tone-${group}`}>{groupWords[group].label}</span>;
}

/** Pods by group as small numbers with their colours, and in words for who cannot see them. */
export function GroupCounts({
  counts,
}: {
  readonly counts: Readonly<Partial<Record<ComparatorGroup, number>>>;
}) {
  const present = groupOrder.filter((group) => (counts[group] ?? 0) > 0);
  return (
    <span class="counts">
      {present.map((group) => (
        <span key={group} class={`count tone-${group}`} title={`${counts[group]} ${groupWords[group].label}`}>
          <span class="dot" aria-hidden="true" />
          {counts[group]}
          <span class="only-read"> {groupWords[group].label}</span>
        </span>
      ))}
    </span>
  );
}
