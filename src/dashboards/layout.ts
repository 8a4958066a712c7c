import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import type {
  AnnotationQueryBuilder,
  Dashboard,
  Panel,
  RowPanel,
  VariableModel,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DashboardBuilder, DashboardCursorSync, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { type Board, boards, tag } from './identity.ts';
import { boardLinks } from './links.ts';

interface Row {
  readonly title: string;
  readonly panels: readonly Builder<Panel>[];
}

interface BoardSpec {
  readonly board: Board;
  readonly description: string;
  /** Start of the time range, e.g. `now-24h`. */
  readonly from: string;
  readonly variables: readonly Builder<VariableModel>[];
  readonly annotations?: readonly AnnotationQueryBuilder[];
  readonly rows: readonly Row[];
}

/**
 * Oldest schema of the supported range (Grafana 10.0). Newer ones migrate it when they load it; an older one would
 * take a newer schema as it is.
 */
const schemaVersion = 38;

/** A panel id that depends on its title alone, so that links to it survive the panels around it (FNV-1a, 30 bits). */
function panelId(title: string): number {
  let hash = 0x811c9dc5;
  for (const char of title) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash >>> 2 || 1;
}

function withId<T extends Panel | RowPanel>(panel: T): T {
  return { ...panel, id: panelId(`${panel.type} ${panel.title ?? ''}`) };
}

const built = <T>(value: T): Builder<T> => ({ build: () => value });

/** Lays rows of panels out from the top, left to right, and adds what all dashboards of the set share. */
export function layOut(spec: BoardSpec): Dashboard {
  const { uid, title } = boards[spec.board];
  const dashboard = new DashboardBuilder(title)
    .uid(uid)
    .description(spec.description)
    .tags([tag])
    .editable()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: spec.from, to: 'now' })
    .refresh('1m')
    .variables([...spec.variables])
    .annotations([...(spec.annotations ?? [])])
    .links([boardLinks()]);
  for (const row of spec.rows) {
    dashboard.withRow(built(withId(new RowBuilder(row.title).build())));
    for (const panel of row.panels) dashboard.withPanel(built(withId(panel.build())));
  }
  return { ...dashboard.build(), schemaVersion };
}
