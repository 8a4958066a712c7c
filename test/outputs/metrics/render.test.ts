import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Gauge, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { gzipWithTail, packText } from '../../../src/outputs/metrics/page.ts';
import { renderSnapshot } from '../../../src/outputs/metrics/render.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { nodeOf, podOf, snapshotOf } from '../../snapshot/sample-snapshot.ts';

const everything = { disabledFamilies: new Set<string>(), maxRank: 0 };

function render(snapshot: Snapshot, settings = everything): string {
  return [...renderSnapshot(snapshot, settings)].join('');
}

/** Reads the text back and lets prom-client print the same series. */
async function throughPromClient(text: string): Promise<string> {
  const registry = new Registry();
  let gauge: Gauge | undefined;
  for (const line of text.split('\n')) {
    const help = /^# HELP (\S+) (.*)$/.exec(line);
    if (help?.[1] !== undefined) {
      const labelNames = [...text.matchAll(new RegExp(`^${help[1]}{(.*)} `, 'gm'))].flatMap((match) =>
        Object.keys(labelsOf(match[1] ?? '')),
      );
      gauge = new Gauge({
        name: help[1],
        help: help[2] ?? '',
        labelNames: [...new Set(labelNames), 'none'],
        registers: [registry],
      });
    }
    const sample = /^[a-z_]+\{(.*)\} (\S+)$/.exec(line);
    if (sample !== null) gauge?.set(labelsOf(sample[1] ?? ''), Number(sample[2]));
  }
  return registry.metrics();
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)) {
    labels[name] = value.replaceAll(/\\(.)/g, (_all, char: string) => (char === 'n' ? '\n' : char));
  }
  return labels;
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const wild = snapshotOf(
  [
    nodeOf({
      pods: [
        podOf({ name: 'plain' }),
        podOf({ name: 'quote"back\\slash\nline', namespace: 'ünïcode', qosClass: undefined }),
        podOf({ name: 'static', isStatic: true }),
        podOf({ name: 'over', usageBytes: 1e21, requestBytes: 0.5 }),
      ],
    }),
    nodeOf({ name: 'silent', pods: [podOf({ name: 'x', node: 'silent', usageBytes: undefined })] }),
  ],
  { peaks: { plain: 700 } },
);

describe('the exposition', () => {
  it('prints what prom-client prints for the same series', async () => {
    const text = render(wild);
    expect(lines(text)).toEqual(lines(await throughPromClient(text)));
    expect(lines(text).length).toBeGreaterThan(60);
  });

  it('has no series for what is unknown', () => {
    const text = render(wild);
    expect(text).not.toMatch(/NaN|undefined|null/);
    expect(text).toContain('evictrank_node_complete{node="silent"} 0');
    expect(text).not.toMatch(/evictrank_pod_eviction_risk_rank\{.*node="silent"/);
    expect(text).not.toMatch(/evictrank_pod_eviction_risk_rank\{.*pod="static"/);
  });

  it('carries the cluster only where one is configured', () => {
    const nodes = [nodeOf({ cluster: 'eu', pods: [podOf({ name: 'a', cluster: 'eu' })] })];
    const text = render(snapshotOf(nodes, { settings: { hasClusterLabel: true } }));
    expect(text).toContain(
      'evictrank_pod_eviction_risk_rank{cluster="eu",namespace="default",pod="a",node="n1",basis="now"} 1',
    );
    expect(text).toContain('evictrank_workload_replicas{cluster="eu",namespace=');
    expect(render(wild)).not.toContain('cluster=');
  });

  it('leaves out families that are switched off, and pods beyond the last rank wanted', () => {
    const text = render(wild, { disabledFamilies: new Set(['evictrank_pod_info']), maxRank: 1 });
    expect(text).not.toContain('evictrank_pod_info');
    const names = [...text.matchAll(/^evictrank_pod_memory_request_bytes\{.*pod="(\w+)/gm)].map((m) => m[1]);
    expect(names).toEqual(['over']);
  });

  it('comes in pieces', () => {
    const pods = Array.from({ length: 3000 }, (_, i) => podOf({ name: `pod-${i}` }));
    const pieces = [...renderSnapshot(snapshotOf([nodeOf({ pods })]), everything)];
    expect(pieces.length).toBeGreaterThan(5);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(300_000);
  });
});

describe('the packed page', () => {
  it('unpacks to the text and its tail, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' })), fc.string(), async (pieces, tail) => {
        const packed = await packText(pieces);
        const once = gunzipSync(Buffer.concat(gzipWithTail(packed, tail))).toString();
        const again = gunzipSync(Buffer.concat(gzipWithTail(packed, `${tail}!`))).toString();
        expect(once).toBe(Buffer.from(pieces.join('') + tail).toString());
        expect(again).toBe(Buffer.from(`${pieces.join('')}${tail}!`).toString());
      }),
    );
  });
});
