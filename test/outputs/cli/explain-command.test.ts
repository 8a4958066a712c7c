import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from './command-run.ts';
import { seedFiles, temporaryFolder } from './seed-files.ts';

const ESCAPE = '\u001B';

describe('evictrank explain', () => {
  test('says of a pod of the worked example where it stands, why, and what would change that', async () => {
    const { exitCode, output, notes } = await runCommand([
      'explain',
      'ingress/ingress-nginx',
      ...seedFiles(),
    ]);
    expect(exitCode).toBe(0);
    expect(notes).toBe('');
    expect(output).toMatchInlineSnapshot(`
      "ingress/ingress-nginx
      Second of 6 on ip-10-0-1-8: it uses 524Mi more than the 256Mi it requests; before it goes 1 pod over
      its request with a lower priority.

      Where it stands
        - Now: 2nd of 6, among the pods that use more than they request, which go early; it uses 780Mi,
          524Mi above its request, priority 1000.
        - With every pod at its peak: 2nd of 6, among the pods that use more than they request, which go
          early; it uses 780Mi, 524Mi above its request, priority 1000.
        - Distance: The node can lose another 1634Mi of free memory before the kubelet takes this pod: the
          node has 1334Mi above its eviction threshold now, and the pod before it would give back 300Mi.

      Why there and not elsewhere
        - logging/log-shipper goes before ingress/ingress-nginx: both use more than they request, so the
          priority decides: that of logging/log-shipper is lower (0 against 1000).
        - ingress/ingress-nginx goes before batch/batch-import: ingress/ingress-nginx uses more memory
          than it requests, batch/batch-import does not.

      What would change that
        - A memory request of 780Mi would cover what it uses now: it would be 5th of 6, or later with a
          larger one.

        WITH PRIORITY CLASS  PRIORITY  PLACE NOW  ALL AT PEAK
        (none)                    500  2nd of 6   2nd of 6
        (none)                      0  1st of 6   1st of 6
        (none)                   -100  1st of 6   1st of 6

      Its containers (request / limit)
        CONTAINER   KIND  CPU       MEMORY     OOM_SCORE_ADJ  LAST END
        controller  main  100m / -  256Mi / -            963

      QoS class Burstable
        - Some cpu or memory request or limit is set, but not every limit is set and equal to its request.
        - controller: cpu request 100m, but no limit. To be Guaranteed: controller: set the cpu limit to
          the request, 100m.
        - controller: memory request 256Mi, but no limit. To be Guaranteed: controller: set the memory
          limit to the request, 256Mi.

      The kernel's out-of-memory (OOM) killer
        - The kernel kills its containers after those of BestEffort pods; the more one requests, the
          later. The higher the oom_score_adj of a container, from -997 to 1000, the sooner it goes. This
          is the kernel's order and not the kubelet's: it counts when a container passes its own limit, or
          when memory runs out faster than the kubelet can evict.

      Memory QoS
        A feature of the kubelet that is off by default. With memoryThrottlingFactor 0.9 and
        memoryReservationPolicy TieredReservation it would tell the kernel:
        - the pod: take back 256Mi last (memory.low)
        - controller: take back 256Mi last (memory.low), slow it down above 5555Mi (memory.high)
        - all pods (kubepods): never take back 5248Mi (memory.min), take back 4224Mi last (memory.low)
        - all Burstable pods: take back 4224Mi last (memory.low)

      Mind that
        - Nothing is known of the past, so the peak of each pod is what it uses now.

      How the kubelet chooses
        When a node runs short of memory, its kubelet (the agent on the node) evicts one pod after another
        until enough is free. It asks three things of every pod, and the first one that differs decides:
        does the pod use more memory than it requests (such pods go first); its priority (the lower goes
        first); the amount of its usage minus its request (the larger goes first, and below the request
        the one that is closest to it). The QoS class plays no part in it.
        The request is the memory that is reserved for a pod by its manifest, the usage what it has in use
        (its working set), and the priority the number of its PriorityClass, 0 without one.
      "
    `);
  });

  test('takes the name alone where it is in one namespace only, and speaks JSON as the API does', async () => {
    const files = seedFiles();
    const { exitCode, output } = await runCommand(['explain', 'api-7d9f', ...files, '--output', 'json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      namespace: 'prod',
      pod: 'api-7d9f',
      now: { rank: 4, group: 'within_request' },
      explanation: {
        summary: expect.stringMatching(/^Fourth of 6 on ip-10-0-1-8: it is under its request/),
        resources: {
          qos: { qosClass: 'Guaranteed', reported: 'Guaranteed', difference: null, findings: [] },
          containers: [{ name: 'api', oomScoreAdj: -997, lastTerminatedReason: null }],
          memoryQos: { settings: { throttlingFactor: 0.9, reservationPolicy: 'TieredReservation' } },
        },
      },
    });
  });

  test('takes Memory QoS from a KubeletConfiguration, and warns of thresholds that are off', async () => {
    const file = join(temporaryFolder(), 'kubelet.yaml');
    writeFileSync(
      file,
      'kind: KubeletConfiguration\nevictionHard:\n  memory.available: 500Mi\nmemoryThrottlingFactor: 0.5\n',
    );
    const files = seedFiles();
    const run = await runCommand([
      'explain',
      'ingress-nginx',
      ...files,
      '--kubelet-config',
      file,
      '--output',
      'json',
    ]);
    expect(run.notes).toContain('evictionHard is set, which');
    expect(JSON.parse(run.output)).toMatchObject({
      explanation: {
        resources: {
          memoryQos: {
            settings: { throttlingFactor: 0.5, reservationPolicy: 'None' },
            // 256Mi + half of the way to the 6Gi that pods may use on the node.
            containers: [{ highBytes: 256 * 2 ** 20 + (6 * 2 ** 30 - 256 * 2 ** 20) / 2 }],
          },
        },
      },
    });
  });

  test('says what is wrong, and ends with 1 where the data have no such pod, with 2 for bad usage', async () => {
    const files = seedFiles();
    const cases: readonly [words: string[], exitCode: number, note: string][] = [
      [['explain', 'prod/nobody', ...files], 1, 'there is no pod prod/nobody among those that run'],
      [['explain', ...files], 2, "missing required argument 'NAMESPACE/NAME'"],
      [['explain', 'prod/api-7d9f'], 2, 'no source: give --prometheus.url URL'],
      [['explain', 'prod/api-7d9f', ...files, '--output', 'xml'], 2, 'Allowed choices are table, json'],
      [['explain', 'prod/api-7d9f', ...files, '--kubelet-config', '/nowhere'], 1, 'cannot be read (ENOENT)'],
    ];
    for (const [words, exitCode, note] of cases) {
      const run = await runCommand(words);
      expect(run.notes, words.join(' ')).toContain(note);
      expect(run.exitCode, words.join(' ')).toBe(exitCode);
      expect(run.output).toBe('');
    }
  });

  test('keeps to the width of the terminal, in colours only where a person looks and NO_COLOR does not forbid it', async () => {
    const words = ['explain', 'ingress-nginx', ...seedFiles()];
    const narrow = await runCommand(words, { columns: 60 });
    expect(Math.max(...narrow.output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(62);
    expect(narrow.output).not.toContain(ESCAPE);
    expect((await runCommand(words, { isTerminal: true })).output).toContain(ESCAPE);
    expect(
      (await runCommand(words, { isTerminal: true, environment: { NO_COLOR: '1' } })).output,
    ).not.toContain(ESCAPE);
  });
});

const message =
  'The node was low on resource: memory. Threshold quantity: 100Mi, available: 84Mi. Container api was using 1408Mi, request is 1Gi, has larger consumption of memory. ';
const line =
  '"Eviction manager: pods ranked for eviction" pods=["ingress/ingress-nginx","logging/log-shipper","batch/batch-import"]';

describe('evictrank explain-message', () => {
  test('explains a message without any source, even where the environment names a Prometheus', async () => {
    const environment = { EVICTRANK_PROMETHEUS_URL: 'http://127.0.0.1:1' };
    const { exitCode, output } = await runCommand(['explain-message', message], { environment });
    expect(exitCode).toBe(0);
    expect(output).toMatchInlineSnapshot(`
      "Evicted because the node ran low on memory: 84Mi available, below the threshold of 100Mi.

      Why this pod
        - It used more than it requested, and such pods go first.
        - api used 1408Mi with a request of 1Gi, which put the pod in the first group.

      What would have helped
        - Request at least 1408Mi of memory for api, or make it use less.

      Mind that
        - The message compares each container with its own request, the kubelet's order compares the whole
          pod: a pod within its request may be listed here for one container.
      "
    `);
  });

  test('compares a logged order with the ranking of a source', async () => {
    const { exitCode, output } = await runCommand([
      'explain-message',
      line,
      ...seedFiles(),
      '--output',
      'json',
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      kind: 'ranked_pods',
      comparison: {
        node: 'ip-10-0-1-8',
        agreed: 0,
        parting: {
          place: 1,
          kubelet: { pod: 'ingress-nginx' },
          ours: { pod: 'log-shipper' },
          decidedBy: 'priority',
        },
        onlyRanked: ['prod/api-7d9f', 'monitoring/metrics-agent', 'data/redis-cache'],
      },
    });
  });

  test('refuses what it cannot explain', async () => {
    const cases: readonly [words: string[], exitCode: number, note: string][] = [
      [['explain-message', 'hello'], 1, 'neither an eviction message'],
      [['explain-message', message.replace('1408Mi', '1.4.8Mi')], 1, 'quantities must match'],
      [['explain-message', line, '--node', 'n1'], 2, '--node needs a source'],
    ];
    for (const [words, exitCode, note] of cases) {
      const run = await runCommand(words);
      expect(run.notes).toContain(note);
      expect(run.exitCode).toBe(exitCode);
      expect(run.output).toBe('');
    }
  });
});
