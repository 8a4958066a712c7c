import { type InputId, inputCatalogue, inputIds } from '../../inputs/catalogue.ts';
import { type CollectedInput, type CollectedInputs, nearerClock } from '../../inputs/collect.ts';
import type { QueryScope } from '../../inputs/scope.ts';
import type { InputSource, InputSpec } from '../../inputs/source.ts';
import type { Labels, PrometheusClient, Sample } from '../../prometheus/client.ts';
import { PrometheusError } from '../../prometheus/failures.ts';

/** What one source of an input answered. */
export interface SourceProbe {
  readonly source: InputSource;
  readonly samples: readonly Sample[];
  readonly dropped: readonly Labels[];
  readonly notices: readonly string[];
  /** How far the clock here is ahead of the backend's; undefined = not known. */
  readonly clockAheadMs: number | undefined;
  readonly error: PrometheusError | undefined;
}

export interface Probing {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly evaluatedAtMs: number;
}

export type InputProbes = Readonly<Record<InputId, readonly SourceProbe[]>>;

/** Asks every source of every input, those a refresh would not ask as well; a failure is an answer here. */
export async function probeInputs(probing: Probing): Promise<InputProbes> {
  const probes = await Promise.all(
    inputIds.map(async (id) => {
      const spec: InputSpec = inputCatalogue[id];
      const asked = await Promise.all(spec.sources.map((source) => probeSource(id, source, probing)));
      return [id, asked] as const;
    }),
  );
  return Object.fromEntries(probes) as Readonly<Record<string, readonly SourceProbe[]>> as InputProbes;
}

async function probeSource(
  id: InputId,
  source: InputSource,
  { client, scope, evaluatedAtMs }: Probing,
): Promise<SourceProbe> {
  try {
    const answer = await client.instant({ id, query: source.query(scope), timeMs: evaluatedAtMs });
    return {
      source,
      samples: answer.rows,
      dropped: answer.droppedLabels,
      notices: [...answer.warnings, ...answer.infos],
      clockAheadMs: answer.clockAheadMs,
      error: undefined,
    };
  } catch (error) {
    if (!(error instanceof PrometheusError)) throw error;
    return { source, samples: [], dropped: [], notices: [], clockAheadMs: undefined, error };
  }
}

/** What a refresh would have collected: of each input the first source with data. */
export function collectedFrom(probes: InputProbes, { scope, evaluatedAtMs }: Probing): CollectedInputs {
  const rows = inputIds.map((id): readonly [InputId, CollectedInput] => {
    const asked = probes[id];
    const used = asked.find(({ samples }) => samples.length > 0);
    const failed = asked.find(({ error }) => error !== undefined);
    const spec: InputSpec = inputCatalogue[id];
    return [
      id,
      {
        id,
        outcome: used !== undefined ? 'ok' : failed !== undefined ? 'failed' : 'empty',
        source: used?.source,
        samples: used?.samples ?? [],
        dropped: used?.dropped ?? asked.flatMap(({ dropped }) => dropped),
        keys: scope.labels[(used?.source ?? spec.sources[0]).exporter],
        notices: used?.notices ?? [],
        error: used === undefined ? failed?.error : undefined,
      },
    ];
  });
  const clockAheadMs = Object.values(probes)
    .flat()
    .reduce<number | undefined>((nearest, probe) => nearerClock(nearest, probe.clockAheadMs), undefined);
  return { evaluatedAtMs, clockAheadMs, rows: Object.fromEntries(rows) as Record<InputId, CollectedInput> };
}
