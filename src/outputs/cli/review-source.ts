import type { ReviewFacts } from '../../review/placed.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { readSnapshotFile } from '../snapshot-file/read.ts';
import type { CommandContext } from './command-context.ts';
import { problemNotes, readPriorityClasses } from './load-source.ts';
import { askForReview } from './review-facts.ts';
import type { Source } from './source-options.ts';
import { createProgress, printable } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** What a review is made from. */
export interface ReviewData {
  readonly snapshot: Snapshot;
  /** Undefined where the source holds no more than the snapshot. */
  readonly facts: ReviewFacts | undefined;
}

/** @throws UsageError where the snapshot has no peaks, SnapshotReadError, UnusableFilesError, PrometheusError, NoPodsError */
export async function loadReview(
  source: Exclude<Source, { kind: 'files' }>,
  { terminal, clock }: CommandContext,
): Promise<ReviewData> {
  const progress = createProgress(terminal);
  try {
    const data =
      source.kind === 'snapshot'
        ? { snapshot: await readSnapshotFile(source.file), facts: undefined }
        : await askForReview(
            { config: source.config, priorityClasses: await readPriorityClasses(source.priorityClassFiles) },
            { clock, progress },
          );
    progress.clear();
    if (data.snapshot.windowCoverageRatio === 0) {
      throw new UsageError('the snapshot holds no peaks: it was written from files');
    }
    for (const note of problemNotes(data.snapshot.problems)) terminal.note(`evictrank: ${printable(note)}\n`);
    return data;
  } finally {
    progress.clear();
  }
}
