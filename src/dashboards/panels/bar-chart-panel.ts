import { PanelBuilder } from '@grafana/grafana-foundation-sdk/barchart';
import {
  LegendDisplayMode,
  LegendPlacement,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizOrientation,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { mapping, type Shown } from '../palette.ts';
import { thresholds } from '../thresholds.ts';
import { datasource } from '../variables.ts';
import { type PanelSize, type PanelText, tableTarget } from './target.ts';

interface BarChart extends PanelText, PanelSize {
  readonly expr: string;
  readonly unit: string;
  /** Label that gives the bars, with the names to show. */
  readonly bars: { readonly label: string; readonly shown: Readonly<Record<string, Shown>> };
  /** Label that gives the parts of a bar, with their colours. */
  readonly parts: { readonly label: string; readonly shown: Readonly<Record<string, Shown>> };
}

/** Stacked bars of one query by two of its labels, as of the end of the time range. */
export function barChart(spec: BarChart): PanelBuilder {
  const panel = new PanelBuilder()
    .title(spec.title)
    .description(spec.description)
    .noValue(spec.noValue)
    .datasource(datasource)
    .span(spec.width)
    .height(spec.height)
    .unit(spec.unit)
    .decimals(0)
    .thresholds(thresholds('plain'))
    .orientation(VizOrientation.Horizontal)
    .stacking(StackingMode.Normal)
    .showValue(VisibilityMode.Auto)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(['sum']),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .withTarget(tableTarget('A', spec.expr))
    .withTransformation({
      id: 'groupingToMatrix',
      options: {
        rowField: spec.bars.label,
        columnField: spec.parts.label,
        valueField: 'Value',
        emptyValue: 'null',
      },
    });
  panel.overrideByName(`${spec.bars.label}\\${spec.parts.label}`, [
    { id: 'mappings', value: [mapping(spec.bars.shown)] },
  ]);
  for (const [name, { text, color }] of Object.entries(spec.parts.shown)) {
    panel.overrideByName(name, [
      { id: 'displayName', value: text },
      { id: 'noValue', value: '–' },
      ...(color === undefined ? [] : [{ id: 'color', value: { mode: 'fixed', fixedColor: color } }]),
    ]);
  }
  return panel;
}
