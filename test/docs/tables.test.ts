import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { docTables, fillTables } from '../../src/docs/tables.ts';

const homes: Readonly<Record<string, string>> = {
  metrics: 'docs/metrics.md',
  options: 'docs/configuration.md',
  inputs: 'docs/inputs.md',
  review_inputs: 'docs/inputs.md',
  values: 'deploy/helm/evictrank/README.md',
  operations: 'docs/api.md',
};

describe('the docs', () => {
  it('have a home for every table', () => {
    expect(new Set(Object.keys(homes))).toEqual(new Set(Object.keys(docTables)));
  });

  it.each(Object.entries(homes))(
    'show the table of %s as the code has it (npm run build:docs)',
    (name, file) => {
      const text = readFileSync(file, 'utf8');
      expect(text).toContain(`<!-- table: ${name} -->`);
      expect(fillTables(text)).toBe(text);
    },
  );

  it('cannot drift unseen', () => {
    expect(fillTables('<!-- table: metrics -->\nold\n<!-- end -->')).toContain(
      'evictrank_pod_eviction_risk_rank',
    );
    expect(() => fillTables('<!-- table: nothing -->\n<!-- end -->')).toThrow('no table "nothing"');
  });
});
