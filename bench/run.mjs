// Runs a benchmark from its TypeScript source: node --expose-gc bench/run.mjs window.ts [arguments]
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const [name, ...args] = process.argv.slice(2);
const { module } = await runnerImport(fileURLToPath(new URL(name, import.meta.url)));
await module.run(args);
