import { type CommittedBoard, committedFiles, panelsOf, readBoard, type Target } from '../committed.ts';
import type { Range, Series } from '../prometheus-answers.ts';
import { answerOf, openingTime } from '../proof.ts';
import { readersChoices } from '../readers-choices.ts';

interface Answer {
  readonly target: Target;
  readonly series: readonly Series[];
}

/** The dashboards for one cluster. */
export function readBoards(): { readonly file: string; readonly board: CommittedBoard }[] {
  return committedFiles()
    .filter((file) => !file.includes('/'))
    .map((file) => ({ file, board: readBoard(file) }));
}

interface Pictured {
  readonly url: string;
  readonly endSeconds: number;
  /** How much to show; a store younger than the dashboard's own range would be a sliver of it. */
  readonly shownSeconds: number | undefined;
}

/** A dashboard with the answers to its queries by panel id: all that the page needs. */
export async function answersFor(
  file: string,
  board: CommittedBoard,
  { url, endSeconds, shownSeconds }: Pictured,
): Promise<{ board: CommittedBoard; answers: Record<number, Answer[]>; range: Range }> {
  const store = { url, endSeconds, scrapeIntervalSeconds: 60 };
  const opening = openingTime(board, store);
  const time =
    shownSeconds === undefined
      ? opening
      : { ...opening, startSeconds: endSeconds - shownSeconds, stepSeconds: 60 };
  const choices = await readersChoices(file, store);
  const answers: Record<number, Answer[]> = {};
  for (const panel of panelsOf(board)) {
    const asked = panel.targets.map(async (target) => ({
      target,
      series: await answerOf(target, { choices, time, store }),
    }));
    answers[panel.id] = await Promise.all(asked);
  }
  return { board, answers, range: time };
}
