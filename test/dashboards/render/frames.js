import {
  applyFieldOverrides,
  cacheFieldDisplayNames,
  FieldConfigOptionsRegistry,
  FieldType,
  standardTransformers,
  transformDataFrame,
} from '@grafana/data';
import { lastValueFrom } from 'rxjs';

const transformers = new Map(Object.values(standardTransformers).map((one) => [one.id, one]));

function field(name, type, values, rest = {}) {
  return { name, type, config: {}, values, ...rest };
}

/** As `transformDFToTable` in grafana/grafana packages/grafana-prometheus/src/result_transformer.ts. */
function tableFrame({ target, series }, count) {
  const labels = [...new Set(series.flatMap(({ metric }) => Object.keys(metric)))];
  return {
    refId: target.refId,
    length: series.length,
    fields: [
      field(
        'Time',
        FieldType.time,
        series.map(({ samples }) => samples[0][0] * 1000),
      ),
      ...labels.map((label) =>
        field(
          label,
          FieldType.string,
          series.map(({ metric }) => metric[label] ?? ''),
        ),
      ),
      field(
        count > 1 ? `Value #${target.refId}` : 'Value',
        FieldType.number,
        series.map(({ samples }) => samples[0][1]),
      ),
    ],
  };
}

function seriesFrames({ target, series }) {
  return series.map(({ metric, samples }) => {
    const name = (target.legendFormat ?? '')
      .replace(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? '')
      .trim();
    return {
      refId: target.refId,
      name,
      length: samples.length,
      fields: [
        field(
          'Time',
          FieldType.time,
          samples.map(([at]) => at * 1000),
        ),
        field(
          'Value',
          FieldType.number,
          samples.map(([, value]) => value),
          {
            labels: metric,
            config: { displayNameFromDS: name },
          },
        ),
      ],
    };
  });
}

/** Registers just the properties that the panel sets; the ones of Grafana's core are not published. */
function registryFor({ fieldConfig }) {
  const ids = new Set(fieldConfig.overrides.flatMap(({ properties }) => properties.map(({ id }) => id)));
  for (const id of Object.keys(fieldConfig.defaults)) if (id !== 'custom') ids.add(id);
  for (const id of Object.keys(fieldConfig.defaults.custom ?? {})) ids.add(`custom.${id}`);
  return new FieldConfigOptionsRegistry(() =>
    [...ids].map((id) => {
      const isCustom = id.startsWith('custom.');
      const path = isCustom ? id.slice('custom.'.length) : id;
      return { id, path, name: id, isCustom, process: (value) => value, shouldApply: () => true };
    }),
  );
}

/** What Grafana would hand to the panel: transformed and with units, names, mappings and thresholds applied. */
export async function framesFor(panel, answers, theme) {
  const frames = answers.flatMap((answer) =>
    answer.target.format === 'table' ? [tableFrame(answer, answers.length)] : seriesFrames(answer),
  );
  let stream = transformDataFrame([], frames);
  for (const { id, options } of panel.transformations ?? []) {
    const transformer = transformers.get(id);
    stream = transformer.operator(
      { ...transformer.defaultOptions, ...options },
      { interpolate: (text) => text },
    )(stream);
  }
  const looked = applyFieldOverrides({
    data: await lastValueFrom(stream),
    fieldConfig: panel.fieldConfig,
    fieldConfigRegistry: registryFor(panel),
    replaceVariables: (text) => text,
    theme,
    timeZone: 'utc',
  });
  cacheFieldDisplayNames(looked);
  return looked;
}
