import type { ProblemDetails } from '../../outputs/api/problem-details.ts';

/** The service answered that it cannot, and says why. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: ProblemDetails;

  constructor(problem: ProblemDetails) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Nobody answered: the service is being restarted, or the network is gone. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

const timeoutMs = 30_000;

/** Path below the page's own address, without a leading slash. @throws ProblemError, UnreachableError */
export async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  init.signal?.addEventListener('abort', () => ending.abort());
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, { ...init, signal: ending.signal });
    text = await response.text();
  } catch (cause) {
    throw new UnreachableError('the service does not answer', { cause });
  } finally {
    clearTimeout(timer);
  }
  if (response.ok) return JSON.parse(text) as T;
  throw new ProblemError(readProblem(response, text));
}

export function post<T>(path: string, body: unknown): Promise<T> {
  return request<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** A proxy in between may answer with a page of its own. */
function readProblem(response: Response, text: string): ProblemDetails {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  if (isProblem) return JSON.parse(text) as ProblemDetails;
  return {
    status: response.status,
    title: 'No good answer',
    detail: `the service, or a proxy before it, answered ${response.status} ${response.statusText}`.trim(),
  };
}
