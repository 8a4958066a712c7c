import type { Config } from '../../config/options.ts';
import { inputIds } from '../../inputs/catalogue.ts';
import type { QueryScope } from '../../inputs/scope.ts';
import { queryScope } from '../../inputs/scope-settings.ts';
import type { PrometheusClient } from '../../prometheus/client.ts';
import { connectionSettings } from '../../prometheus/connection-settings.ts';
import { createPrometheusClient } from '../../prometheus/http-client.ts';
import { refreshOnce } from '../../snapshot/refresh.ts';
import { createSizingKeeper, type SizingKeeper } from '../../snapshot/sizing-keeper.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { createHourlyWindow } from '../../window/hourly-window.ts';
import { noWindowKeeper } from '../../window/no-window.ts';
import type { PeakWindowKeeper } from '../../window/peak-window.ts';
import type { LoadDeps } from './load-source.ts';

/** One command has one refresh, so the whole window is read at once, however long it takes. */
export const wholeBackfill = { first: Number.POSITIVE_INFINITY, later: 0 };

export interface PrometheusSource {
  readonly config: Config;
  readonly priorityClasses: ReadonlyMap<string, number>;
}

/** One refresh, as the service would do it. @throws PrometheusError, NoPodsError */
export async function askPrometheus(source: PrometheusSource, deps: LoadDeps): Promise<Snapshot> {
  return withClient(source.config, { ...deps, questions: inputIds.length }, async (client, scope) => {
    const { config } = source;
    const { windowMs } = config;
    const keepers = deps.needsWindow
      ? {
          window: createHourlyWindow({ client, scope, windowMs, backfillMs: wholeBackfill }),
          sizing: createSizingKeeper({ client, scope, windowMs }),
        }
      : { window: noWindowKeeper };
    return refresh(source, { client, scope, ...keepers, nowMs: deps.clock() });
  });
}

/** Gives a client for the time of the questions, and shows how many of them have been answered. */
export async function withClient<Answer>(
  config: Config,
  { progress, questions }: Pick<LoadDeps, 'progress'> & { readonly questions: number },
  ask: (client: PrometheusClient, scope: QueryScope) => Promise<Answer>,
): Promise<Answer> {
  let queries = 0;
  progress.show(`asking ${config.prometheusUrl}`);
  const client = createPrometheusClient(connectionSettings(config), {
    observer: {
      queryDone() {
        queries++;
        progress.show(`asking ${config.prometheusUrl}: ${queries} of about ${questions} queries`);
      },
    },
  });
  try {
    return await ask(client, queryScope(config));
  } finally {
    client.close();
  }
}

/** One refresh with the settings of the source. @throws PrometheusError, NoPodsError */
export function refresh(
  { config, priorityClasses }: PrometheusSource,
  parts: {
    readonly client: PrometheusClient;
    readonly scope: QueryScope;
    readonly window: PeakWindowKeeper;
    readonly sizing?: SizingKeeper;
    readonly nowMs: number;
  },
): Promise<Snapshot> {
  const { nowMs, ...asking } = parts;
  return refreshOnce(
    {
      ...asking,
      priorityClasses: new Map([...priorityClasses, ...config.priorityClasses]),
      settings: {
        threshold: config.kubeletMemoryThreshold,
        windowMs: config.windowMs,
        requestMargin: config.reviewMargin,
        hasClusterLabel: config.clusterLabel !== undefined,
      },
    },
    nowMs,
  );
}
