import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Logger } from '../../foundation/logger.ts';

/** RFC 9457 problem details. */
export interface ProblemDetails {
  readonly title: string;
  readonly detail: string;
  readonly status: number;
}

/** Thrown by handlers; the one error handler below turns it into an answer. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly problem: ProblemDetails;

  constructor(status: number, title: string, detail: string) {
    super(detail);
    this.problem = { title, status, detail };
  }
}

export const notFound: RequestHandler = (request) => {
  throw new HttpProblem(404, 'Not found', `there is nothing at ${request.path}; see /openapi.json`);
};

/** Errors become HTTP here and nowhere else. What went wrong inside is logged, not shown. */
export function problemHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response: Response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const { problem } = toHttpProblem(error);
    if (problem.status >= 500 && !(error instanceof HttpProblem)) {
      logger.error({ path: request.path, error: String(error) }, 'request failed');
    }
    // They are those of the answer that could not be given.
    response.removeHeader('ETag');
    response.removeHeader('Cache-Control');
    response.status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  };
}

function toHttpProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  // Errors of the body parser and of the router carry the status they mean.
  const status = Number((error as { status?: unknown } | undefined)?.status);
  if (status >= 400 && status < 500) {
    return new HttpProblem(status, 'Bad request', 'the request could not be read');
  }
  return new HttpProblem(500, 'Internal error', 'the request failed; the log of the service says why');
}
