import { readFileSync, writeFileSync } from 'node:fs';
import { fillTables } from './tables.ts';

/** Files whose tables come from the code. */
const files = [
  'docs/metrics.md',
  'docs/configuration.md',
  'docs/inputs.md',
  'deploy/helm/evictrank/README.md',
  'docs/api.md',
];

for (const file of files) {
  const before = readFileSync(file, 'utf8');
  const after = fillTables(before);
  if (after !== before) {
    writeFileSync(file, after);
    process.stdout.write(`${file} updated\n`);
  }
}
