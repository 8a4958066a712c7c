// `npm run demo`: installs the npm packages where needed, builds, and runs src/demo/main.ts in this process.
import { installDependencies, requireNode } from './dependencies.mjs';

requireNode();
installDependencies();
await import('./build.mjs');
await import('../dist/demo/main.js');
