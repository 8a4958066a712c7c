import type { KnownPods, Shard } from '../inputs/shard.ts';
import { isTooMuch, PrometheusError } from '../prometheus/failures.ts';
import type { Coverage } from './coverage.ts';
import type { HourRange } from './hour.ts';
import type { Sharding } from './sharding.ts';

/** What a round of backfilling came to. */
export interface BackfillRound {
  readonly questions: number;
  /** The last failure; undefined where none was left over. */
  readonly failure: PrometheusError | undefined;
}

export interface Backfill {
  /**
   * Asks for missing hours, newest first, until none is missing or the round is up. What is half done goes on in the
   * next round.
   * @throws PrometheusError of kind `canceled`
   */
  run(round: {
    readonly coverage: Coverage;
    readonly endedHours: HourRange;
    readonly known: () => KnownPods;
    /** Hours one question may ask for, as far as can be foreseen. */
    readonly maxHours: number;
    readonly isUp: () => boolean;
    readonly ask: (hours: HourRange, shard: Shard) => Promise<void>;
  }): Promise<BackfillRound>;
  hourPassed(): void;
  /** For the log: the most hours and the number of parts in which the backend answers. */
  questionSize(): { readonly hours: number; readonly shards: number };
}

const hoursPerDay = 24;
/** Failures after which a round ends: the backend is in trouble. */
const maxFailuresPerRound = 3;

interface Piece {
  readonly hours: HourRange;
  readonly shards: Shard[];
}

export function createBackfill(sharding: Sharding): Backfill {
  let hoursPerQuestion = hoursPerDay;
  let piece: Piece | undefined;

  function nextPiece(coverage: Coverage, endedHours: HourRange, maxHours: number): Piece | undefined {
    const hours = coverage.nextMissing(endedHours, Math.min(hoursPerQuestion, maxHours));
    return hours === undefined ? undefined : { hours, shards: [...sharding.shards()] };
  }

  /** Makes the questions smaller: by time first, then by name. False where they are as small as can be. */
  function shrink({ hours, shards }: Piece, refused: Shard, known: KnownPods): boolean {
    const length = hours.last - hours.first + 1;
    if (length > 1) {
      hoursPerQuestion = Math.ceil(length / 2);
      piece = undefined;
      return true;
    }
    const smaller = sharding.replace(refused, known);
    if (smaller === undefined) return false;
    shards.splice(0, 1, ...smaller);
    return true;
  }

  function stillWanted({ hours }: Piece, endedHours: HourRange): boolean {
    return hours.first >= endedHours.first && hours.last <= endedHours.last;
  }

  return {
    async run({ coverage, endedHours, known, maxHours, isUp, ask }) {
      let questions = 0;
      let failures = 0;
      let failure: PrometheusError | undefined;
      if (piece !== undefined && !stillWanted(piece, endedHours)) piece = undefined;
      while (!isUp()) {
        const current = piece ?? nextPiece(coverage, endedHours, maxHours);
        const [shard] = current?.shards ?? [];
        if (current === undefined || shard === undefined) break;
        piece = current;
        questions++;
        try {
          await ask(current.hours, shard);
          current.shards.shift();
          if (current.shards.length === 0) {
            coverage.cover(current.hours);
            piece = undefined;
          }
        } catch (error) {
          if (!(error instanceof PrometheusError) || error.kind === 'canceled') throw error;
          if (isTooMuch(error) && shrink(current, shard, known())) continue;
          failure = error;
          coverage.postpone(current.hours);
          piece = undefined;
          if (++failures === maxFailuresPerRound) break;
        }
      }
      return { questions, failure };
    },
    hourPassed() {
      hoursPerQuestion = Math.min(hoursPerQuestion * 2, hoursPerDay);
      sharding.hourPassed();
    },
    questionSize: () => ({ hours: hoursPerQuestion, shards: sharding.shards().length }),
  };
}
