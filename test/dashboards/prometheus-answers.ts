/** One series of an answer: its labels and, for an instant query, one sample. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [seconds: number, value: number])[];
}

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value?: readonly [number, string];
      readonly values?: readonly (readonly [number, string])[];
    }[];
  };
}

async function ask(url: string, path: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/${path}`, { method: 'POST', body: new URLSearchParams(form) });
  const answer = (await response.json()) as Answer;
  if (answer.status !== 'success') throw new Error(`${answer.error}: ${form.query}`);
  return answer;
}

function seriesOf(answer: Answer): Series[] {
  return answer.data.result.map(({ metric, value, values }) => ({
    metric,
    samples: (values ?? (value === undefined ? [] : [value])).map(([at, text]) => [at, Number(text)]),
  }));
}

export async function queryInstant(url: string, query: string, atSeconds: number): Promise<Series[]> {
  return seriesOf(await ask(url, 'query', { query, time: String(atSeconds) }));
}

export interface Range {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly stepSeconds: number;
}

export async function queryRange(url: string, query: string, range: Range): Promise<Series[]> {
  return seriesOf(
    await ask(url, 'query_range', {
      query,
      start: String(range.startSeconds),
      end: String(range.endSeconds),
      step: String(range.stepSeconds),
    }),
  );
}

/** Values of a label over the series of a selector, as a variable query asks for them. */
export async function labelValues(
  url: string,
  selector: string,
  label: string,
  range: Range,
): Promise<string[]> {
  const parameters = new URLSearchParams({
    'match[]': selector,
    start: String(range.startSeconds),
    end: String(range.endSeconds),
  });
  const response = await fetch(`${url}/api/v1/label/${label}/values?${parameters}`);
  const answer = (await response.json()) as { status: string; error?: string; data: string[] };
  if (answer.status !== 'success') throw new Error(`${answer.error}: ${selector}`);
  return answer.data;
}
