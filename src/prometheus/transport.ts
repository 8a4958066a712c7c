import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import axios, { type AxiosResponse } from 'axios';
import type { Clock } from '../foundation/clock.ts';
import { createAgentPool } from './agents.ts';
import { type BodyReader, createTextReader } from './answer-reader.ts';
import { classifyNetworkError } from './classification.ts';
import { type ConnectionSettings, parseUrl } from './connection.ts';
import { FailureSignal } from './failures.ts';
import type { HttpAnswer } from './response.ts';
import { parseRetryAfter } from './retry.ts';

export interface HttpRequest {
  readonly url: string;
  readonly form: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Takes the body of a 200; what it leaves is the body of the answer. */
  readonly reader: BodyReader;
}

export interface Transport {
  /** Signals the failure of the network or the body; an HTTP error status is an answer. */
  post(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

/** More of an error page than this explains nothing. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** Reads up to `maxBytes` after decompression; beyond, the connection is given up and `too_large` signaled. */
async function readBody(body: Readable, maxBytes: number, reader: BodyReader): Promise<string> {
  const decoder = new StringDecoder('utf8');
  let size = 0;
  // Leaving the loop early destroys the stream and with it the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new FailureSignal({ kind: 'too_large', detail: `the answer is larger than ${maxBytes} bytes` });
    }
    reader.write(decoder.write(chunk));
  }
  reader.write(decoder.end());
  return reader.end();
}

/** The text of an error, or nothing if it is too long to be one. */
async function readErrorBody(body: Readable, maxBytes: number): Promise<string> {
  try {
    return await readBody(body, maxBytes, createTextReader());
  } catch (error) {
    if (error instanceof FailureSignal) return '';
    throw error;
  }
}

function readHeader(response: AxiosResponse<Readable>, name: string): string | undefined {
  const value: unknown = response.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** The one place that speaks HTTP. No error of axios leaves it: they hold the request with its credentials. */
export function createTransport(settings: ConnectionSettings, clock: Clock): Transport {
  const agents = createAgentPool({
    tls: parseUrl(settings.url)?.protocol === 'https:' ? settings.tls : undefined,
    maxSockets: settings.concurrency,
  });
  const http = axios.create({
    adapter: 'http',
    method: 'POST',
    responseType: 'stream',
    // A redirect could carry the credentials to another host.
    maxRedirects: 0,
    validateStatus: () => true,
    ...(settings.proxyFromEnvironment !== true && { proxy: false as const }),
    headers: {
      Accept: 'application/json',
      'Accept-Encoding': 'gzip',
      'Content-Type': 'application/x-www-form-urlencoded',
      'User-Agent': 'evictrank',
    },
  });

  return {
    async post({ url, form, headers, signal, reader }) {
      const connection = await agents.current();
      try {
        const response: AxiosResponse<Readable> = await http.request({
          url,
          data: form.toString(),
          headers: { ...headers },
          signal,
          ...connection,
        });
        // Before the body, which may take its time.
        const dateMs = Date.parse(readHeader(response, 'date') ?? '');
        const clockAheadMs = Number.isNaN(dateMs) ? undefined : clock() - dateMs;
        const body =
          response.status === 200
            ? await readBody(response.data, settings.maxBodyBytes, reader)
            : await readErrorBody(response.data, Math.min(MAX_ERROR_BODY_BYTES, settings.maxBodyBytes));
        return {
          status: response.status,
          body,
          location: readHeader(response, 'location'),
          retryAfterMs: parseRetryAfter(readHeader(response, 'retry-after'), clock),
          clockAheadMs,
        };
      } catch (error) {
        throw error instanceof FailureSignal ? error : new FailureSignal(classifyNetworkError(error));
      }
    },
    close: () => agents.close(),
  };
}
