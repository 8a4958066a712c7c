import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type ChildServer, startChildServer } from './child-server.ts';
import { findFreePort } from './loopback.ts';

export interface AlertmanagerServer extends ChildServer {
  /** Base address without a trailing slash. */
  readonly url: string;
  /** host:port, as the configuration of Prometheus names it. */
  readonly address: string;
}

/** It keeps what it receives and tells nobody: whoever wants to see asks its API or its page. */
const config = { route: { receiver: 'nobody' }, receivers: [{ name: 'nobody' }] };

/** Starts an Alertmanager on a free loopback port, without a cluster of its own, with a folder of its own. */
export async function startAlertmanager(program: string): Promise<AlertmanagerServer> {
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-alertmanager-'));
  const configFile = join(folder, 'alertmanager.yml');
  await writeFile(configFile, stringify(config));
  const address = `127.0.0.1:${await findFreePort()}`;
  const url = `http://${address}`;
  const server = await startChildServer({
    name: 'Alertmanager',
    command: program,
    args: [
      `--config.file=${configFile}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      // Empty: no gossip, so nothing but the web address is listened on.
      '--cluster.listen-address=',
    ],
    readyUrl: `${url}/-/ready`,
    folder,
  });
  return { ...server, url, address };
}
