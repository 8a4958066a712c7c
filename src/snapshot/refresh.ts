import { EvictrankError } from '../foundation/errors.ts';
import { inputCatalogue } from '../inputs/catalogue.ts';
import { type CollectedInputs, collectInputs } from '../inputs/collect.ts';
import type { QueryScope } from '../inputs/scope.ts';
import { buildCluster } from '../model/build.ts';
import type { Cluster } from '../model/cluster.ts';
import type { PrometheusClient } from '../prometheus/client.ts';
import type { PeakWindowKeeper } from '../window/peak-window.ts';
import { completeSnapshot, inputStates, rankNodes, readPeaks, type SnapshotSettings } from './build.ts';
import { noSizingKnowledge, type SizingKeeper } from './sizing-keeper.ts';
import type { InputState, Snapshot } from './snapshot.ts';
import { createStageTimes, type StageTimes } from './stages.ts';

export interface RefreshParts {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly window: PeakWindowKeeper;
  readonly priorityClasses: ReadonlyMap<string, number>;
  /** Why the PriorityClasses of the cluster could not be read; undefined = nothing to tell. */
  readonly priorityClassFailure?: EvictrankError | undefined;
  /** What recommended requests depend on beside peaks; nothing where it is not wanted. */
  readonly sizing?: SizingKeeper;
  readonly settings: SnapshotSettings;
  /** Where to note how long each part takes. */
  readonly stages?: StageTimes;
}

/**
 * One refresh: collect at one evaluation time, join, bring the window up to date, rank.
 * @throws PrometheusError naming the query that failed, or UnusableInputsError; then the caller keeps the snapshot it has.
 */
export async function refreshOnce(
  parts: RefreshParts,
  evaluatedAtMs: number,
  signal?: AbortSignal,
): Promise<Snapshot> {
  const { window, settings, stages = createStageTimes() } = parts;
  const cancel = signal === undefined ? {} : { signal };
  const { cluster, inputs, usageMetric } = await collectAndJoin({ ...parts, stages }, evaluatedAtMs, cancel);
  const pods = cluster.nodes.flatMap((node) => node.pods);
  const { view, peaks } = await stages.measure('window', async () => {
    const view = await window.update({
      evaluatedAtMs,
      pods,
      finishedPods: cluster.finishedPods,
      usageMetric,
      ...cancel,
    });
    return { view, peaks: readPeaks(cluster, view) };
  });
  const nodes = await stages.measure('rank', () => rankNodes(cluster, peaks, settings.threshold));
  const sizing = await stages.measure(
    'size',
    () => parts.sizing?.update({ evaluatedAtMs, pods, window: view, ...cancel }) ?? noSizingKnowledge,
  );
  return stages.measure('review', () =>
    completeSnapshot({ cluster, window: view, sizing, inputs, nodes }, settings),
  );
}

/** A function of its own so that the samples, a million on the largest clusters, are given up once they are joined. */
async function collectAndJoin(
  {
    client,
    scope,
    priorityClasses,
    priorityClassFailure,
    stages,
  }: RefreshParts & { readonly stages: StageTimes },
  evaluatedAtMs: number,
  cancel: { readonly signal?: AbortSignal },
): Promise<{ cluster: Cluster; inputs: readonly InputState[]; usageMetric: string | undefined }> {
  const inputs = await stages.measure('collect', () =>
    collectInputs({ client, scope, evaluatedAtMs, ...cancel }),
  );
  requirePods(inputs);
  const cluster = await stages.measure('join', () =>
    buildCluster(inputs, { priorityClasses, priorityClassFailure }),
  );
  requireOwnLabels(cluster);
  return {
    cluster,
    inputs: inputStates(inputs),
    usageMetric: inputs.rows.pod_usage.source?.metric,
  };
}

/** The inputs cannot be the cluster's pods. Whatever was known stays: an empty or garbled cluster would look like a safe one. */
export class UnusableInputsError extends EvictrankError {
  override readonly name = 'UnusableInputsError';
}

function requirePods({ rows }: CollectedInputs): void {
  for (const id of ['pods', 'pod_phase'] as const) {
    if (rows[id].outcome === 'ok') continue;
    const { cost, remedy, sources } = inputCatalogue[id];
    throw new UnusableInputsError(
      `no series of ${sources[0].metric} within the settings' selector. ${cost}`,
      {
        remedy,
      },
    );
  }
}

function requireOwnLabels({ problems }: Cluster): void {
  const renamed = problems.find(({ kind }) => kind === 'labels_renamed');
  if (renamed !== undefined) throw new UnusableInputsError(renamed.message, { remedy: renamed.remedy });
}
