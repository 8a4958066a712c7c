import type { RankedPod } from './snapshot.ts';

/**
 * Ranked pods as numbers and texts. The thread that serves holds them so: 150,000 pods as objects are a million of them
 * at every refresh, and moving those through the garbage collector would hold up whoever is served.
 */
export interface PackedPods {
  /** One after another, each with the same fields in the same order; NaN = undefined. Texts are places in `texts`. */
  readonly figures: Float64Array<ArrayBuffer>;
  readonly texts: readonly string[];
}

/** Numbers one pod takes in `figures`. */
const fieldsPerPod = 30;

export interface PodPacker {
  add(pod: RankedPod): void;
  packed(): PackedPods;
}

/** @param podCount how many pods will be added. */
export function createPodPacker(podCount: number): PodPacker {
  const figures = new Float64Array(podCount * fieldsPerPod);
  const texts: string[] = [];
  const places = new Map<string, number>();
  let at = 0;

  const writer: Writer = {
    number(value) {
      figures[at++] = value ?? Number.NaN;
    },
    flag(value) {
      figures[at++] = Number(value);
    },
    text(value) {
      if (value === undefined) {
        figures[at++] = Number.NaN;
        return;
      }
      let place = places.get(value);
      if (place === undefined) {
        place = texts.push(value) - 1;
        places.set(value, place);
      }
      figures[at++] = place;
    },
    uniqueText(value) {
      figures[at++] = value === undefined ? Number.NaN : texts.push(value) - 1;
    },
  };
  return {
    add(pod) {
      const start = at;
      writePod(writer, pod);
      if (at - start !== fieldsPerPod) throw new Error(`a packed pod has ${at - start} fields`);
    },
    packed: () => ({ figures, texts }),
  };
}

/** @param first number of the first pod, in the order in which they were added. */
export function unpackPods(
  { figures, texts }: PackedPods,
  { first, count }: { readonly first: number; readonly count: number },
): RankedPod[] {
  let at = first * fieldsPerPod;
  const next = (): number => figures[at++] ?? Number.NaN;
  const reader: Reader = {
    number() {
      const value = next();
      return Number.isNaN(value) ? undefined : value;
    },
    flag: () => next() === 1,
    text<Text extends string>() {
      return texts[next()] as Text | undefined;
    },
  };
  return Array.from({ length: count }, () => readPod(reader));
}

interface Writer {
  number(value: number | undefined): void;
  flag(value: boolean): void;
  text(value: string | undefined): void;
  /** A text that is not expected twice. */
  uniqueText(value: string | undefined): void;
}

interface Reader {
  number(): number | undefined;
  flag(): boolean;
  text<Text extends string>(): Text | undefined;
}

function writePod(write: Writer, { pod, now, peak, distanceBytes, timeOverRequestRatio }: RankedPod): void {
  write.text(pod.cluster);
  write.text(pod.namespace);
  write.uniqueText(pod.name);
  write.uniqueText(pod.uid);
  write.text(pod.node);
  write.text(pod.phase);
  write.text(pod.qosClass);
  write.number(pod.priority);
  write.text(pod.priorityClass);
  write.flag(pod.isStatic);
  write.text(pod.workload.kind);
  write.text(pod.workload.name);
  write.number(pod.usageBytes);
  write.number(pod.requestBytes);
  writePlace(write, now);
  writePlace(write, peak);
  write.number(distanceBytes);
  write.number(timeOverRequestRatio);
}

/** In the order of `writePod`: the fields of an object literal are evaluated from first to last. */
function readPod(read: Reader): RankedPod {
  return {
    pod: {
      cluster: read.text(),
      namespace: read.text() ?? '',
      name: read.text() ?? '',
      uid: read.text(),
      node: read.text() ?? '',
      phase: read.text() ?? 'Pending',
      qosClass: read.text(),
      priority: read.number() ?? 0,
      priorityClass: read.text(),
      isStatic: read.flag(),
      workload: { kind: read.text() ?? '', name: read.text() ?? '' },
      usageBytes: read.number(),
      requestBytes: read.number(),
    },
    now: readPlace(read),
    peak: readPlace(read),
    distanceBytes: read.number(),
    timeOverRequestRatio: read.number(),
  };
}

type Place = RankedPod['now'];

function writePlace(write: Writer, place: Place): void {
  write.text(place.group);
  write.number(place.rank);
  write.flag(place.tied);
  write.text(place.decidedBy);
  write.number(place.usageBytes);
  write.number(place.overRequestBytes);
  write.number(place.usageRequestRatio);
}

function readPlace(read: Reader): Place {
  return {
    group: read.text(),
    rank: read.number(),
    tied: read.flag(),
    decidedBy: read.text(),
    usageBytes: read.number(),
    overRequestBytes: read.number(),
    usageRequestRatio: read.number(),
  };
}
