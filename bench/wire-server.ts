import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { makeCluster } from './cluster.ts';
import { matrixBody, ruleFor, vectorBody, type WireRule, wireRules } from './wire-answers.ts';

/** Answers to instant queries are made this often in advance, for different times, and sent in turn. */
const variants = 3;

/**
 * A process that answers the queries of a refresh as a Prometheus with a cluster of the given size would: the same JSON,
 * packed where the client accepts it. Answers of instant queries are made in advance, so that they cost no time while a
 * refresh is measured; their points carry the time at which they were made. `--port N --pods N --nodes N`.
 */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { port: text, pods: text, nodes: text } });
  const cluster = makeCluster({ pods: Number(values.pods), nodes: Number(values.nodes) });
  const prepared = new Map<WireRule, readonly Buffer[]>();
  const startedMs = Date.now();
  for (const rule of wireRules) {
    const bodies: Buffer[] = [];
    for (let i = 0; i < variants; i++) {
      const timeMs = startedMs + i * 60_000;
      bodies.push(await packed(vectorBody(rule.rows(cluster, timeMs), timeMs)));
    }
    prepared.set(rule, bodies);
  }
  const empty = await packed(vectorBody([], startedMs));
  let turn = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.end('ready');
      return;
    }
    const form = new URLSearchParams(await bodyOf(request));
    const query = form.get('query') ?? '';
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Encoding', 'gzip');
    if (request.url === '/api/v1/query_range') {
      const [startMs, endMs] = ['start', 'end'].map((name) => Number(form.get(name)) * 1000);
      const pieces = matrixBody(cluster, { startMs: startMs ?? 0, endMs: endMs ?? 0 });
      await pipeline(Readable.from(pieces), createGzip({ level: 1 }), response);
      return;
    }
    const rule = ruleFor(query);
    const bodies = rule === undefined ? [empty] : (prepared.get(rule) ?? []);
    response.end(bodies[turn++ % bodies.length]);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(Number(values.port), '127.0.0.1');
}

async function packed(pieces: Iterable<string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of Readable.from(pieces).pipe(createGzip({ level: 1 })))
    chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  return text;
}
