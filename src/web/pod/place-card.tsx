import { useId } from 'preact/hooks';
import type { BasisExplanation } from '../../explain/pod-explanation.ts';
import type { LadderPod } from '../../outputs/api/ladder.ts';
import { Bytes } from '../parts/amount.tsx';
import { GroupChip } from '../parts/group.tsx';
import { UsageBar } from '../parts/usage-bar.tsx';
import type { Answered } from '../service/answered.ts';

/** Where a pod stands on one basis, and why. */
export function PlaceCard({
  title,
  place,
  explanation,
  timeOverRequestRatio = null,
}: {
  readonly title: string;
  readonly place: Answered<LadderPod>;
  readonly explanation: Answered<BasisExplanation>;
  readonly timeOverRequestRatio?: number | null;
}) {
  const id = useId();
  const { rank, rankedPods, neighbours, tiedWith } = explanation;
  return (
    <section class="card place" aria-labelledby={id}>
      <div class="card__head">
        <h2 id={id}>{title}</h2>
        <GroupChip group={place.group} />
      </div>
      <p class="place__rank">
        {rank === null ? (
          'no rank'
        ) : (
          <>
            <strong>{rank}</strong> of {rankedPods}
          </>
        )}
      </p>
      <UsageBar
        usageBytes={place.usageBytes}
        requestBytes={place.requestBytes}
        scaleBytes={Math.max(place.usageBytes ?? 0, place.requestBytes ?? 0)}
      />
      <p class="place__numbers">
        <Bytes value={place.usageBytes} /> used of <Bytes value={place.requestBytes} /> requested:{' '}
        <Bytes value={place.overRequestBytes} isDifference />
      </p>
      {timeOverRequestRatio !== null && (
        <p class="place__numbers">
          {timeOverRequestRatio === 0
            ? 'Never above its request in the hours known.'
            : `Above its request in ${(100 * timeOverRequestRatio).toFixed(timeOverRequestRatio < 0.1 ? 1 : 0)} % of the hours known.`}
        </p>
      )}
      <ul class="place__neighbours">
        {neighbours.map(({ other, sentence }) => (
          <li key={other}>{sentence}</li>
        ))}
        {tiedWith.length > 0 && <li>It ties with {tiedWith.join(', ')}: the kubelet may take any first.</li>}
      </ul>
    </section>
  );
}
