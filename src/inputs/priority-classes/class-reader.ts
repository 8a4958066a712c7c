import { describeError } from '../../foundation/errors.ts';
import { getJson, KubernetesApiError } from './api-request.ts';
import type { ApiServer } from './api-server.ts';
import { parseClassList } from './class-list.ts';

/** What is known of the PriorityClasses at one refresh. */
export interface PriorityClasses {
  /** Values by class name. */
  readonly values: ReadonlyMap<string, number>;
  /** Why the API was not read; undefined where it was, or was not to be. */
  readonly failure: KubernetesApiError | undefined;
}

/** Reads the PriorityClasses when they are due. */
export interface PriorityClassReader {
  /** Never rejects: without an answer, what was known before stays, and the failure is told. */
  read(nowMs: number, signal?: AbortSignal): Promise<PriorityClasses>;
}

export interface PriorityClassReaderDeps {
  /** undefined = this process is not a pod. */
  readonly server: ApiServer | undefined;
  /** Values from the settings, for classes the API does not have, such as those of other clusters. */
  readonly configured: ReadonlyMap<string, number>;
  readonly timeoutMs?: number;
}

const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
/** Classes hardly change, and a value cannot be changed at all; only a class that is new waits for this long. */
const rereadMs = 300_000;
/** Some hundred bytes a class, managed fields included. */
const maxBodyBytes = 16 * 1024 * 1024;

/** The classes of the settings alone. */
export function configuredClasses(configured: ReadonlyMap<string, number>): PriorityClassReader {
  return { read: async () => ({ values: configured, failure: undefined }) };
}

/** Lists the PriorityClasses of the cluster this process runs in. What the API says goes before the settings. */
export function createPriorityClassReader(deps: PriorityClassReaderDeps): PriorityClassReader {
  const { server, configured, timeoutMs = 5_000 } = deps;
  let values = configured;
  let readAtMs: number | undefined;

  async function list(signal: AbortSignal | undefined): Promise<ReadonlyMap<string, number>> {
    if (server === undefined) {
      throw new KubernetesApiError('there is no Kubernetes API to ask, since this is not a pod', {
        remedy: 'set --kubernetes.priority-classes=false, and --priority-classes instead',
      });
    }
    return parseClassList(await getJson({ server, path, timeoutMs, maxBodyBytes, signal }));
  }

  return {
    async read(nowMs, signal) {
      // A clock that was set back must not keep the old values for ever.
      const isFresh = readAtMs !== undefined && nowMs >= readAtMs && nowMs < readAtMs + rereadMs;
      if (isFresh) return { values, failure: undefined };
      try {
        values = new Map([...configured, ...(await list(signal))]);
        readAtMs = nowMs;
        return { values, failure: undefined };
      } catch (error) {
        const failure =
          error instanceof KubernetesApiError ? error : new KubernetesApiError(describeError(error));
        return { values, failure };
      }
    },
  };
}
