import type { ComponentChildren } from 'preact';
import { ordinal } from '../../explain/wording.ts';
import { Bytes, Unknown, wholeText } from '../parts/amount.tsx';
import { UsageBar } from '../parts/usage-bar.tsx';
import { podAddress } from '../shell/address.ts';
import type { PlayedPod } from './play.ts';

/** One pod: who it is, what the kubelet compares, and how far away its eviction is. */
export function LadderRow({
  pod,
  cluster,
  scaleBytes,
  reason,
  isEdited,
  onEdit,
}: {
  readonly pod: PlayedPod;
  readonly cluster: string | undefined;
  readonly scaleBytes: number;
  readonly reason: string;
  readonly isEdited: boolean;
  readonly onEdit: (() => void) | undefined;
}) {
  const { usageBytes, requestBytes, change, eviction, rank } = pod;
  const overBytes =
    usageBytes === undefined || requestBytes === undefined ? undefined : usageBytes - requestBytes;
  const { namespace, pod: name, qosClass, priorityClass } = pod.pod;
  return (
    <div class={`rung${eviction === undefined ? '' : ' rung--evicted'}`} data-testid="rung">
      <span class={`rung__rank tone-${pod.group ?? 'unknown'}`}>
        {rank === undefined ? (
          <span title="has no rank">
            <span aria-hidden="true">·</span>
            <span class="only-read">no rank</span>
          </span>
        ) : (
          <>
            <span class="only-read">rank </span>
            {rank}
            {pod.tied && (
              <span class="rung__tied" title="shares this rank">
                =
              </span>
            )}
          </>
        )}
      </span>
      <div class="rung__name">
        <a href={podAddress({ namespace, pod: name, cluster })} class="rung__link">
          <span class="rung__namespace">{namespace}/</span>
          {name}
        </a>
        <span class="rung__facts">
          <span>{qosClass ?? 'class unknown'}</span>
          <Changed is={change?.priority !== undefined} from={wholeText(pod.pod.priority)}>
            <span title={priorityClass ?? undefined}>priority {wholeText(pod.priority)}</span>
          </Changed>
          {pod.pod.isStatic && <span>static pod</span>}
          {pod.pod.phase === 'Pending' && <span>pending</span>}
        </span>
      </div>
      <div class="rung__usage">
        <UsageBar usageBytes={usageBytes} requestBytes={requestBytes} scaleBytes={scaleBytes} />
        <span class="rung__numbers">
          <Changed is={change?.usageBytes !== undefined} from={<Bytes value={pod.pod.usageNowBytes} />}>
            <Bytes value={usageBytes} />
          </Changed>
          <span class="rung__of"> of </span>
          <Changed is={change?.requestBytes !== undefined} from={<Bytes value={pod.pod.requestBytes} />}>
            <Bytes value={requestBytes} />
          </Changed>
          <span class={`rung__over${(overBytes ?? 0) > 0 ? ' rung__over--more' : ''}`}>
            <Bytes value={overBytes} isDifference />
          </span>
        </span>
      </div>
      <div class="rung__outcome">
        {eviction === undefined ? (
          <Distance pod={pod} />
        ) : (
          <>
            <span class="rung__evicted">{ordinal(eviction.order)} evicted</span>
            <span class="rung__available">
              available <Bytes value={eviction.availableBeforeBytes} />
              <span aria-hidden="true"> → </span>
              <span class="only-read"> then </span>
              <Bytes value={eviction.availableAfterBytes} />
            </span>
          </>
        )}
        {reason !== '' && (
          <span class="rung__reason" title="why it goes before the next one">
            {reason}
          </span>
        )}
      </div>
      {onEdit !== undefined && (
        <button
          type="button"
          class="button button--quiet rung__edit"
          aria-expanded={isEdited}
          aria-label={`Change ${namespace}/${name}`}
          onClick={onEdit}
        >
          {isEdited ? 'Done' : 'Change'}
        </button>
      )}
    </div>
  );
}

function Distance({ pod }: { readonly pod: PlayedPod }) {
  if (pod.rank === undefined) {
    return <span class="rung__distance">{pod.group === 'protected' ? 'never' : <Unknown />}</span>;
  }
  return (
    <span class="rung__distance">
      {pod.distanceBytes === 0 ? (
        'next to go'
      ) : (
        <>
          <Bytes value={pod.distanceBytes} /> <span class="rung__away">away</span>
        </>
      )}
    </span>
  );
}

/** What somebody has set, with what was measured crossed out before it. */
function Changed({
  is,
  from,
  children,
}: {
  readonly is: boolean;
  readonly from: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  if (!is) return <>{children}</>;
  return (
    <span class="changed">
      <del>{from}</del> <ins>{children}</ins>
    </span>
  );
}
