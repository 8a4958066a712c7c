import { Command, Option } from 'commander';
import { SIGNALS } from '../../kubelet/signals.ts';
import type { Basis, RankedNode } from '../../snapshot/snapshot.ts';
import { ladderOf } from '../api/ladder.ts';
import {
  type CommandContext,
  loadForCommand,
  type OutputFormat,
  outputFormats,
  writeJson,
} from './command-context.ts';
import type { Loaded } from './load-source.ts';
import { chooseNodes } from './node-choice.ts';
import { type PressureChoice, pressureLadder, type RankedLadder } from './pressure-ladder.ts';
import { rankCsv } from './rank-csv.ts';
import { rankTable } from './rank-table.ts';
import type { Given } from './settings.ts';
import { layoutNames, signalNames, signalOf } from './signal-choice.ts';
import { addSourceOptions, chooseSource, type Source } from './source-options.ts';
import { colorsOf } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface RankOptions extends PressureChoice {
  readonly basis: Basis;
}

/** `evictrank rank`: the order in which the kubelet would evict the pods of each node. */
export function rankCommand(context: CommandContext): Command {
  const command = new Command('rank')
    .description('Print the pods of every node in the order in which the kubelet would evict them.')
    .option('--node <NAME>', 'only this node')
    .addOption(
      new Option(
        '--signal <NAME>',
        'what runs short: memory, disk (nodefs.available), pid, or a signal of the kubelet',
      )
        .choices(signalNames)
        .default('memory'),
    )
    .addOption(
      new Option('--basis <BASIS>', 'usage to rank by: now, or the highest of the window')
        .choices(['now', 'peak'])
        .default('now'),
    )
    .addOption(
      new Option(
        '--image-filesystem <LAYOUT>',
        'for disk signals: images share the filesystem of the node (single), have one of their own with the writable layers (dedicated) or without (split)',
      )
        .choices([...layoutNames])
        .default('auto'),
    )
    .addOption(new Option('--output <FORMAT>', 'format').choices([...outputFormats]).default('table'));
  addSourceOptions(command);
  command.addHelpText(
    'after',
    `
Protected pods come last, without a rank. "=" marks pods that share a rank. AHEAD BY says what puts a pod
before the next one: its group (over its request or within it), its priority (the lower first), or the
amount of its usage minus its request (OVER, the larger first). All amounts are in Mi.

Examples:
  $ evictrank rank --prometheus.url=http://localhost:9090 --node node-7
  $ evictrank rank --prometheus.url=http://localhost:9090 --basis peak --output json

  Without a Prometheus:
  $ kubectl get pods -A -o json > pods.json
  $ kubectl get --raw /api/v1/nodes/node-7/proxy/stats/summary > node-7.json
  $ evictrank rank --pods pods.json --summary node-7.json
  $ evictrank rank --pods pods.json --summary node-7.json --signal disk`,
  );
  return command.action(async (given: Given) => {
    const options: RankOptions = {
      signal: signalOf(String(given.signal)),
      layout: given.imageFilesystem as RankOptions['layout'],
      basis: given.basis as Basis,
    };
    const source = chooseSource(given, context.terminal.environment);
    requireSense(source, options);
    const loaded = await loadForCommand(source, context, { needsWindow: options.basis === 'peak' });
    const nodes = chooseNodes(loaded.snapshot, given.node as string | undefined);
    const ladders = rankLadders(nodes, loaded, options);
    printLadders(ladders, given.output as OutputFormat, context);
  });
}

/** @throws UsageError where the source has no such data. */
function requireSense(source: Source, { signal, basis }: RankOptions): void {
  if (SIGNALS[signal].resource !== 'memory' && source.kind !== 'files') {
    throw new UsageError(
      `${source.kind === 'prometheus' ? 'a Prometheus has' : 'a snapshot has'} no data of ${signal} that the kubelet would rank by: only memory; use --pods and --summary`,
    );
  }
  if (basis === 'peak' && source.kind === 'files') {
    throw new UsageError('files show one moment: --basis peak needs --prometheus.url or a --snapshot of one');
  }
}

function rankLadders(
  nodes: readonly RankedNode[],
  { snapshot, kubernetes }: Loaded,
  options: RankOptions,
): RankedLadder[] {
  if (kubernetes !== undefined) return nodes.map((node) => pressureLadder(node, kubernetes, options));
  if (options.basis === 'peak' && snapshot.windowCoverageRatio === 0) {
    throw new UsageError('the snapshot holds no peaks: it was written from files');
  }
  return nodes.map((node) => ladderOf(node, options.basis));
}

function printLadders(
  ladders: readonly RankedLadder[],
  format: OutputFormat,
  { terminal }: CommandContext,
): void {
  switch (format) {
    case 'json':
      writeJson(terminal, { nodes: ladders });
      break;
    case 'csv':
      terminal.write(rankCsv(ladders));
      break;
    case 'table': {
      const colors = colorsOf(terminal);
      for (const ladder of ladders) terminal.write(`${rankTable(ladder, terminal.columns, colors)}\n`);
    }
  }
}
