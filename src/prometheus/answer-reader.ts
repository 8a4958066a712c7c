import type { Labels } from './client.ts';
import { malformed } from './response.ts';
import type { RowParser, Rows } from './rows.ts';

/** Takes the body of an answer piece by piece. */
export interface BodyReader {
  write(text: string): void;
  /** What is left of the body at its end. */
  end(): string;
}

/** A reader that keeps everything. */
export function createTextReader(): BodyReader {
  const parts: string[] = [];
  return {
    write: (text) => void parts.push(text),
    end: () => parts.join(''),
  };
}

export interface AnswerReader<Row> extends BodyReader {
  /** The rows read so far. */
  readonly rows: Row[];
  readonly droppedPoints: number;
  readonly droppedLabels: Labels[];
}

/**
 * How a successful answer with rows begins. All backends write it without spaces, and the labels of a row first
 * (`web/api/v1/json_codec.go` of Prometheus); any other text is kept whole.
 */
const beginning =
  /^\{"status":"success",(?:"isPartial":(?:true|false),)?"data":\{"resultType":"([a-z]+)","result":\[(?=\{"metric":)/;
/** Between two rows, and nowhere else: inside of a text every quote has a backslash before it. */
const boundary = '},{"metric":';
/**
 * Characters of one row. The longest have an hourly value for each hour of the window, some ten thousand; without a bound, a
 * row that does not end would fill the memory of the process with several times the largest body.
 */
const LONGEST_ROW = 4 * 1024 * 1024;
/** Characters read at once: enough for some hundred rows. */
const defaultPieceLength = 1 << 17;

/**
 * Reads the rows of an answer while it arrives, so that neither its whole text nor everything in it is ever in memory: an
 * answer about 150,000 pods is 50 MB of text. What `end` answers is the same answer without the rows that were read.
 */
export function createAnswerReader<Row>(
  parse: RowParser<Row>,
  pieceLength = defaultPieceLength,
): AnswerReader<Row> {
  const rows: Row[] = [];
  const droppedLabels: Labels[] = [];
  let droppedPoints = 0;
  let parts: string[] = [];
  let length = 0;
  let readAt = pieceLength;
  let head: { readonly text: string; readonly resultType: string } | undefined;
  let isWhole = false;

  function pending(): string {
    const text = parts.join('');
    parts = [text];
    return text;
  }

  function keep(text: string): void {
    parts = [text];
    length = text.length;
  }

  function readRows(): void {
    if (head === undefined) {
      const found = beginning.exec(pending());
      isWhole = found === null;
      if (found === null) return;
      head = { text: found[0], resultType: found[1] ?? '' };
      keep(pending().slice(head.text.length));
    }
    const text = pending();
    const end = text.lastIndexOf(boundary);
    if (end < 0 && text.length > LONGEST_ROW) {
      throw malformed(`a series of the answer has more than ${LONGEST_ROW} characters`);
    }
    // Looking for the end of one long row again at each piece would take forever.
    readAt = end < 0 ? 2 * text.length : pieceLength;
    if (end < 0) return;
    const result = parseList(`[${text.slice(0, end + 1)}]`);
    const read: Rows<Row> = parse({ resultType: head.resultType, result }, rows.length + droppedPoints);
    for (const row of read.rows) rows.push(row);
    droppedPoints += read.droppedPoints;
    for (const labels of read.droppedLabels) droppedLabels.push(labels);
    keep(text.slice(end + 2));
  }

  return {
    rows,
    droppedLabels,
    get droppedPoints() {
      return droppedPoints;
    },
    write(text) {
      parts.push(text);
      length += text.length;
      if (!isWhole && length >= readAt) readRows();
    },
    end: () => (head?.text ?? '') + pending(),
  };
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text of the syntax error quotes the body.
    throw malformed('the answer is not JSON');
  }
}
