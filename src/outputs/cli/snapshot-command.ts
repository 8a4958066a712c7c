import { Command } from 'commander';
import { redactSnapshot } from '../snapshot-file/redact.ts';
import { serializeSnapshot, writeSnapshotFile } from '../snapshot-file/write.ts';
import { type CommandContext, loadForCommand } from './command-context.ts';
import type { Given } from './settings.ts';
import { addSourceOptions, chooseSource } from './source-options.ts';

/** `evictrank snapshot`: everything known of the cluster, in one file that the other commands read. */
export function snapshotCommand(context: CommandContext): Command {
  const command = new Command('snapshot')
    .description('Write everything known of the cluster into one file that --snapshot reads back.')
    .argument('<FILE>', 'file to write, packed where its name ends in .gz; - is standard output')
    .option(
      '--redact',
      'replace every name by a pseudonym and leave out all texts, to attach it to a bug report',
    );
  addSourceOptions(command);
  command.addHelpText(
    'after',
    `
The file takes its name only once it is whole. It holds names of pods, nodes and workloads; with --redact it holds
none of them, ranks as before, and the same name has the same pseudonym everywhere.

Examples:
  $ evictrank snapshot cluster.json.gz --prometheus.url=http://localhost:9090
  $ evictrank rank --snapshot cluster.json.gz --node node-7
  $ evictrank snapshot for-a-bug-report.json --snapshot cluster.json.gz --redact
  $ evictrank snapshot node-7.json --pods pods.json --summary node-7-stats.json`,
  );
  return command.action(async (file: string, given: Given) => {
    const { terminal, version } = context;
    const source = chooseSource(given, terminal.environment);
    const { snapshot } = await loadForCommand(source, context, { needsWindow: true });
    const written = given.redact === true ? redactSnapshot(snapshot) : snapshot;
    const text = serializeSnapshot(written, version);
    if (file === '-') {
      terminal.write(text);
      return;
    }
    await writeSnapshotFile(file, text);
    const pods = snapshot.nodes.reduce((sum, node) => sum + node.pods.length, 0);
    terminal.note(`evictrank: wrote ${file}: ${snapshot.nodes.length} nodes, ${pods} pods\n`);
  });
}
