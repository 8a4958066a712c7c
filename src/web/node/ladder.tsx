import { useRef, useState } from 'preact/hooks';
import type { ComparatorGroup } from '../../kubelet/candidate.ts';
import type { PodChange } from '../../scenario/scenario.ts';
import type { Basis } from '../../snapshot/snapshot.ts';
import { groupWords } from '../parts/group.tsx';
import { LadderRow } from './ladder-row.tsx';
import type { PlayedPod } from './play.ts';
import { PodEditor } from './pod-editor.tsx';
import { shortReason } from './story.ts';
import { useGlide } from './use-glide.ts';

/** The pods of a node in the order in which they go, under a heading for each group. */
export function Ladder({
  pods,
  cluster,
  basis,
  onChangePod,
}: {
  readonly pods: readonly PlayedPod[];
  readonly cluster: string | undefined;
  readonly basis: Basis;
  /** undefined where nothing can be played. */
  readonly onChangePod: ((pod: PlayedPod, fields: Omit<PodChange, 'namespace' | 'pod'>) => void) | undefined;
}) {
  const list = useRef<HTMLOListElement>(null);
  const [edited, setEdited] = useState<string>();
  useGlide(list, pods.map(({ key }) => key).join(' '));
  const scaleBytes = Math.max(
    ...pods.map(({ usageBytes = 0, requestBytes = 0 }) => Math.max(usageBytes, requestBytes)),
  );
  return (
    <section class="card ladder" aria-labelledby="ladder-title">
      <div class="card__head">
        <h2 id="ladder-title">
          {pods.some(({ group }) => group !== undefined)
            ? 'In the order in which the kubelet would evict them'
            : 'Not ranked: the data of this node are missing'}
        </h2>
      </div>
      <ol class="ladder__list" ref={list}>
        {pods.map((pod, index) => {
          const isFirstOfGroup = pod.group !== pods[index - 1]?.group;
          return (
            <li key={pod.key} data-key={pod.key} class="ladder__item">
              {isFirstOfGroup && pod.group !== undefined && <GroupHeading group={pod.group} />}
              <LadderRow
                pod={pod}
                cluster={cluster}
                scaleBytes={scaleBytes}
                reason={shortReason(pods, pod)}
                isEdited={edited === pod.key}
                onEdit={
                  onChangePod === undefined
                    ? undefined
                    : () => setEdited(edited === pod.key ? undefined : pod.key)
                }
              />
              {edited === pod.key && onChangePod !== undefined && (
                <PodEditor
                  pod={pod}
                  measuredUsageBytes={basis === 'peak' ? pod.pod.usagePeakBytes : pod.pod.usageNowBytes}
                  onChange={(fields) => onChangePod(pod, fields)}
                />
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function GroupHeading({ group }: { readonly group: ComparatorGroup }) {
  const { heading, meaning } = groupWords[group];
  return (
    <h3 class={`ladder__group tone-${group}`}>
      <span class="dot" aria-hidden="true" />
      {heading} <span class="ladder__meaning">{meaning}</span>
    </h3>
  );
}
