import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { TlsSettings } from './connection.ts';
import { readSettingFile } from './credentials.ts';

export interface Agents {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

/** Keeps connections between queries, and replaces them when a certificate file changed. */
export interface AgentPool {
  /** Signals `unreadable_file`. */
  current(): Promise<Agents>;
  /** Ends every connection. */
  close(): void;
}

/**
 * Shorter than the idle limits of load balancers (60 s is common): a connection closed by the other side at the
 * moment it is used again costs a retry, a new one in each refresh costs nothing that counts.
 */
const IDLE_TIMEOUT_MS = 30_000;

interface TlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

async function readTlsFiles({ caFile, certFile, keyFile }: TlsSettings): Promise<TlsFiles> {
  return {
    ...(caFile !== undefined && { ca: await readSettingFile(caFile, 'CA file') }),
    ...(certFile !== undefined && { cert: await readSettingFile(certFile, 'client certificate') }),
    ...(keyFile !== undefined && { key: await readSettingFile(keyFile, 'client key') }),
  };
}

function fingerprint({ ca, cert, key }: TlsFiles): string {
  return [ca, cert, key].map((file) => file?.toString('base64') ?? '').join('|');
}

export function createAgentPool(settings: { tls: TlsSettings | undefined; maxSockets: number }): AgentPool {
  const { tls = {}, maxSockets } = settings;
  const common = { keepAlive: true, maxSockets, timeout: IDLE_TIMEOUT_MS };
  const httpAgent = new HttpAgent(common);
  const open = new Set<HttpAgent>([httpAgent]);
  let latest: { readonly fingerprint: string; readonly agent: HttpsAgent } | undefined;

  const retire = (agent: HttpsAgent): void => {
    // Queries under way may end on the old certificate; its idle connections must not serve another one.
    for (const sockets of Object.values(agent.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  };

  return {
    async current() {
      const files = await readTlsFiles(tls);
      const wanted = fingerprint(files);
      if (latest?.fingerprint !== wanted) {
        if (latest !== undefined) retire(latest.agent);
        const agent = new HttpsAgent({
          ...common,
          ...files,
          ...(tls.serverName !== undefined && { servername: tls.serverName }),
          rejectUnauthorized: tls.insecureSkipVerify !== true,
        });
        open.add(agent);
        latest = { fingerprint: wanted, agent };
      }
      return { httpAgent, httpsAgent: latest.agent };
    },
    close() {
      for (const agent of open) agent.destroy();
      open.clear();
    },
  };
}
