import { describe, expect, test } from 'vitest';
import { nodeOf, podOf, snapshotOf } from '../../snapshot/sample-snapshot.ts';
import { startApi } from './api-server.ts';

const pods = [
  podOf({ name: 'a-1', workload: { kind: 'Deployment', name: 'a' } }),
  podOf({ name: 'a-2', workload: { kind: 'Deployment', name: 'a' } }),
  podOf({
    name: 'b-0',
    namespace: 'data',
    workload: { kind: 'StatefulSet', name: '=SUM(A1)' },
    requestBytes: 0,
  }),
];

describe('GET /api/v1/workloads', () => {
  test('lists each workload once, as JSON', async () => {
    const api = await startApi(snapshotOf([nodeOf({ pods })], { peaks: { a: 900 } }));
    expect((await api.get('/api/v1/workloads?namespace=default')).body).toEqual({
      workloads: [
        {
          namespace: 'default',
          workloadKind: 'Deployment',
          workload: 'a',
          replicas: 2,
          requestBytes: 200,
          peakBytes: 900,
          recommendedRequestBytes: expect.any(Number),
          p99Bytes: 900,
          p95Bytes: 900,
          timeOverRequestRatio: 1,
          observedHours: 168,
          oomKills: null,
          noRecommendation: null,
        },
      ],
      evaluatedAt: '2023-11-14T22:13:20.000Z',
    });
  });

  test('as CSV has a header, empty cells for what is not known, and no formula', async () => {
    const api = await startApi(snapshotOf([nodeOf({ pods })]));
    const reply = await api.get('/api/v1/workloads?format=csv');
    expect(reply.type).toBe('text/csv');
    expect(reply.text.split('\n')).toEqual([
      'namespace,workloadKind,workload,replicas,requestBytes,peakBytes,recommendedRequestBytes,p99Bytes,p95Bytes,timeOverRequestRatio,observedHours,oomKills,noRecommendation',
      "data,StatefulSet,'=SUM(A1),1,0,,,,,,0,,no memory usage is known",
      'default,Deployment,a,2,200,,,,,,0,,no memory usage is known',
      '',
    ]);
  });

  test('as CSV has a column for the cluster where one is configured', async () => {
    const inCluster = pods.map((pod) => ({ ...pod, cluster: 'east' }));
    const snapshot = snapshotOf([nodeOf({ cluster: 'east', pods: inCluster })], {
      settings: { hasClusterLabel: true },
    });
    const api = await startApi(snapshot);
    expect((await api.get('/api/v1/workloads?format=csv')).text).toMatch(/^cluster,namespace,.*\neast,data,/);
    expect((await api.get('/api/v1/workloads?format=csv&cluster=west')).text.split('\n')).toHaveLength(2);
  });
});
