import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { datasource } from '../variables.ts';

/** What every panel says of itself. */
export interface PanelText {
  /** Unique in its dashboard: the panel's id, and so the links to it, come from it. */
  readonly title: string;
  readonly description: string;
  /** Shown instead of "No data": why the panel may be empty. */
  readonly noValue: string;
}

export interface PanelSize {
  /** Columns of the 24 of the grid. */
  readonly width: number;
  /** Grid rows of 38 px. */
  readonly height: number;
}

/** A query over the time range of the dashboard, one line a series; at least `minStep` between two points. */
export function rangeTarget(
  refId: string,
  expr: string,
  look: { legend: string; minStep?: string },
): DataqueryBuilder {
  const target = new DataqueryBuilder()
    .datasource(datasource)
    .refId(refId)
    .expr(expr)
    .range()
    .legendFormat(look.legend);
  return look.minStep === undefined ? target : target.interval(look.minStep);
}

/** A query at the end of the time range, one row a series. */
export function tableTarget(refId: string, expr: string): DataqueryBuilder {
  return new DataqueryBuilder()
    .datasource(datasource)
    .refId(refId)
    .expr(expr)
    .instant()
    .format(PromQueryFormat.Table);
}

/** A query at the end of the time range, one value a series. */
export function instantTarget(refId: string, expr: string, legend: string): DataqueryBuilder {
  return new DataqueryBuilder().datasource(datasource).refId(refId).expr(expr).instant().legendFormat(legend);
}
