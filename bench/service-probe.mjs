// Loaded into the measured service (`node --import`): tells, on a port of its own, how late the event loop of the
// thread that serves runs, and what the process has used. Nothing of it is in the service itself.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const resolutionMs = 5;
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // The timer that measures fires every `resolutionMs`; what it is late by is the delay.
  const lateMs = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  createServer((request, response) => {
    if (request.url === '/reset') delay.reset();
    const { rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    response.end(
      JSON.stringify({
        loopDelayMs: {
          p50: lateMs(delay.percentile(50)),
          p99: lateMs(delay.percentile(99)),
          max: lateMs(delay.max),
        },
        rssBytes: rss,
        maxRssBytes: process.resourceUsage().maxRSS * 1024,
        cpuSeconds: (user + system) / 1e6,
      }),
    );
  })
    .listen(Number(process.env.BENCH_PROBE_PORT), '127.0.0.1')
    .unref();
}
