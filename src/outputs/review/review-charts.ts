import type { NodeReview, WorkloadReview } from '../../review/review.ts';
import { type Markup, markup } from './markup.ts';
import { bytesText, nameOf, totalText } from './review-text.ts';

interface Bar {
  readonly label: string;
  /** CSS class that gives the colour. */
  readonly kind: 'request' | 'use' | 'recommended' | 'allocatable';
  readonly bytes: number | undefined;
}

/** Bars of one subject under each other, all on the scale given. Text stands beside them in HTML, so that it wraps. */
function bars(rows: readonly Bar[], scaleBytes: number): Markup {
  return markup`<div class="bars">${rows.map(
    ({ label, kind, bytes }) =>
      markup`<div class="bar"><span class="label">${label}</span><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="${kind}" width="${share(bytes, scaleBytes)}" height="10" rx="1"/></svg><span class="value">${bytesText(bytes)}</span></div>`,
  )}</div>`;
}

function daysText(hours: number): string {
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

function share(bytes: number | undefined, scaleBytes: number): string {
  if (bytes === undefined || scaleBytes <= 0) return '0';
  return Math.min(100, (bytes / scaleBytes) * 100).toFixed(2);
}

/** Request, peak and recommendation of one pod. */
export function workloadBars(review: WorkloadReview): Markup {
  const { requestBytes, hourly, recommendation } = review;
  const scale = Math.max(requestBytes ?? 0, hourly?.peakBytes ?? 0, recommendation.requestBytes ?? 0);
  return bars(
    [
      { label: 'request', kind: 'request', bytes: requestBytes },
      { label: 'peak', kind: 'use', bytes: hourly?.peakBytes },
      ...(recommendation.requestBytes === undefined
        ? []
        : [{ label: 'recommended', kind: 'recommended', bytes: recommendation.requestBytes } as const]),
    ],
    scale,
  );
}

/** What the node itself uses stands beside what its pods use: the difference is what reservations are for. */
export function nodeBars({
  capacityBytes,
  allocatableBytes,
  requestsBytes,
  podsBytes,
  workingSetBytes,
}: NodeReview): Markup {
  const scale = Math.max(capacityBytes ?? 0, allocatableBytes ?? 0, requestsBytes ?? 0, podsBytes ?? 0);
  return bars(
    [
      { label: 'allocatable', kind: 'allocatable', bytes: allocatableBytes },
      { label: 'requests', kind: 'request', bytes: requestsBytes },
      { label: 'pods use', kind: 'use', bytes: podsBytes },
      { label: 'node uses', kind: 'use', bytes: workingSetBytes },
      { label: 'capacity', kind: 'allocatable', bytes: capacityBytes },
    ],
    scale,
  );
}

const width = 320;
const height = 64;

/** Hourly peaks over the window with the request as a line; hours without data leave a hole. */
export function hoursChart(review: WorkloadReview): Markup | undefined {
  const { hours, requestBytes, recommendation, hourly } = review;
  if (hours === undefined || hourly === undefined) return undefined;
  const top = Math.max(hourly.peakBytes, requestBytes ?? 0, recommendation.requestBytes ?? 0) * 1.05;
  const y = (bytes: number): string => (height - (bytes / top) * height).toFixed(1);
  const x = (i: number): string => ((i / Math.max(1, hours.length - 1)) * width).toFixed(1);
  const path = hours
    .map((bytes, i) => {
      if (Number.isNaN(bytes)) return '';
      const isStart = i === 0 || Number.isNaN(hours[i - 1] ?? Number.NaN);
      return `${isStart ? 'M' : 'L'}${x(i)} ${y(bytes)}`;
    })
    .join('');
  const line = (bytes: number | undefined, kind: string): Markup =>
    bytes === undefined
      ? markup``
      : markup`<line class="${kind}" x1="0" x2="${width}" y1="${y(bytes)}" y2="${y(bytes)}"/>`;
  return markup`<figure><svg class="hours" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="Hourly peaks of ${nameOf(review)}"><path d="${path}"/>${line(requestBytes, 'request')}${line(recommendation.requestBytes, 'recommended')}</svg><figcaption>hourly peaks of ${daysText(hours.length)}; top ${totalText(top)}</figcaption></figure>`;
}
