import { defineConfig } from 'vitest/config';

/** `npm run test:soak`: long runs that look for slow growth; their last figures are in docs/reliability.md. */
export default defineConfig({ test: { include: ['test/soak/**/*.soak.ts'], maxWorkers: 1 } });
