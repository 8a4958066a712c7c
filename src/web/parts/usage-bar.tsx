import { bytesText } from './amount.tsx';

/** Usage against request: the frame is the request, the fill the usage, and what sticks out is over. */
export function UsageBar({
  usageBytes,
  requestBytes,
  scaleBytes,
}: {
  readonly usageBytes: number | null | undefined;
  readonly requestBytes: number | null | undefined;
  /** What the full width stands for. */
  readonly scaleBytes: number;
}) {
  const usage = usageBytes ?? 0;
  const request = requestBytes ?? 0;
  const percent = (bytes: number) => `${Math.min(100, (100 * bytes) / Math.max(1, scaleBytes))}%`;
  const words = `${usageBytes == null ? 'unknown usage' : `uses ${bytesText(usage)}`} of ${requestBytes == null ? 'an unknown request' : `${bytesText(request)} requested`}`;
  return (
    <div class="usage" role="img" aria-label={words} title={words}>
      {requestBytes != null && <span class="usage__request" style={{ width: percent(request) }} />}
      <span class="usage__within" style={{ width: percent(Math.min(usage, request)) }} />
      {usage > request && requestBytes != null && (
        <span class="usage__over" style={{ left: percent(request), width: percent(usage - request) }} />
      )}
    </div>
  );
}
