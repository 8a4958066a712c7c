import Table from 'cli-table3';
import { comparatorNames, groupNames } from '../explain/comparator-names.ts';
import { formatMebibytes } from '../foundation/byte-text.ts';
import type { ComparatorGroup, DecidedBy } from '../kubelet/candidate.ts';

/** What the demo reads of `GET /api/v1/nodes/{node}`. */
export interface PrintedLadder {
  readonly node: string;
  readonly availableBytes: number | null;
  readonly thresholdBytes: number | null;
  readonly pods: readonly {
    readonly rank: number | null;
    readonly namespace: string;
    readonly pod: string;
    readonly group: ComparatorGroup | null;
    readonly decidedBy: DecidedBy | null;
    readonly priority: number;
    readonly qosClass: string | null;
    readonly usageBytes: number | null;
    readonly requestBytes: number | null;
    readonly distanceBytes: number | null;
  }[];
}

/** The ladder of one node as a table for the terminal, in eviction order. */
export function ladderTable(ladder: PrintedLadder): string {
  const table = new Table({
    head: ['rank', 'pod', 'QoS class', 'priority', 'usage', 'request', 'group', 'ahead by', 'distance'],
    style: { head: [], border: [], compact: true },
    colAligns: ['right', 'left', 'left', 'right', 'right', 'right', 'left', 'left', 'right'],
  });
  table.push(
    ...ladder.pods.map((pod) => [
      text(pod.rank),
      `${pod.namespace}/${pod.pod}`,
      text(pod.qosClass),
      text(pod.priority),
      mebibytes(pod.usageBytes),
      mebibytes(pod.requestBytes),
      text(pod.group && groupNames[pod.group]),
      text(pod.decidedBy && comparatorNames[pod.decidedBy]),
      mebibytes(pod.distanceBytes),
    ]),
  );
  const headline = `${ladder.node}: available ${mebibytes(ladder.availableBytes)}, eviction threshold ${mebibytes(ladder.thresholdBytes)}`;
  return `${headline}\n${table.toString()}`;
}

function text(value: string | number | null): string {
  return value === null ? '–' : String(value);
}

function mebibytes(bytes: number | null): string {
  return bytes === null ? '–' : formatMebibytes(bytes);
}
