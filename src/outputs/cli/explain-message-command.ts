import { Command, Option } from 'commander';
import { explainKubeletText } from '../../explain/kubelet-text.ts';
import { EvictrankError } from '../../foundation/errors.ts';
import { nullForUnknown } from '../api/json.ts';
import { type CommandContext, loadForCommand, writeJson } from './command-context.ts';
import { meaningText } from './meaning-text.ts';
import { chooseNodes } from './node-choice.ts';
import type { Given } from './settings.ts';
import { addSourceOptions, chooseSource } from './source-options.ts';
import { colorsOf } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** The text is not one that can be explained. */
export class UnknownMessageError extends EvictrankError {
  override readonly name = 'UnknownMessageError';
}

/** A log of a few minutes; whoever pipes in a day of it should grep first. */
const LARGEST_TEXT = 16 * 1024 * 1024;

/** `evictrank explain-message`: what the kubelet wrote about an eviction, and whether its order agrees with ours. */
export function explainMessageCommand(context: CommandContext): Command {
  const command = new Command('explain-message')
    .description("Say what an eviction message, or a line of the kubelet's log about a ranking, means.")
    .argument('[TEXT]', 'the message or line; - or nothing reads standard input')
    .option('--node <NAME>', 'the node a logged order comes from; else the one that holds most of its pods')
    .addOption(new Option('--output <FORMAT>', 'format').choices(['table', 'json']).default('table'));
  addSourceOptions(command);
  command.addHelpText(
    'after',
    `
A message needs no source. With one, the order in a log line is compared with the ranking.

Examples:
  $ evictrank explain-message "$(kubectl get pod api-7d9f -o jsonpath='{.status.message}')"
  $ journalctl -u kubelet | grep 'ranked for eviction' | tail -1 | evictrank explain-message --snapshot cluster.json.gz`,
  );
  return command.action(async (text: string | undefined, given: Given) => {
    const { terminal } = context;
    const message = text === undefined || text === '-' ? await readInput() : text;
    const meaning = explainKubeletText(message, await nodesOf(given, context));
    if (meaning.kind === 'unknown') throw new UnknownMessageError(meaning.summary);
    if (given.output === 'json') writeJson(terminal, JSON.parse(JSON.stringify(meaning, nullForUnknown)));
    else terminal.write(meaningText(meaning, { columns: terminal.columns, colors: colorsOf(terminal) }));
  });
}

const sourceOptions = ['pods', 'nodes', 'summary', 'snapshot', 'prometheus.url', 'config.file'];

/** Only a source that is asked for: a message alone must not wait for a Prometheus named in the environment. */
async function nodesOf(given: Given, context: CommandContext) {
  const node = given.node as string | undefined;
  if (!sourceOptions.some((name) => given[name] !== undefined)) {
    if (node !== undefined)
      throw new UsageError('--node needs a source: --prometheus.url, --snapshot or --pods');
    return [];
  }
  const { snapshot } = await loadForCommand(chooseSource(given, context.terminal.environment), context);
  return chooseNodes(snapshot, node);
}

/** @throws UsageError */
async function readInput(): Promise<string> {
  if (process.stdin.isTTY) throw new UsageError('no text: give it as an argument or on standard input');
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > LARGEST_TEXT) throw new UsageError('more than 16 MiB of text: choose the line first');
  }
  return text;
}
