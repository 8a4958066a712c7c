import { Command } from 'commander';
import { serializeSnapshot, writeSnapshotFile } from '../snapshot-file/write.ts';
import { type CommandContext, loadForCommand } from './command-context.ts';
import type { Given } from './settings.ts';
import { addSourceOptions, chooseSource } from './source-options.ts';

/** `evictrank snapshot`: everything known of the cluster, in one file that the other commands read. */
export function snapshotCommand(context: CommandContext): Command {
  const command = new Command('snapshot')
    .description('Write everything known of the cluster into one file that --snapshot reads back.')
    .argument('<FILE>', 'file to write, packed where its name ends in .gz; - is standard output');
  addSourceOptions(command);
  command.addHelpText(
    'after',
    `
The file takes its name only once it is whole. It holds names of pods, nodes and workloads.

Examples:
  $ evictrank snapshot cluster.json.gz --prometheus.url=http://localhost:9090
  $ evictrank rank --snapshot cluster.json.gz --node node-7
  $ evictrank snapshot node-7.json --pods pods.json --summary node-7-stats.json`,
  );
  return command.action(async (file: string, given: Given) => {
    const { terminal, version } = context;
    const source = chooseSource(given, terminal.environment);
    const { snapshot } = await loadForCommand(source, context, { needsWindow: true });
    const text = serializeSnapshot(snapshot, version);
    if (file === '-') {
      terminal.write(text);
      return;
    }
    await writeSnapshotFile(file, text);
    const pods = snapshot.nodes.reduce((sum, node) => sum + node.pods.length, 0);
    terminal.note(`evictrank: wrote ${file}: ${snapshot.nodes.length} nodes, ${pods} pods\n`);
  });
}
