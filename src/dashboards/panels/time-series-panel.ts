import {
  GraphDrawStyle,
  LegendDisplayMode,
  LegendPlacement,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import type { DynamicConfigValue } from '@grafana/grafana-foundation-sdk/dashboard';
import { FieldColorBuilder, FieldColorModeId } from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { type Level, thresholds } from '../thresholds.ts';
import { datasource } from '../variables.ts';
import { type PanelSize, type PanelText, rangeTarget } from './target.ts';

/** One query of a time series panel and how its lines look. */
export interface Line {
  readonly expr: string;
  readonly legend: string;
  /** Fixed colour, for a line whose meaning does not change. */
  readonly colour?: string;
  readonly dashed?: boolean;
  /**
   * Least time between two points. For counts of rare events: at five minutes `$__rate_interval` is that and one
   * scrape, so that windows hardly overlap and a bar is what happened since the one before it.
   */
  readonly minStep?: string;
}

interface TimeSeries extends PanelText, PanelSize {
  readonly lines: readonly Line[];
  readonly unit: string;
  readonly decimals?: number;
  readonly min?: number;
  readonly max?: number;
  readonly level?: Level;
  readonly style?: 'line' | 'stacked area' | 'stacked bars';
  /** Series name → colour, where one query draws several known series. */
  readonly colours?: Readonly<Record<string, { readonly text: string; readonly color?: string }>>;
}

const refIds = 'ABCDEFGH';

function lineLook(line: Line): DynamicConfigValue[] {
  const look: DynamicConfigValue[] = [];
  if (line.colour !== undefined)
    look.push({ id: 'color', value: { mode: 'fixed', fixedColor: line.colour } });
  if (line.dashed === true) {
    look.push({ id: 'custom.lineStyle', value: { fill: 'dash', dash: [10, 10] } });
    look.push({ id: 'custom.fillOpacity', value: 0 });
  }
  return look;
}

function applyStyle(panel: PanelBuilder, style: NonNullable<TimeSeries['style']>): void {
  if (style === 'line') return;
  panel.stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'));
  if (style === 'stacked area') panel.fillOpacity(60).lineWidth(0);
  else panel.drawStyle(GraphDrawStyle.Bars).fillOpacity(80).lineWidth(0);
}

/** Lines over the time range, with the last value and the extremes in the legend. */
export function timeSeries(spec: TimeSeries): PanelBuilder {
  const panel = new PanelBuilder()
    .title(spec.title)
    .description(spec.description)
    .noValue(spec.noValue)
    .datasource(datasource)
    .span(spec.width)
    .height(spec.height)
    .unit(spec.unit)
    .decimals(spec.decimals ?? 0)
    // A colour by name stays with its pod or node when others come and go.
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.PaletteClassicByName))
    .thresholds(thresholds(spec.level ?? 'plain'))
    .lineWidth(2)
    .fillOpacity(5)
    .showPoints(VisibilityMode.Never)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.Table)
        .placement(spec.width === 24 ? LegendPlacement.Right : LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(['lastNotNull', 'max'])
        .sortBy('Last *')
        .sortDesc(true),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending));
  if (spec.min !== undefined) panel.min(spec.min);
  if (spec.max !== undefined) panel.max(spec.max);
  applyStyle(panel, spec.style ?? 'line');
  spec.lines.forEach((line, i) => {
    const refId = refIds.charAt(i);
    panel.withTarget(rangeTarget(refId, line.expr, line));
    const look = lineLook(line);
    if (look.length > 0) panel.overrideByQuery(refId, look);
  });
  for (const [name, { text, color }] of Object.entries(spec.colours ?? {})) {
    panel.overrideByName(name, [
      { id: 'displayName', value: text },
      ...(color === undefined ? [] : [{ id: 'color', value: { mode: 'fixed', fixedColor: color } }]),
    ]);
  }
  return panel;
}
