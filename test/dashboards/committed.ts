import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The parts of dashboard JSON that the tests read. */
export interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly instant?: boolean;
  readonly range?: boolean;
  readonly format?: string;
  /** Least step, e.g. `5m`. */
  readonly interval?: string;
  readonly legendFormat?: string;
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: {
    readonly defaults: {
      readonly unit?: string;
      readonly decimals?: number;
      readonly noValue?: string;
      readonly thresholds?: {
        readonly steps: readonly { readonly value: number | null; readonly color: string }[];
      };
    };
    readonly overrides: readonly {
      readonly matcher: { readonly id: string; readonly options: string };
      readonly properties: readonly { readonly id: string; readonly value: unknown }[];
    }[];
  };
  readonly options: {
    readonly sortBy?: readonly { readonly displayName: string; readonly desc: boolean }[];
    readonly legend?: { readonly calcs: readonly string[] };
  };
  readonly targets: readonly Target[];
  readonly transformations?: readonly {
    readonly id: string;
    readonly options: {
      readonly renameByName?: Readonly<Record<string, string>>;
      readonly indexByName?: Readonly<Record<string, number>>;
    };
  }[];
}

export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly hide?: number;
  readonly multi: boolean;
  readonly includeAll: boolean;
  readonly allValue?: string;
  readonly query: string | { readonly query: string };
}

export interface CommittedBoard {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly schemaVersion: number;
  readonly tags: readonly string[];
  readonly time: { readonly from: string };
  readonly links: readonly {
    readonly type: string;
    readonly tags: readonly string[];
    readonly includeVars: boolean;
    readonly keepTime: boolean;
  }[];
  readonly templating: { readonly list: readonly Variable[] };
  readonly annotations: {
    readonly list?: readonly { readonly name: string; readonly expr: string; readonly step: string }[];
  };
  readonly panels: readonly Panel[];
}

export const dashboardsFolder: string = fileURLToPath(new URL('../../dashboards/', import.meta.url));

/** Paths below `dashboards/` of all committed files. */
export function committedFiles(): readonly string[] {
  return readdirSync(dashboardsFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort();
}

export function readBoard(file: string): CommittedBoard {
  return JSON.parse(readFileSync(`${dashboardsFolder}${file}`, 'utf8')) as CommittedBoard;
}

/** The panels that show something: all but the row headings. */
export function panelsOf(board: CommittedBoard): readonly Panel[] {
  return board.panels.filter((panel) => panel.type !== 'row');
}

export interface Expression {
  /** Where it stands, for messages: panel and refId, annotation or variable. */
  readonly place: string;
  readonly expr: string;
}

/** Every PromQL expression of a dashboard, the selectors of its variable queries included. */
export function expressionsOf(board: CommittedBoard): readonly Expression[] {
  const targets = panelsOf(board).flatMap((panel) =>
    panel.targets.map(({ refId, expr }) => ({ place: `${panel.title} / ${refId}`, expr })),
  );
  const marks = (board.annotations.list ?? []).map(({ name, expr }) => ({
    place: `annotation ${name}`,
    expr,
  }));
  const variables = board.templating.list
    .flatMap((variable) => labelValuesOf(variable) ?? [])
    .map(({ selector, label }) => ({ place: `variable ${label}`, expr: selector }));
  return [...targets, ...marks, ...variables];
}

/** The two arguments of a variable's `label_values(selector, label)`; undefined for a data source variable. */
export function labelValuesOf(variable: Variable): { selector: string; label: string } | undefined {
  if (variable.type !== 'query' || typeof variable.query === 'string') return undefined;
  const match = /^label_values\((.+), (\w+)\)$/.exec(variable.query.query);
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new Error(`Variable ${variable.name} has no label_values query: ${variable.query.query}`);
  }
  return { selector: match[1], label: match[2] };
}
