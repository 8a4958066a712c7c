import { once } from 'node:events';
import { describeError } from '../foundation/errors.ts';
import { runDemo, Started } from './demo.ts';
import { readDemoOptions } from './options.ts';

const options = readDemoOptions(process.argv.slice(2));
const started = new Started();
const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);

let exitCode = 0;
try {
  await Promise.race([runDemo(options, started), interrupted]);
} catch (error) {
  process.stderr.write(`demo: ${describeError(error)}\n`);
  exitCode = 1;
}
await started.stopAll();
// Ends what an interrupted step may still be doing; a server it may have started is on a leash.
process.exit(exitCode);
