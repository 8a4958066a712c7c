import { Command } from 'commander';
import { loadConfig } from '../../config/config.ts';
import { environmentName } from '../../config/option.ts';
import { type Config, options } from '../../config/options.ts';
import { addSettings, type Given, settingSources } from './settings.ts';

/** `evictrank serve`: runs the service until it is told to stop. `serve` does the work. */
export function serveCommand(serve: (config: Config) => Promise<void>): Command {
  const command = new Command('serve').description(
    'Run the service: read Prometheus, rank every node, export metrics, API and page.',
  );
  addSettings(command, Object.values(options));
  command.addHelpText(
    'after',
    `
Each option can also be set in the environment (--prometheus.url is ${environmentName('prometheus.url')})
or in the settings file. The command line wins over the environment, that over the file.

Example:
  $ evictrank serve --prometheus.url=http://localhost:9090 --priority-classes=high=1000,low=-10`,
  );
  return command.action(async (given: Given) => {
    await serve(loadConfig(settingSources(given, process.env)));
  });
}
