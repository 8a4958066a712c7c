import { useEffect, useState } from 'preact/hooks';
import type { Status } from '../../outputs/api/status.ts';
import { durationText } from '../parts/amount.tsx';
import { Notice } from '../parts/notice.tsx';
import { useService } from '../service/service.tsx';

/** How old the data are and how many problems there are, at the top of every view. */
export function Freshness() {
  const { status, lostSinceMs } = useService();
  const nowMs = useSeconds();
  const [kind, text] = describe(status, lostSinceMs, nowMs);
  const problems = status?.data?.problems.length ?? 0;
  return (
    <a href="#/data" class={`freshness freshness--${kind}`}>
      <span class="freshness__light" aria-hidden="true" />
      <span class="only-read">Data: </span>
      {text}
      {problems > 0 && (
        <span class="freshness__problems">
          {problems} {problems === 1 ? 'problem' : 'problems'}
        </span>
      )}
    </a>
  );
}

/** Said once at the top when the service is gone, has no data or only old ones. */
export function ServiceNotice() {
  const { status, lostSinceMs } = useService();
  if (lostSinceMs !== undefined) {
    return (
      <Notice kind="error" title="The service does not answer">
        {`Since ${new Date(lostSinceMs).toLocaleTimeString()}. ${
          status === undefined
            ? 'The page goes on trying.'
            : 'What is shown is from before; the page goes on trying.'
        }`}
      </Notice>
    );
  }
  if (status === undefined) return null;
  if (status.data === null) {
    return (
      <Notice title="No data yet">
        {status.lastRefresh.error ??
          'The first refresh is under way; the page shows the cluster once it is done.'}
      </Notice>
    );
  }
  if (status.stale || status.lastRefresh.outcome === 'failed') {
    return (
      <Notice kind="warning" title={status.stale ? 'The data are old' : 'The last refresh failed'}>
        {status.lastRefresh.error ?? 'Nothing has been read for more than three refresh intervals.'}
      </Notice>
    );
  }
  return null;
}

function describe(
  status: Status | undefined,
  lostSinceMs: number | undefined,
  nowMs: number,
): readonly [kind: 'good' | 'old' | 'lost', text: string] {
  if (lostSinceMs !== undefined) return ['lost', 'no answer'];
  if (status === undefined) return ['old', 'connecting'];
  if (status.data === null) return ['old', 'no data yet'];
  const ageSeconds = Math.max(0, (nowMs - Date.parse(status.data.evaluatedAt)) / 1000);
  // The clocks of the service and of the browser may differ by hours: then the service's own word counts.
  const isPlausible = Math.abs(ageSeconds - status.data.ageSeconds) < 60;
  const age = durationText(isPlausible ? ageSeconds : status.data.ageSeconds);
  return [status.stale ? 'old' : 'good', `${age} old`];
}

/** The time, once a second. */
function useSeconds(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
