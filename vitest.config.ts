import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real servers are started by some files; two cores want two workers.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Polls wait for browsers and servers, which a busy machine makes slow.
    expect: { poll: { timeout: 20_000 } },
  },
});
