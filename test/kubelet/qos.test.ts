import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withApiDefaults } from '../../src/kubelet/api-defaults.ts';
import { computeQosClass } from '../../src/kubelet/qos.ts';
import { caseHead, caseName, readOracleCases } from '../oracle-cases.ts';
import { oracleContainer, toPodSpec } from '../oracle-pods.ts';

const qosClass = z.enum(['Guaranteed', 'Burstable', 'BestEffort']);
const cases = readOracleCases(
  'qos',
  z.strictObject({
    ...caseHead,
    containers: z.array(oracleContainer),
    initContainers: z.array(oracleContainer),
    class: qosClass,
    classAfterApiDefaults: qosClass,
  }),
);

describe('the kubelet computes the QoS class', () => {
  for (const one of cases) {
    test(caseName(one), () => {
      const spec = toPodSpec(one);
      expect(computeQosClass(spec)).toBe(one.class);
      expect(computeQosClass(withApiDefaults(spec))).toBe(one.classAfterApiDefaults);
    });
  }
});
