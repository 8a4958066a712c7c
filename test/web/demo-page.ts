import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import { buildDemoCluster } from '../../src/demo/cluster/demo-cluster.ts';
import { hourMs, minuteMs } from '../../src/demo/cluster/units.ts';
import { startPrometheusWith } from '../support/prometheus.ts';
import { startTestService, type TestService } from '../support/service.ts';

/**
 * The built service on a small demo cluster in a real Prometheus: all case nodes, few ordinary pods, the last hours.
 * It refreshes once; nothing moves during the tests.
 */
export async function startDemoService(): Promise<{ readonly service: TestService; stop(): Promise<void> }> {
  const cluster = buildDemoCluster({ nowMs: Date.now(), nodes: 16, pods: 1 });
  const classes = Object.entries(cluster.priorityClasses).map(([name, value]) => `${name}=${value}`);
  const { nowMs } = cluster;
  const prometheus = await startPrometheusWith(
    seriesOf(cluster, { startMs: nowMs - 3 * hourMs, endMs: nowMs, usageStepMs: 2 * minuteMs }),
  );
  try {
    const service = await startTestService(prometheus.url, {
      flags: [`--priority-classes=${classes.join(',')}`, '--window.duration=2h', '--refresh.interval=30m'],
    });
    return {
      service,
      async stop() {
        await service.stop();
        await prometheus.stop();
      },
    };
  } catch (error) {
    await prometheus.stop();
    throw error;
  }
}
