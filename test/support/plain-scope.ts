import { loadConfig } from '../../src/config/config.ts';
import type { QueryScope } from '../../src/inputs/scope.ts';
import { queryScope } from '../../src/inputs/scope-settings.ts';

/** What is asked for, and by which labels, where nobody has set anything. */
export const plainScope: QueryScope = queryScope(
  loadConfig({ flags: { 'prometheus.url': 'http://localhost:9090' }, environment: {} }),
);
