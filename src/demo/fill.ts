import { type SeriesOptions, seriesOf } from './cluster/cluster-series.ts';
import type { DemoCluster } from './cluster/description.ts';
import { weekMs } from './cluster/units.ts';
import { remoteWrite, type WrittenSoFar } from './remote-write.ts';

/** A node's series are this many times the work of a pod's. */
const nodeWork = 26;

/** Writes the week before the cluster's own time. `onProgress` is told the share that is done, from 0 to 1. */
export function fillWithHistory(
  url: string,
  cluster: DemoCluster,
  options: {
    readonly scrape?: Omit<SeriesOptions, 'startMs' | 'endMs'>;
    readonly onProgress?: (share: number, written: WrittenSoFar) => void;
  } = {},
): Promise<WrittenSoFar> {
  const work = cluster.pods.length + nodeWork * cluster.nodes.length;
  let done = 0;
  const series = seriesOf(cluster, {
    ...options.scrape,
    startMs: cluster.nowMs - weekMs,
    endMs: cluster.nowMs,
    onPart: (part) => {
      done += part === 'node' ? nodeWork : 1;
    },
  });
  return remoteWrite(series, {
    url,
    onProgress: (written) => options.onProgress?.(Math.min(1, done / work), written),
  });
}
