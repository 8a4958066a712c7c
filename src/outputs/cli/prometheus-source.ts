import type { Config } from '../../config/options.ts';
import { describeError } from '../../foundation/errors.ts';
import { inputIds } from '../../inputs/catalogue.ts';
import { collectContainerHours } from '../../inputs/container-hours.ts';
import { collectReviewInputs, reviewInputs } from '../../inputs/review-inputs.ts';
import type { QueryScope } from '../../inputs/scope.ts';
import { queryScope } from '../../inputs/scope-settings.ts';
import { type ContainerHoursTable, createContainerHours } from '../../model/container-hours.ts';
import { joinWorkloadFacts } from '../../model/workload-facts.ts';
import type { PrometheusClient } from '../../prometheus/client.ts';
import { connectionSettings } from '../../prometheus/connection-settings.ts';
import { isCanceled, PrometheusError } from '../../prometheus/failures.ts';
import { createPrometheusClient } from '../../prometheus/http-client.ts';
import type { ReviewFacts } from '../../review/placed.ts';
import { refreshOnce } from '../../snapshot/refresh.ts';
import { createSizingKeeper, noSizingKnowledge, type SizingKeeper } from '../../snapshot/sizing-keeper.ts';
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

/** One refresh with the whole window, and what only a review asks for. @throws PrometheusError, NoPodsError */
export async function askForReview(
  source: PrometheusSource,
  deps: Omit<LoadDeps, 'needsWindow'>,
): Promise<{ readonly snapshot: Snapshot; readonly facts: ReviewFacts }> {
  const questions = inputIds.length + Object.keys(reviewInputs).length;
  return withClient(source.config, { ...deps, questions }, async (client, scope) => {
    const { windowMs } = source.config;
    const windowKeeper = createHourlyWindow({ client, scope, windowMs, backfillMs: wholeBackfill });
    let view: PeakWindow = noWindow;
    const window: PeakWindowKeeper = {
      async update(given) {
        view = await windowKeeper.update(given);
        return view;
      },
    };
    const sizingKeeper = createSizingKeeper({ client, scope, windowMs });
    let knowledge = noSizingKnowledge;
    const sizing: SizingKeeper = {
      async update(given) {
        knowledge = await sizingKeeper.update(given);
        return knowledge;
      },
    };
    const nowMs = deps.clock();
    const snapshot = await refresh(source, { client, scope, window, sizing, nowMs });
    const collected = await collectReviewInputs({ client, scope, timeMs: nowMs, windowMs });
    const containers = await askContainers(snapshot, { client, scope });
    const { oomKills, hasMemoryAutoscaler } = knowledge;
    const joined = joinWorkloadFacts(collected);
    const facts = {
      ...joined,
      gaps: [...joined.gaps, ...containers.gaps],
      oomKills,
      hasMemoryAutoscaler,
      workloadHours: view.workloadHours,
      containerHours: containers.hoursOf,
    };
    return { snapshot, facts };
  });
}

const hourMs = 3_600_000;

/** Hourly peaks of the containers of all living pods; where they are not answered, what that costs. */
async function askContainers(
  { evaluatedAtMs, windowSeconds, nodes }: Snapshot,
  asking: { readonly client: PrometheusClient; readonly scope: QueryScope },
): Promise<Pick<ContainerHoursTable, 'hoursOf'> & { readonly gaps: readonly string[] }> {
  const lastEndMs = Math.floor(evaluatedAtMs / hourMs) * hourMs;
  const hours = Math.max(1, Math.round((windowSeconds * 1000) / hourMs));
  const range = { firstEndMs: lastEndMs - (hours - 1) * hourMs, lastEndMs };
  const pods = nodes.flatMap((node) => node.pods.map(({ pod }) => pod));
  const table = createContainerHours(pods, asking.scope.labels.cadvisor, range);
  try {
    await collectContainerHours(asking, range, table.take);
    return { hoursOf: table.hoursOf, gaps: [] };
  } catch (error) {
    if (!(error instanceof PrometheusError) || isCanceled(error)) throw error;
    return {
      hoursOf: () => new Map(),
      gaps: [
        `The query for container peaks failed: they are not shown, and patches share out by request. ${describeError(error)}`,
      ],
    };
  }
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
