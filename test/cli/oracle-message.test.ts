import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EvictionMessageMeaning } from '../../src/explain/eviction-message-meaning.ts';
import { caseHead, caseName, readOracleCases } from '../oracle-cases.ts';
import { startSession } from './session.ts';

/** Every message of the kubelet, through `explain-message`: what was read must give the message again. */
const session = startSession();
afterAll(session.end);

const cases = readOracleCases(
  'eviction_message',
  z.object({
    ...caseHead,
    resource: z.enum(['memory', 'ephemeral-storage', 'inodes', 'pids']),
    message: z.string(),
    // Empty where the kubelet had no stats.
    annotations: z.object({
      offending_containers: z.string().default(''),
      offending_containers_usage: z.string().default(''),
    }),
  }),
);
const listed = (text: string): string[] => text.split(',').filter((part) => part !== '');

describe('explain-message reads what the kubelet 1.20 wrote', () => {
  for (const one of cases) {
    test(caseName(one), async () => {
      const run = await session.run('explain-message', one.message, '--output', 'json');
      expect(run).toMatchObject({ status: 0, stderr: '' });
      const meaning = JSON.parse(run.stdout) as EvictionMessageMeaning;
      const { kind, resource, threshold, named, group, decidedBy, caveats } = meaning;
      expect({ kind, resource, threshold }).toEqual({
        kind: 'node_pressure',
        resource: one.resource,
        threshold: null,
      });
      const containers = named.map(
        ({ name, usage, request }) =>
          `Container ${name} was using ${usage}, which exceeds its request of ${request}. `,
      );
      expect([`The node was low on resource: ${resource}. `, ...containers].join('')).toBe(one.message);
      const { offending_containers: names, offending_containers_usage: usages } = one.annotations;
      expect(named.map(({ name }) => name)).toEqual(listed(names));
      expect(named.map(({ usage }) => usage)).toEqual(listed(usages));
      const isByUsage = one.resource === 'memory' || one.resource === 'ephemeral-storage';
      expect(group).toBe(named.length > 0 ? 'exceeds_request' : isByUsage ? 'within_request' : null);
      expect(decidedBy).toBe(named.length > 0 ? 'exceeds_request' : isByUsage ? 'priority' : null);
      expect(caveats.filter((caveat) => caveat.includes('is not known'))).toEqual([]);
    });
  }
});
