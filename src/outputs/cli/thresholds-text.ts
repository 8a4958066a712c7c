import type { ThresholdAmount, ThresholdFacts } from '../../explain/threshold-facts.ts';
import { formatBytes } from '../../foundation/byte-text.ts';
import { formatDuration } from '../../foundation/duration.ts';
import type { Amount } from '../../kubelet/amount.ts';
import { SIGNALS, type StarvedResource } from '../../kubelet/signals.ts';
import type { Colors } from './terminal.ts';
import { type Column, textTable } from './text-table.ts';
import { wrapOnTerminal } from './wrapped-text.ts';

const columns: readonly Column<ThresholdFacts>[] = [
  { title: 'SIGNAL', align: 'left', text: ({ signal }) => signal },
  { title: 'KIND', align: 'left', text: ({ kind }) => kind },
  {
    title: 'EVICTS BELOW',
    align: 'right',
    text: (one) => (one.isWatched ? amount(one, one.threshold) : 'never'),
  },
  {
    title: 'AFTER',
    align: 'right',
    text: ({ gracePeriodSeconds }) =>
      gracePeriodSeconds === 0 ? 'at once' : formatDuration(gracePeriodSeconds * 1000),
  },
  {
    title: 'RECLAIMS',
    align: 'right',
    text: (one) => (one.minimumReclaim === null ? '-' : amount(one, one.minimumReclaim)),
  },
  { title: 'STOPS AT', align: 'right', text: (one) => units(one, one.stopsAtUnits) },
];

/** The thresholds for people, each with what it means in bytes where that is known. */
export function thresholdsTable(
  thresholds: readonly ThresholdFacts[],
  width: number | undefined,
  colors: Colors,
): string {
  if (thresholds.length === 0)
    return 'No threshold is set: this kubelet evicts nothing for lack of memory, disk or processes.\n';
  const [head = '', ...body] = textTable(columns, [{ heading: undefined, rows: thresholds }], width);
  const notes = thresholds.some(({ stopsAtUnits }) => stopsAtUnits === null)
    ? wrapOnTerminal('? = give the size that the percentage is of: --capacity SIGNAL=QUANTITY', {
        columns: width,
      })
    : [];
  return `${[colors.dim(head), ...body, ...notes].join('\n')}\n`;
}

/** `100Mi`, or `10% = 614Mi`. */
function amount(threshold: ThresholdFacts, { quantity, fraction, units: size }: ThresholdAmount): string {
  if (quantity !== null) return units(threshold, size);
  const percent = fraction === null ? 'NaN%' : `${Number((fraction * 100).toPrecision(6))}%`;
  return size === null ? percent : `${percent} = ${units(threshold, size)}`;
}

function units({ signal }: ThresholdFacts, size: Amount | null): string {
  const resource: StarvedResource = SIGNALS[signal].resource;
  if (size === null) return '?';
  return resource === 'inodes' || resource === 'pids' ? String(size) : formatBytes(Number(size));
}
