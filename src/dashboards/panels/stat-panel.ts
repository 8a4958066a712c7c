import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  ReduceDataOptionsBuilder,
  VizTextDisplayOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { mapping, type Shown } from '../palette.ts';
import { type Level, thresholds } from '../thresholds.ts';
import { datasource } from '../variables.ts';
import { instantTarget, type PanelText, tableTarget } from './target.ts';

interface Stat extends PanelText {
  readonly expr: string;
  readonly unit: string;
  readonly decimals?: number;
  readonly level: Level;
  readonly width?: number;
  readonly height?: number;
  /** Series name, where the panel shows more than one. */
  readonly legend?: string;
  readonly shown?: Readonly<Record<string, Shown>>;
}

function base(text: PanelText & { readonly width?: number; readonly height?: number }): PanelBuilder {
  return (
    new PanelBuilder()
      .title(text.title)
      .description(text.description)
      .noValue(text.noValue)
      .datasource(datasource)
      .span(text.width ?? 4)
      .height(text.height ?? 4)
      .graphMode(BigValueGraphMode.None)
      .colorMode(BigValueColorMode.Value)
      // Names above the values: beside them they shrink to nothing.
      .wideLayout(false)
  );
}

const lastValue = () => new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false);

/** One number, or one for each series, as of the end of the time range. */
export function stat(spec: Stat): PanelBuilder {
  const panel = base(spec)
    .unit(spec.unit)
    .decimals(spec.decimals ?? 0)
    .thresholds(thresholds(spec.level))
    .reduceOptions(lastValue().fields(''))
    .withTarget(instantTarget('A', spec.expr, spec.legend ?? spec.title));
  if (spec.legend !== undefined) panel.textMode(BigValueTextMode.ValueAndName);
  return spec.shown === undefined ? panel : panel.mappings([mapping(spec.shown)]);
}

interface LabelStat extends PanelText {
  /** A query of which the label values, not the value, are shown. */
  readonly expr: string;
  /** Label → title. */
  readonly labels: Readonly<Record<string, string>>;
  readonly shown: Readonly<Record<string, Shown>>;
  readonly width: number;
  readonly height?: number;
}

/** Label values of one series as text. */
export function labelStat(spec: LabelStat): PanelBuilder {
  // Grafana matches the name that is shown, which the overrides below change.
  const titles = Object.values(spec.labels).join('|');
  const panel = base(spec)
    .unit('string')
    .decimals(0)
    .thresholds(thresholds('plain'))
    .mappings([mapping(spec.shown)])
    .textMode(BigValueTextMode.ValueAndName)
    // Texts differ in length, so Grafana would give each its own size.
    .text(new VizTextDisplayOptionsBuilder().titleSize(14).valueSize(22))
    .reduceOptions(lastValue().fields(`/^(${titles})$/`))
    .withTarget(tableTarget('A', spec.expr));
  for (const [label, title] of Object.entries(spec.labels)) {
    panel.overrideByName(label, [{ id: 'displayName', value: title }]);
  }
  return panel;
}
