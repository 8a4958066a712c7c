import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChildServer } from '../../src/demo/child-server.ts';
import { findFreePort } from '../../src/demo/loopback.ts';
import { remoteWrite, type WrittenSeries } from '../../src/demo/remote-write.ts';

const command = '/usr/bin/victoria-metrics';

export const hasVictoriaMetrics = existsSync(command);

/** A real VictoriaMetrics that holds exactly the given series. Its range selectors are open on the left, as those of Prometheus 3. */
export async function startVictoriaMetricsWith(series: Iterable<WrittenSeries>) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-victoriametrics-'));
  const server = await startChildServer({
    name: 'VictoriaMetrics',
    command,
    args: [
      `-httpListenAddr=127.0.0.1:${port}`,
      `-storageDataPath=${join(folder, 'data')}`,
      '-retentionPeriod=1y',
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
  return { url, stop: server.stop };
}
