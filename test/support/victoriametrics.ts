import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildServer, startChildServer } from '../../src/demo/child-server.ts';
import { findFreePort } from '../../src/demo/loopback.ts';
import { remoteWrite, type WrittenSeries } from '../../src/demo/remote-write.ts';
import { findTool } from '../../src/demo/tool-search.ts';

/** A real VictoriaMetrics that holds exactly the given series. Stop it in `afterAll`. */
export async function startVictoriaMetricsWith(
  series: Iterable<WrittenSeries>,
  flags: readonly string[] = [],
): Promise<ChildServer & { readonly url: string }> {
  const program = findTool('victoriaMetrics');
  if (program === undefined) throw new Error('VictoriaMetrics is missing: apt-get install victoria-metrics');
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-victoria-'));
  const address = `127.0.0.1:${await findFreePort()}`;
  const url = `http://${address}`;
  const server = await startChildServer({
    name: 'VictoriaMetrics',
    command: program,
    args: [
      `-storageDataPath=${folder}`,
      `-httpListenAddr=${address}`,
      // By default what was written in the last 30 s is not answered, so that late samples cannot change an answer.
      '-search.latencyOffset=0s',
      // Of series that several exporters write, none may be thinned out.
      '-dedup.minScrapeInterval=0s',
      ...flags,
    ],
    readyUrl: `${url}/health`,
    folder,
  });
  try {
    await remoteWrite(series, { url });
    // Samples can be found only once they have left the buffers.
    await fetch(`${url}/internal/force_flush`);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, url };
}
