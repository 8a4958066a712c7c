import type { Config } from '../../config/options.ts';
import { inputIds } from '../../inputs/catalogue.ts';
import { queryScope } from '../../inputs/scope-settings.ts';
import { connectionSettings } from '../../prometheus/connection-settings.ts';
import { createPrometheusClient } from '../../prometheus/http-client.ts';
import { refreshOnce } from '../../snapshot/refresh.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { createHourlyWindow } from '../../window/hourly-window.ts';
import { noWindowKeeper } from '../../window/no-window.ts';
import type { LoadDeps } from './load-source.ts';

/** One command has one refresh, so the whole window is read at once, however long it takes. */
const wholeBackfill = { first: Number.POSITIVE_INFINITY, later: 0 };

/** One refresh, as the service would do it. @throws PrometheusError, NoPodsError */
export async function askPrometheus(
  source: { readonly config: Config; readonly priorityClasses: ReadonlyMap<string, number> },
  { clock, progress, needsWindow }: LoadDeps,
): Promise<Snapshot> {
  const { config } = source;
  let queries = 0;
  progress.show(`asking ${config.prometheusUrl}`);
  const client = createPrometheusClient(connectionSettings(config), {
    observer: {
      queryDone() {
        queries++;
        progress.show(`asking ${config.prometheusUrl}: ${queries} of about ${inputIds.length} queries`);
      },
    },
  });
  const scope = queryScope(config);
  try {
    return await refreshOnce(
      {
        client,
        scope,
        window: needsWindow
          ? createHourlyWindow({ client, scope, windowMs: config.windowMs, backfillMs: wholeBackfill })
          : noWindowKeeper,
        priorityClasses: new Map([...source.priorityClasses, ...config.priorityClasses]),
        settings: {
          threshold: config.kubeletMemoryThreshold,
          windowMs: config.windowMs,
          requestMargin: config.reviewMargin,
          hasClusterLabel: config.clusterLabel !== undefined,
        },
      },
      clock(),
    );
  } finally {
    client.close();
  }
}
