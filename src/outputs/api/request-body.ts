import express, { type RequestHandler } from 'express';
import type { z } from 'zod';
import { HttpProblem } from './problem-details.ts';

/** Largest body: a scenario of 1000 pods, or a log line of 250, with room to spare. */
const LARGEST_BODY_BYTES = 256 * 1024;

const readJson = express.json({ limit: LARGEST_BODY_BYTES });

/** Reads a JSON body of bounded size. Answers 400, 413 or 415 where it cannot. */
export const jsonBody: RequestHandler = (request, response, next) => {
  if (request.is('application/json') === false) {
    next(new HttpProblem(415, 'Unsupported media type', 'send the body as application/json'));
    return;
  }
  void readJson(request, response, (error?: unknown) =>
    next(error === undefined ? undefined : bodyProblem(error)),
  );
};

/** @throws HttpProblem 400 naming every field that is wrong. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  if (body === undefined) throw new HttpProblem(400, 'Bad body', 'a JSON body is needed');
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const detail = parsed.error.issues
    .map(({ path, message }) => `${path.map(String).join('.') || 'body'}: ${message}`)
    .join('; ');
  throw new HttpProblem(400, 'Bad body', detail);
}

const problemsByType: Readonly<Record<string, HttpProblem>> = {
  'entity.too.large': new HttpProblem(
    413,
    'Body too large',
    `the body may have at most ${LARGEST_BODY_BYTES} bytes`,
  ),
  'entity.parse.failed': new HttpProblem(
    400,
    'Bad body',
    'the body is not JSON, or neither an object nor a list',
  ),
  'encoding.unsupported': new HttpProblem(415, 'Unsupported encoding', 'send the body plain or with gzip'),
  'charset.unsupported': new HttpProblem(415, 'Unsupported charset', 'send the body in UTF-8'),
};

/** What the body parser says by a type of its own (http-errors of body-parser). */
function bodyProblem(error: unknown): unknown {
  const type = (error as { type?: unknown }).type;
  return typeof type === 'string' ? (problemsByType[type] ?? error) : error;
}
