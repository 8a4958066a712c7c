// The table of docs/comparison.md: what the published formulas of other projects recommend for workloads of the demo.
//   npm run demo                                        (in another terminal; prints the address of Prometheus)
//   node dist/main.js review --prometheus.url=URL --output json > review.json
//   node scripts/compare-formulas.mjs URL review.json
import { readFileSync } from 'node:fs';

const [url, reviewFile] = process.argv.slice(2);
const review = JSON.parse(readFileSync(reviewFile, 'utf8'));
const evaluatedAt = Date.parse(review.evaluatedAt) / 1000;
const days = 7;
const mebibyte = 1_048_576;

const names = [
  'shop/catalog',
  'analytics/report-builder',
  'analytics/warehouse',
  'shop/checkout',
  'analytics/cube-refresh',
  'media/transcoder',
  'search/indexer',
  'shop/storefront',
  'shop/cart',
  'shop/recommendations',
  'ci/preview-412',
  'tools/link-checker',
];

async function query(expression, time = evaluatedAt) {
  const body = new URLSearchParams({ query: expression, time: String(time) });
  const answer = await (await fetch(`${url}/api/v1/query`, { method: 'POST', body })).json();
  if (answer.status !== 'success') throw new Error(answer.error);
  return answer.data.result.map(({ metric, value }) => ({ ...metric, bytes: Number(value[1]) }));
}

/** KRR `simple`: robusta_krr/strategies/simple.py, and memory_min_value of robusta_krr/core/models/config.py. */
function krrSimple(peakBytes) {
  return Math.max(peakBytes * 1.15, 100 * mebibyte);
}

/** End of the histogram bucket a value falls into: the first is 10 MB wide, each next one 5 % wider. */
function bucketEnd(bytes) {
  let [end, width] = [1e7, 1e7];
  while (bytes >= end) {
    width *= 1.05;
    end += width;
  }
  return end;
}

/** Peaks of days, each half as heavy as those of the day after it: aggregations_config.go, util/histogram.go. */
function decayingPercentile(samples, share) {
  const sorted = samples.toSorted((a, b) => a.bytes - b.bytes);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  const found = sorted.find(({ weight }) => {
    sum += weight;
    return sum >= share * total;
  });
  return bucketEnd(found.bytes);
}

async function dailyPeaks(selector, killed) {
  const samples = [];
  for (let day = 0; day < days; day++) {
    const time = evaluatedAt - day * 86_400;
    const peaks = await query(`max by (pod) (max_over_time(${selector}[1d]))`, time);
    const kills = await query(
      `max by (pod) (max_over_time(kube_pod_container_status_restarts_total{${killed}}[1d]) - min_over_time(kube_pod_container_status_restarts_total{${killed}}[1d])) > 0 and on (pod) max by (pod) (max_over_time(kube_pod_container_status_last_terminated_reason{${killed},reason="OOMKilled"}[1d]))`,
      time,
    );
    for (const { pod, bytes } of peaks) {
      const isKilled = kills.some((kill) => kill.pod === pod);
      // RecordOOM of model/container.go: 20 % more, and 100 MiB at least.
      const needed = isKilled ? Math.max(bytes * 1.2, bytes + 100 * mebibyte) : bytes;
      samples.push({ bytes: needed, weight: 2 ** -day });
    }
  }
  return samples;
}

console.log('| workload | request | peak | evictrank | KRR simple | VPA target | Goldilocks Burstable |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const name of names) {
  const own = review.workloads.find((one) => `${one.namespace}/${one.workload}` === name);
  const pods = `namespace="${own.namespace}",pod=~"${own.workload}-.*"`;
  const containers = await query(
    `max by (container) (max_over_time(container_memory_working_set_bytes{${pods},container!=""}[${days}d]))`,
  );
  const sums = { krr: 0, target: 0, lower: 0 };
  for (const { container, bytes } of containers) {
    const samples = await dailyPeaks(
      `container_memory_working_set_bytes{${pods},container="${container}"}`,
      `${pods},container="${container}"`,
    );
    // The smallest recommendation is shared by the containers of a pod (logic/recommender.go).
    const floor = (250 * mebibyte) / containers.length;
    sums.krr += krrSimple(bytes);
    sums.target += Math.max(decayingPercentile(samples, 0.9) * 1.15, floor);
    sums.lower += Math.max(decayingPercentile(samples, 0.5) * 1.15, floor);
  }
  const mi = (bytes) => (bytes === null ? 'none' : `${Math.ceil(bytes / mebibyte)}Mi`);
  const recommended =
    own.recommendedRequestBytes === null ? `none: ${own.noRecommendation}` : mi(own.recommendedRequestBytes);
  console.log(
    `| \`${name}\` | ${mi(own.requestBytes)} | ${mi(own.peakBytes)} | ${recommended} | ${mi(sums.krr)} | ${mi(sums.target)} | ${mi(sums.lower)} |`,
  );
}
