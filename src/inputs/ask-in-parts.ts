import { isTooLarge, isTooMuch } from '../prometheus/failures.ts';
import { quoteRegex } from '../prometheus/selector.ts';
import { type KnownPods, type Shard, splitShard, wholeShard } from './shard.ts';

/**
 * Asks for all pods, and for what is too much in halves, one after the other.
 * @throws PrometheusError where a part that cannot be split any further fails.
 */
export async function askByShard<Row>(
  known: KnownPods,
  ask: (shard: Shard) => Promise<readonly Row[]>,
  shard: Shard = wholeShard,
): Promise<readonly Row[]> {
  try {
    return await ask(shard);
  } catch (error) {
    const halves = isTooMuch(error) ? splitShard(shard, known) : undefined;
    if (halves === undefined) throw error;
    const answers: (readonly Row[])[] = [];
    for (const half of halves) answers.push(await askByShard(known, ask, half));
    return answers.flat();
  }
}

/**
 * Names of one question. A matcher of them stands in a query up to three times, and VictoriaMetrics reads no query of
 * more than 16 KiB.
 */
const longestNamesBytes = 4_000;
const mostNames = 100;

/**
 * Asks for the names some at a time, all questions at once as far as the client lets them; halves what is too large.
 * @throws PrometheusError
 */
export async function askByName<Row>(
  names: readonly string[],
  ask: (names: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const answers = await Promise.all(chunksOf(names).map((chunk) => askChunk(chunk, ask)));
  return answers.flat();
}

async function askChunk<Row>(
  names: readonly string[],
  ask: (names: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  try {
    return await ask(names);
  } catch (error) {
    if (!isTooLarge(error) || names.length < 2) throw error;
    const middle = Math.ceil(names.length / 2);
    const answers: (readonly Row[])[] = [];
    for (const half of [names.slice(0, middle), names.slice(middle)]) answers.push(await askChunk(half, ask));
    return answers.flat();
  }
}

function chunksOf(names: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const ownBytes = Buffer.byteLength(quoteRegex(name)) + 1;
    const last = chunks.at(-1);
    if (last === undefined || bytes + ownBytes > longestNamesBytes || last.length === mostNames) {
      chunks.push([name]);
      bytes = ownBytes;
    } else {
      last.push(name);
      bytes += ownBytes;
    }
  }
  return chunks;
}
