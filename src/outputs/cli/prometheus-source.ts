import type { Config } from '../../config/options.ts';
import { inputIds } from '../../inputs/catalogue.ts';
import { collectReviewInputs, reviewInputs } from '../../inputs/review-inputs.ts';
import type { QueryScope } from '../../inputs/scope.ts';
import { queryScope } from '../../inputs/scope-settings.ts';
import { joinWorkloadFacts } from '../../model/workload-facts.ts';
import type { PrometheusClient } from '../../prometheus/client.ts';
import { connectionSettings } from '../../prometheus/connection-settings.ts';
import { createPrometheusClient } from '../../prometheus/http-client.ts';
import type { ReviewFacts } from '../../review/placed.ts';
import { refreshOnce } from '../../snapshot/refresh.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { createHourlyWindow } from '../../window/hourly-window.ts';
import { noWindow, noWindowKeeper } from '../../window/no-window.ts';
import type { PeakWindow, PeakWindowKeeper } from '../../window/peak-window.ts';
import type { LoadDeps } from './load-source.ts';

/** One command has one refresh, so the whole window is read at once, however long it takes. */
const wholeBackfill = { first: Number.POSITIVE_INFINITY, later: 0 };

interface PrometheusSource {
  readonly config: Config;
  readonly priorityClasses: ReadonlyMap<string, number>;
}

/** One refresh, as the service would do it. @throws PrometheusError, NoPodsError */
export async function askPrometheus(source: PrometheusSource, deps: LoadDeps): Promise<Snapshot> {
  return withClient(source.config, { ...deps, questions: inputIds.length }, async (client, scope) => {
    const { config } = source;
    const window = deps.needsWindow
      ? createHourlyWindow({ client, scope, windowMs: config.windowMs, backfillMs: wholeBackfill })
      : noWindowKeeper;
    return refresh(source, { client, scope, window, nowMs: deps.clock() });
  });
}

/** One refresh with the whole window, and what only a review asks for. @throws PrometheusError, NoPodsError */
export async function askForReview(
  source: PrometheusSource,
  deps: Omit<LoadDeps, 'needsWindow'>,
): Promise<{ readonly snapshot: Snapshot; readonly facts: ReviewFacts }> {
  const questions = inputIds.length + Object.keys(reviewInputs).length;
  return withClient(source.config, { ...deps, questions }, async (client, scope) => {
    const { windowMs } = source.config;
    const keeper = createHourlyWindow({ client, scope, windowMs, backfillMs: wholeBackfill });
    let view: PeakWindow = noWindow;
    const window: PeakWindowKeeper = {
      async update(given) {
        view = await keeper.update(given);
        return view;
      },
    };
    const nowMs = deps.clock();
    const snapshot = await refresh(source, { client, scope, window, nowMs });
    const collected = await collectReviewInputs({ client, scope, timeMs: nowMs, windowMs });
    const facts = {
      ...joinWorkloadFacts(collected),
      workloadHours: view.workloadHours,
      podHours: view.podHours,
    };
    return { snapshot, facts };
  });
}

async function withClient<Answer>(
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

function refresh(
  { config, priorityClasses }: PrometheusSource,
  parts: {
    readonly client: PrometheusClient;
    readonly scope: QueryScope;
    readonly window: PeakWindowKeeper;
    readonly nowMs: number;
  },
): Promise<Snapshot> {
  const { client, scope, window, nowMs } = parts;
  return refreshOnce(
    {
      client,
      scope,
      window,
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
