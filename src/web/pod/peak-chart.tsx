import type { PodPeaks } from '../../outputs/api/pod-peaks.ts';
import { bytesText } from '../parts/amount.tsx';
import { Absent, Notice } from '../parts/notice.tsx';
import { useResource } from '../service/use-resource.ts';
import { chartOf, type PeakBar } from './peak-scale.ts';

const heightPx = 160;

/** The highest use of every hour of the window, against the request. */
export function PeakChart({ path }: { readonly path: string }) {
  const { data, error } = useResource<PodPeaks>(path);
  return (
    <section class="card" aria-labelledby="peaks-title">
      <div class="card__head">
        <h2 id="peaks-title">Highest use of every hour</h2>
      </div>
      {data === undefined ? <Absent error={error} what="the peaks" /> : <Chart peaks={data} />}
    </section>
  );
}

function Chart({ peaks }: { readonly peaks: PodPeaks }) {
  const chart = chartOf(peaks);
  if (chart === undefined) {
    return <Notice title="Nothing to draw">The window has no hour of this pod yet.</Notice>;
  }
  const { bars, days, topBytes, requestBytes, words } = chart;
  const percent = (bytes: number) => 100 - (100 * bytes) / topBytes;
  return (
    <figure class="chart">
      <div class="chart__scale" aria-hidden="true">
        <span>{bytesText(topBytes)}</span>
        <span>{bytesText(topBytes / 2)}</span>
        <span>0</span>
      </div>
      <div class="chart__area">
        <svg
          class="chart__bars"
          viewBox={`0 0 ${bars.length} ${heightPx}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={words}
        >
          {[0, 0.5].map((share) => (
            <line
              key={share}
              class="chart__grid"
              x1={0}
              x2={bars.length}
              y1={heightPx * share}
              y2={heightPx * share}
            />
          ))}
          {bars.map((bar, index) => (
            <Bar key={bar.endsAt} bar={bar} index={index} topBytes={topBytes} requestBytes={requestBytes} />
          ))}
        </svg>
        {requestBytes !== undefined && (
          <span class="chart__request" style={{ top: `${percent(requestBytes)}%` }} aria-hidden="true">
            <span class="chart__request-name">request {bytesText(requestBytes)}</span>
          </span>
        )}
        <div class="chart__days" aria-hidden="true">
          {days.map(({ name, at }) => (
            <span key={at} style={{ left: `${100 * at}%` }}>
              {name}
            </span>
          ))}
        </div>
      </div>
      <figcaption class="chart__words">{words}</figcaption>
    </figure>
  );
}

function Bar({
  bar,
  index,
  topBytes,
  requestBytes,
}: {
  readonly bar: PeakBar;
  readonly index: number;
  readonly topBytes: number;
  readonly requestBytes: number | undefined;
}) {
  const { peakBytes } = bar;
  if (peakBytes === null) return <rect class="chart__gap" x={index} y={0} width={1} height={heightPx} />;
  const within = Math.min(peakBytes, requestBytes ?? peakBytes);
  const y = (bytes: number) => heightPx * (1 - bytes / topBytes);
  return (
    <g>
      <title>{bar.words}</title>
      <rect class="chart__within" x={index + 0.08} y={y(within)} width={0.84} height={heightPx - y(within)} />
      {peakBytes > within && (
        <rect
          class="chart__over"
          x={index + 0.08}
          y={y(peakBytes)}
          width={0.84}
          height={y(within) - y(peakBytes)}
        />
      )}
    </g>
  );
}
