import { Command, Option } from 'commander';
import { simulateScenario } from '../../scenario/simulate.ts';
import {
  type CommandContext,
  loadForCommand,
  type OutputFormat,
  outputFormats,
  writeJson,
} from './command-context.ts';
import { chooseOneNode } from './node-choice.ts';
import { type Given, repeatable } from './settings.ts';
import { scenarioOf } from './simulate-flags.ts';
import { simulationCsv, simulationTable } from './simulation-text.ts';
import { addSourceOptions, chooseSource } from './source-options.ts';
import { colorsOf } from './terminal.ts';

/** `evictrank simulate`: what the kubelet would evict on one node if things were otherwise. */
export function simulateCommand(context: CommandContext): Command {
  const command = new Command('simulate')
    .description('Play the evictions that memory pressure would bring to one node, step by step.')
    .option('--node <NAME>', 'the node; needed where there are several')
    .option('--extra-node-usage <QUANTITY>', 'memory in use on top of what is in use now, such as 888Mi')
    .option('--threshold <THRESHOLD>', 'hard threshold of memory.available, such as 100Mi or 5%')
    .option('--minimum-reclaim <QUANTITY>', 'evictionMinimumReclaim of memory.available, such as 500Mi or 0')
    .addOption(
      repeatable(
        new Option(
          '--pod <NAMESPACE/NAME,…>',
          'a pod with another priority, request or usage: ns/name,priority=-1000,request=1Gi,usage=2Gi; may be repeated',
        ),
      ),
    )
    .addOption(new Option('--output <FORMAT>', 'format').choices([...outputFormats]).default('table'));
  addSourceOptions(command);
  command.addHelpText(
    'after',
    `
Usage is taken to stay as it is: an evicted pod gives back what it uses, and starts nowhere else.

Examples:
  $ evictrank simulate --node node-7 --extra-node-usage 888Mi --prometheus.url=http://localhost:9090
  $ evictrank simulate --node node-7 --threshold 5% --snapshot cluster.json.gz
  $ evictrank simulate --pods pods.json --summary node-7.json --pod prod/api-7d9f,request=2Gi,usage=3Gi`,
  );
  return command.action(async (given: Given) => {
    const { terminal } = context;
    const scenario = scenarioOf(given);
    const { snapshot } = await loadForCommand(chooseSource(given, terminal.environment), context);
    const node = chooseOneNode(snapshot, given.node as string | undefined);
    const simulation = simulateScenario(node, scenario);
    switch (given.output as OutputFormat) {
      case 'json':
        writeJson(terminal, simulation);
        break;
      case 'csv':
        terminal.write(simulationCsv(simulation));
        break;
      case 'table':
        terminal.write(
          simulationTable({ simulation, node: node.node.name }, terminal.columns, colorsOf(terminal)),
        );
    }
  });
}
