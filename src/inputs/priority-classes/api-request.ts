import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { EvictrankError } from '../../foundation/errors.ts';
import type { ApiServer } from './api-server.ts';

/** The Kubernetes API gave no answer that can be used. Never holds the token, nor the body of an answer. */
export class KubernetesApiError extends EvictrankError {
  override readonly name = 'KubernetesApiError';
}

export interface ApiRequest {
  readonly server: ApiServer;
  /** With the leading slash. */
  readonly path: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The JSON that a GET answers.
 * @throws KubernetesApiError
 */
export async function getJson(call: ApiRequest): Promise<unknown> {
  const { server, timeoutMs, signal } = call;
  const timeout = AbortSignal.timeout(timeoutMs);
  const [token, ca] = await Promise.all([
    readServiceAccountFile(server.tokenFile),
    readServiceAccountFile(server.caFile),
  ]);
  const until = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const body = await get({ ...call, token: token.trim(), ca, until }).catch((error: unknown) => {
    if (error instanceof KubernetesApiError) throw error;
    const why = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : codeOf(error);
    throw new KubernetesApiError(`the Kubernetes API at ${server.url} cannot be reached (${why})`, {
      remedy: 'allow egress to the API server',
    });
  });
  try {
    return JSON.parse(body);
  } catch {
    throw new KubernetesApiError(
      `the Kubernetes API at ${server.url} answered with something else than JSON`,
    );
  }
}

async function readServiceAccountFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new KubernetesApiError(`the service account file ${path} cannot be read (${codeOf(error)})`, {
      remedy: 'set automountServiceAccountToken: true on the pod',
    });
  }
}

interface Get extends ApiRequest {
  readonly token: string;
  readonly ca: string;
  readonly until: AbortSignal;
}

function get({ server, path, token, ca, until, maxBodyBytes }: Get): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    // One request every few minutes: a connection of its own leaves nothing open at the end.
    const call = request(`${server.url}${path}`, { headers, ca, signal: until, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode !== 200) {
        response.resume();
        reject(refusal(server, path, statusCode));
        return;
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > maxBodyBytes) {
          call.destroy();
          reject(
            new KubernetesApiError(`the answer of the Kubernetes API is larger than ${maxBodyBytes} bytes`),
          );
        }
      });
      response.on('error', reject);
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    });
    call.on('error', reject);
    call.end();
  });
}

/** What an operator can do about a status. */
const remedies: Readonly<Record<number, string>> = {
  401: 'check that the service account still exists: its token is not accepted',
  403: 'bind the service account to a ClusterRole that may list priorityclasses of scheduling.k8s.io',
};

function refusal({ url }: ApiServer, path: string, status: number): KubernetesApiError {
  const remedy = remedies[status];
  return new KubernetesApiError(
    `the Kubernetes API at ${url} answered ${status} to GET ${path}`,
    remedy === undefined ? {} : { remedy },
  );
}

/** Only the code: messages of the TLS and HTTP layers may repeat what was sent. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
