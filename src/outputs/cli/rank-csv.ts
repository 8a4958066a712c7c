import { stringify } from 'csv-stringify/sync';
import type { RankedLadder } from './pressure-ladder.ts';

const columns = [
  'node',
  'complete',
  'rank',
  'namespace',
  'pod',
  'group',
  'decidedBy',
  'tied',
  'priority',
  'qosClass',
  'usageBytes',
  'requestBytes',
  'overRequestBytes',
  'distanceBytes',
] as const;

/** One line for each pod, named as in the JSON; an absent number is an empty field. */
export function rankCsv(ladders: readonly RankedLadder[]): string {
  const hasCluster = ladders.some(({ cluster }) => cluster !== undefined);
  const [first] = ladders.flatMap(({ pods }) => pods);
  const extra = (['usageInodes', 'processes'] as const).filter(
    (name) => first !== undefined && name in first,
  );
  return csvText(
    [...(hasCluster ? ['cluster'] : []), ...columns, ...extra],
    ladders.flatMap(({ cluster, node, complete, pods }) =>
      pods.map((pod) => ({ ...(hasCluster ? { cluster } : {}), node, complete, ...pod })),
    ),
  );
}

/** RFC 4180 with a header. Texts that a spreadsheet would run as a formula get a quote in front. */
export function csvText(header: readonly string[], rows: readonly object[]): string {
  return stringify([...rows], {
    header: true,
    columns: [...header],
    cast: {
      boolean: String,
      bigint: String,
      number: (value) => String(value),
      string: (value) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value),
    },
  });
}
