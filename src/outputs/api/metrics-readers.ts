import type { Response } from 'express';
import type { PackedText } from '../metrics/page.ts';
import { endConnection } from './limits.ts';

/**
 * Texts of earlier refreshes that slow readers still hold, all together: two of the largest cluster, whose packed text
 * has 25 MiB. However many read one text, it is in memory once, and the current one would be there anyway.
 */
const LARGEST_SUPERSEDED_BYTES = 64 * 1024 * 1024;

export interface MetricsReaders {
  /** Notes who reads which text until the answer is closed; ends the readers of the oldest texts where too much is held. */
  begin(packed: PackedText, response: Response): void;
}

/** Keeps slow readers of `/metrics` from holding the text of every refresh since they began. */
export function createMetricsReaders(largestBytes = LARGEST_SUPERSEDED_BYTES): MetricsReaders {
  /** Oldest text first. */
  const readers = new Map<PackedText, Set<Response>>();

  function supersededBytes(current: PackedText): number {
    return [...readers.keys()]
      .filter((packed) => packed !== current)
      .reduce((sum, { deflated }) => sum + deflated.length, 0);
  }

  return {
    begin(packed, response) {
      const sharing = readers.get(packed) ?? new Set();
      readers.set(packed, sharing.add(response));
      response.once('close', () => {
        sharing.delete(response);
        if (sharing.size === 0) readers.delete(packed);
      });
      for (const [oldest, late] of [...readers]) {
        if (oldest === packed || supersededBytes(packed) <= largestBytes) return;
        readers.delete(oldest);
        for (const { socket } of late) if (socket !== null) endConnection(socket);
      }
    },
  };
}
