import { type CommittedBoard, labelValuesOf, panelsOf, type Target } from './committed.ts';
import { type Choices, interpolate, type QueryTime } from './interpolate.ts';
import { labelValues, queryInstant, queryRange, type Series } from './prometheus-answers.ts';

export interface Store {
  /** Base address of a Prometheus that holds evictrank's metrics and those of the kubelets and kube-state-metrics. */
  readonly url: string;
  /** Evaluation time: the "now" of the dashboards. */
  readonly endSeconds: number;
  readonly scrapeIntervalSeconds: number;
}

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

/** Seconds of a time like `5m` or `7d`. */
function secondsOf(text: string): number {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? Number.NaN);
  if (!(seconds > 0)) throw new Error(`Not a length of time: ${text}`);
  return seconds;
}

/** The time range a dashboard opens with, at a step that Grafana would take for a panel of some 300 points. */
export function openingTime(board: CommittedBoard, store: Store): QueryTime {
  const seconds = secondsOf(board.time.from.replace('now-', ''));
  return {
    startSeconds: store.endSeconds - seconds,
    endSeconds: store.endSeconds,
    stepSeconds: Math.max(store.scrapeIntervalSeconds, Math.ceil(seconds / 300)),
    scrapeIntervalSeconds: store.scrapeIntervalSeconds,
  };
}

/** Runs one query of a panel as Grafana would. */
export async function answerOf(
  target: Target,
  { choices, time, store }: { readonly choices: Choices; readonly time: QueryTime; readonly store: Store },
): Promise<Series[]> {
  const stepSeconds = Math.max(time.stepSeconds, secondsOf(target.interval ?? '1m'));
  const stepped = { ...time, stepSeconds };
  const expr = interpolate(target.expr, choices, stepped);
  return target.instant === true
    ? queryInstant(store.url, expr, time.endSeconds)
    : queryRange(store.url, expr, stepped);
}

/**
 * Runs every query of every panel, every annotation and every variable query of a dashboard, and tells which ones
 * came back without data. A query that fails is an error.
 */
export async function emptyPlaces(board: CommittedBoard, store: Store, choices: Choices): Promise<string[]> {
  const time = openingTime(board, store);
  const empty: string[] = [];
  for (const panel of panelsOf(board)) {
    for (const target of panel.targets) {
      const series = await answerOf(target, { choices, time, store });
      if (series.length === 0) empty.push(`${panel.title} / ${target.refId}`);
    }
  }
  for (const { name, expr } of board.annotations.list ?? []) {
    const series = await queryRange(store.url, interpolate(expr, choices, time), {
      ...time,
      stepSeconds: 60,
    });
    if (series.length === 0) empty.push(`annotation ${name}`);
  }
  for (const variable of board.templating.list) {
    const query = labelValuesOf(variable);
    if (query === undefined) continue;
    const values = await labelValues(
      store.url,
      interpolate(query.selector, choices, time),
      query.label,
      time,
    );
    if (values.length === 0) empty.push(`variable ${variable.name}`);
  }
  return empty;
}
