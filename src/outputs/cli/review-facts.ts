import { describeError } from '../../foundation/errors.ts';
import { inputIds } from '../../inputs/catalogue.ts';
import { collectContainerHours, containerHoursInput } from '../../inputs/container-hours.ts';
import { collectReviewInputs, reviewInputs } from '../../inputs/review-inputs.ts';
import type { QueryScope } from '../../inputs/scope.ts';
import type { KnownPods } from '../../inputs/shard.ts';
import { type ContainerHoursTable, createContainerHours } from '../../model/container-hours.ts';
import { clusterOf } from '../../model/keys.ts';
import { workloadText } from '../../model/sizing-facts.ts';
import { joinWorkloadFacts } from '../../model/workload-facts.ts';
import type { PrometheusClient, Sample } from '../../prometheus/client.ts';
import { isCanceled, PrometheusError } from '../../prometheus/failures.ts';
import type { ReviewFacts } from '../../review/placed.ts';
import { createSizingKeeper, noSizingKnowledge, type SizingKeeper } from '../../snapshot/sizing-keeper.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { createHourlyWindow } from '../../window/hourly-window.ts';
import { listOnDemand } from '../../window/living-pods.ts';
import { noWindow } from '../../window/no-window.ts';
import type { PeakWindow, PeakWindowKeeper } from '../../window/peak-window.ts';
import type { LoadDeps } from './load-source.ts';
import { type PrometheusSource, refresh, wholeBackfill, withClient } from './prometheus-source.ts';

interface Asking {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
}

/** One refresh with the whole window, and what only a review asks for. @throws PrometheusError, NoPodsError */
export async function askForReview(
  source: PrometheusSource,
  deps: Omit<LoadDeps, 'needsWindow'>,
): Promise<{ readonly snapshot: Snapshot; readonly facts: ReviewFacts }> {
  const questions = inputIds.length + Object.keys(reviewInputs).length;
  return withClient(source.config, { ...deps, questions }, async (client, scope) => {
    const asking = { client, scope };
    const { windowMs } = source.config;
    const kept = keepWhatIsSeen(asking, windowMs);
    const nowMs = deps.clock();
    const snapshot = await refresh(source, { ...asking, window: kept.window, sizing: kept.sizing, nowMs });
    const knownPods = listOnDemand(snapshot.nodes.flatMap(({ pods }) => pods.map(({ pod }) => pod)))();
    const collected = await collectReviewInputs({
      ...asking,
      timeMs: nowMs,
      windowMs,
      knownPods,
      isRunning: runningLookup(snapshot, scope),
    });
    const containers = await askContainers(snapshot, { ...asking, knownPods });
    const joined = joinWorkloadFacts(collected);
    const { oomKills, hasMemoryAutoscaler } = kept.knowledge();
    const facts: ReviewFacts = {
      ...joined,
      source: 'prometheus',
      gaps: [...joined.gaps, ...containers.gaps],
      oomKills,
      hasMemoryAutoscaler,
      workloadHours: kept.view().workloadHours,
      containerHours: containers.hoursOf,
    };
    return { snapshot, facts };
  });
}

/** The keepers of a refresh, which also show what they found: a snapshot holds only sums of it. */
function keepWhatIsSeen(asking: Asking, windowMs: number) {
  const windowKeeper = createHourlyWindow({ ...asking, windowMs, backfillMs: wholeBackfill });
  const sizingKeeper = createSizingKeeper({ ...asking, windowMs });
  let view: PeakWindow = noWindow;
  let knowledge = noSizingKnowledge;
  const window: PeakWindowKeeper = {
    async update(given) {
      view = await windowKeeper.update(given);
      return view;
    },
  };
  const sizing: SizingKeeper = {
    async update(given) {
      knowledge = await sizingKeeper.update(given);
      return knowledge;
    },
  };
  return { window, sizing, view: () => view, knowledge: () => knowledge };
}

function runningLookup({ workloads }: Snapshot, { labels }: QueryScope): (job: Sample) => boolean {
  const keys = labels.ksm;
  const running = new Set(workloads.map(({ workload }) => workloadText(workload)));
  return (job) =>
    running.has(
      workloadText({
        cluster: clusterOf(job, keys),
        namespace: job.labels[keys.namespace] ?? '',
        kind: job.labels.owner_kind ?? '',
        name: job.labels.owner_name ?? '',
      }),
    );
}

const hourMs = 3_600_000;

/** Hourly peaks of the containers of all living pods; where they are not answered, what that costs. */
async function askContainers(
  { evaluatedAtMs, windowSeconds, nodes }: Snapshot,
  asking: Asking & { readonly knownPods: KnownPods },
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
      gaps: [`The query for containers failed: ${containerHoursInput.cost}. ${describeError(error)}`],
    };
  }
}
