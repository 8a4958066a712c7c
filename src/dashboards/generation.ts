import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { capacityReview } from './boards/capacity-review.ts';
import { evictionRisk } from './boards/eviction-risk.ts';
import { evictionsByQosClass } from './boards/evictions-by-qos-class.ts';
import { nodeLadder } from './boards/node-ladder.ts';
import { podBoard } from './boards/pod.ts';
import { serviceBoard } from './boards/service.ts';
import { type Board, boards, type ClusterScope } from './identity.ts';

const builders: Readonly<Record<Board, (scope: ClusterScope) => Dashboard>> = {
  evictionRisk,
  nodeLadder,
  pod: podBoard,
  capacityReview,
  evictions: evictionsByQosClass,
  service: serviceBoard,
};

/** Where the files of each scope go, below `dashboards/`. Both sets have the same uids: import one of them. */
const folders: Readonly<Record<ClusterScope, string>> = {
  'one-cluster': '',
  'several-clusters': 'several-clusters/',
};

export function buildBoard(board: Board, scope: ClusterScope): Dashboard {
  return builders[board](scope);
}

/** Every file below `dashboards/` with its text: the whole output, so that writing and checking are one loop each. */
export function generateFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const scope of ['one-cluster', 'several-clusters'] as const) {
    for (const board of Object.keys(boards) as Board[]) {
      const text = `${JSON.stringify(buildBoard(board, scope), null, 2)}\n`;
      files.set(`${folders[scope]}${boards[board].file}`, text);
    }
  }
  return files;
}
