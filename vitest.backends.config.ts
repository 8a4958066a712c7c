import { defineConfig } from 'vitest/config';
import { obtainNewerServers } from './test/support/newer-servers.ts';
import base from './vitest.config.ts';

/** `npm run test:backends`: the tests that ask real servers, on newer ones than the packages bring. */
export default defineConfig(async () => ({
  test: {
    ...base.test,
    include: ['window', 'prometheus', 'service', 'demo'].map((folder) => `test/${folder}/**/*.test.ts`),
    env: await obtainNewerServers((line) => console.log(line)),
  },
}));
