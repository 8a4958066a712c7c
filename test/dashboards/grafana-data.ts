import { createRequire } from 'node:module';
import type { DataFrame, DataTransformContext, DataTransformerInfo, Field } from '@grafana/data';
import type { Panel } from './committed.ts';
import type { Series } from './prometheus-answers.ts';

// Grafana asks the browser for its language when it lists the date formats; Node 20 has no `navigator`.
if (!('navigator' in globalThis)) {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'], language: 'en' } });
}

// Its CommonJS build: the other one imports names that Node does not find in its CommonJS dependencies.
const grafana = createRequire(import.meta.url)('@grafana/data') as typeof import('@grafana/data');

const transformers = new Map<string, DataTransformerInfo>(
  Object.values(grafana.standardTransformers).map((transformer) => [transformer.id, transformer]),
);
const context: DataTransformContext = { interpolate: (text) => text };

export interface QueryAnswer {
  readonly refId: string;
  readonly series: readonly Series[];
}

function field(name: string, type: Field['type'], values: unknown[]): Field {
  return { name, type, config: {}, values };
}

/**
 * The frames that Grafana's Prometheus data source makes of instant answers in table format: time, one text field a
 * label, and the value, named after the query unless it is the only one
 * (grafana/grafana packages/grafana-prometheus/src/result_transformer.ts `transformDFToTable`).
 */
export function tableFrames(answers: readonly QueryAnswer[]): DataFrame[] {
  const { FieldType } = grafana;
  return answers.map(({ refId, series }) => {
    const labels = [...new Set(series.flatMap(({ metric }) => Object.keys(metric)))];
    const samples = series.map((one) => one.samples[0]);
    return {
      refId,
      length: series.length,
      fields: [
        field(
          'Time',
          FieldType.time,
          samples.map((sample) => (sample?.[0] ?? 0) * 1000),
        ),
        ...labels.map((label) =>
          field(
            label,
            FieldType.string,
            series.map(({ metric }) => metric[label] ?? ''),
          ),
        ),
        field(
          answers.length > 1 ? `Value #${refId}` : 'Value',
          FieldType.number,
          samples.map((sample) => sample?.[1]),
        ),
      ],
    };
  });
}

/** Applies the transformations of a panel with Grafana's own code. */
export async function transform(panel: Panel, frames: DataFrame[]): Promise<DataFrame[]> {
  let stream = grafana.transformDataFrame([], frames);
  for (const { id, options } of panel.transformations ?? []) {
    const transformer = transformers.get(id);
    if (transformer === undefined) throw new Error(`Grafana has no transformation ${id}`);
    stream = transformer.operator({ ...transformer.defaultOptions, ...options }, context)(stream);
  }
  return new Promise((resolve, reject) => {
    stream.subscribe({ next: resolve, error: reject });
  });
}

/** The properties that overrides set; Grafana's core registers them, its package only defines how they are applied. */
const properties = new grafana.FieldConfigOptionsRegistry(() =>
  ['unit', 'decimals', 'mappings', 'thresholds', 'displayName', 'color', 'noValue'].map((id) => ({
    id,
    path: id,
    name: id,
    editor: () => null,
    override: () => null,
    process: (value: unknown) => value,
    shouldApply: () => true,
  })),
);

/** Applies units, names, mappings and thresholds with Grafana's own code, so that cells can be read as text. */
export function applyLook(panel: Panel, frames: DataFrame[]): DataFrame[] {
  return grafana.applyFieldOverrides({
    data: frames,
    fieldConfig: panel.fieldConfig as unknown as NonNullable<
      Parameters<typeof grafana.applyFieldOverrides>[0]['fieldConfig']
    >,
    fieldConfigRegistry: properties,
    replaceVariables: (text) => text,
    theme: grafana.createTheme(),
    timeZone: 'utc',
  });
}

/** What a reader sees of a frame: column title → text of each cell. */
export function shownTable(frame: DataFrame): Record<string, string[]> {
  const columns = frame.fields.map((one): [string, string[]] => [
    grafana.getFieldDisplayName(one, frame),
    one.values.map((value) => {
      const shown = one.display?.(value);
      return shown === undefined ? String(value) : grafana.formattedValueToString(shown);
    }),
  ]);
  return Object.fromEntries(columns);
}
