import type { WrittenSeries } from '../../../src/demo/remote-write.ts';
import { addExported } from './exported.ts';
import { addKubelets, addObjects, addService } from './others.ts';

/** Adds one sample of the moment; an undefined value is an absent series. */
export type Add = (name: string, labels: Readonly<Record<string, string>>, value: number | undefined) => void;

export interface World {
  /** The last samples are from the minute before. */
  readonly endSeconds: number;
  readonly hours: number;
  /** Value of the label `cluster`; undefined = the store has no such label. */
  readonly cluster: string | undefined;
}

interface Written extends WrittenSeries {
  readonly timesMs: number[];
  readonly values: number[];
}

const stepSeconds = 60;
/** Scrapes do not fall on the steps of a dashboard's queries. */
const scrapeOffsetSeconds = 17;

/** Every series of the small cluster, one sample a minute. */
export function worldSeries({ endSeconds, hours, cluster }: World): WrittenSeries[] {
  const all = new Map<string, Written>();
  const steps = (hours * 3600) / stepSeconds;
  const common = cluster === undefined ? {} : { cluster };
  for (let step = 0; step <= steps; step += 1) {
    const at = endSeconds - scrapeOffsetSeconds - (steps - step) * stepSeconds;
    const add: Add = (name, own, value) => {
      if (value === undefined) return;
      const labels = { __name__: name, ...common, ...own };
      const key = JSON.stringify(labels);
      const series: Written = all.get(key) ?? { labels, timesMs: [], values: [] };
      all.set(key, series);
      series.timesMs.push(at * 1000);
      series.values.push(value);
    };
    const past = (step * stepSeconds) / 3600;
    addExported(past, add);
    addObjects(past, add);
    addKubelets(past, add);
    addService(past, at, add);
  }
  return [...all.values()];
}
