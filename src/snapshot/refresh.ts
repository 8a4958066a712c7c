import { EvictrankError } from '../foundation/errors.ts';
import { inputCatalogue } from '../inputs/catalogue.ts';
import { type CollectedInputs, collectInputs } from '../inputs/collect.ts';
import type { QueryScope } from '../inputs/scope.ts';
import { buildCluster } from '../model/build.ts';
import type { Cluster } from '../model/cluster.ts';
import type { PrometheusClient } from '../prometheus/client.ts';
import type { PeakWindowKeeper } from '../window/peak-window.ts';
import { buildSnapshot, inputStates, type SnapshotSettings } from './build.ts';
import type { Snapshot } from './snapshot.ts';

export interface RefreshParts {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly window: PeakWindowKeeper;
  readonly priorityClasses: ReadonlyMap<string, number>;
  readonly settings: SnapshotSettings;
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
  const { client, scope, window, priorityClasses, settings } = parts;
  const cancel = signal === undefined ? {} : { signal };
  const inputs = await collectInputs({ client, scope, evaluatedAtMs, ...cancel });
  requirePods(inputs);
  const cluster = buildCluster(inputs, { priorityClasses });
  requireOwnLabels(cluster);
  const peaks = await window.update({
    evaluatedAtMs,
    pods: cluster.nodes.flatMap((node) => node.pods),
    finishedPods: cluster.finishedPods,
    usageMetric: inputs.rows.pod_usage.source?.metric,
    ...cancel,
  });
  return buildSnapshot({ cluster, window: peaks, inputs: inputStates(inputs) }, settings);
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
