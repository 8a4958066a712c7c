import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { readOracleFile } from '../../oracle-cases.ts';

const resources = z.record(z.string(), z.string());
const seedNode = z
  .object({
    node: z.object({ name: z.string(), capacityBytes: z.int(), allocatableBytes: z.int() }),
    pods: z.array(
      z.object({
        namespace: z.string(),
        name: z.string(),
        priority: z.int(),
        containers: z.array(z.object({ name: z.string(), requests: resources, limits: resources })),
        usageBytes: z.int(),
        qosClass: z.string(),
      }),
    ),
  })
  .parse(readOracleFile('seed-node.json'));

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The worked example as kubectl and the kubelet write it; the options that read it. */
export function seedFiles(): readonly string[] {
  const folder = temporaryFolder();
  const write = (name: string, content: object): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const { node, pods } = seedNode;
  const podList = write('pods.json', {
    kind: 'PodList',
    apiVersion: 'v1',
    items: pods.map(({ namespace, name, priority, containers, qosClass }) => ({
      metadata: { namespace, name, uid: `uid-${name}` },
      spec: {
        nodeName: node.name,
        priority,
        containers: containers.map(({ name: container, ...rest }) => ({ name: container, resources: rest })),
      },
      status: { phase: 'Running', qosClass },
    })),
  });
  const nodes = write('nodes.json', {
    kind: 'NodeList',
    apiVersion: 'v1',
    items: [
      {
        metadata: { name: node.name },
        status: {
          capacity: { memory: String(node.capacityBytes) },
          allocatable: { memory: String(node.allocatableBytes) },
        },
      },
    ],
  });
  const workingSetBytes = pods.reduce((sum, { usageBytes }) => sum + usageBytes, 0);
  const summary = write('summary.json', {
    node: {
      nodeName: node.name,
      memory: { workingSetBytes, availableBytes: node.capacityBytes - workingSetBytes },
    },
    pods: pods.map(({ namespace, name, usageBytes }) => ({
      podRef: { namespace, name, uid: `uid-${name}` },
      memory: { workingSetBytes: usageBytes },
    })),
  });
  return ['--pods', podList, '--nodes', nodes, '--summary', summary];
}
