import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import type { MemoryQosChoice } from '../../explain/memory-protection.ts';
import { EvictrankError } from '../../foundation/errors.ts';
import { queryScope } from '../../inputs/scope-settings.ts';
import { parseKubeletConfig } from '../../kubelet/kubelet-config.ts';
import { connectionSettings } from '../../prometheus/connection-settings.ts';
import { createPrometheusClient } from '../../prometheus/http-client.ts';
import { explainedPod } from '../api/explanation.ts';
import { nullForUnknown } from '../api/json.ts';
import { askForPodDetail, type PodDetailOutcome } from '../api/pod-detail-query.ts';
import { type CommandContext, loadForCommand, writeJson } from './command-context.ts';
import { explanationText } from './explanation-text.ts';
import type { Loaded } from './load-source.ts';
import { choosePod, type FoundPod } from './pod-choice.ts';
import type { Given } from './settings.ts';
import { addSourceOptions, chooseSource, type Source } from './source-options.ts';
import { colorsOf, printable } from './terminal.ts';

/** The file with a kubelet's settings cannot be read. */
export class KubeletConfigFileError extends EvictrankError {
  override readonly name = 'KubeletConfigFileError';
}

/** `evictrank explain`: why one pod stands where it stands, and what would change that. */
export function explainCommand(context: CommandContext): Command {
  const command = new Command('explain')
    .description('Say why a pod would be evicted when it would, and what would change that.')
    .argument('<NAMESPACE/NAME>', 'the pod; its name alone where only one namespace has it')
    .option(
      '--kubelet-config <FILE>',
      "a node's KubeletConfiguration (YAML or JSON): its Memory QoS, and what is wrong with its thresholds",
    )
    .addOption(new Option('--output <FORMAT>', 'format').choices(['table', 'json']).default('table'));
  addSourceOptions(command);
  command.addHelpText(
    'after',
    `
Examples:
  $ evictrank explain prod/api-7d9f --prometheus.url=http://localhost:9090
  $ evictrank explain api-7d9f --pods pods.json --nodes nodes.json --summary node-7.json
  $ evictrank explain prod/api-7d9f --snapshot cluster.json.gz --output json`,
  );
  return command.action(async (wanted: string, given: Given) => {
    const { terminal } = context;
    const memoryQos = readKubeletConfig(given.kubeletConfig, context);
    const source = chooseSource(given, terminal.environment);
    const loaded = await loadForCommand(source, context, { needsWindow: true });
    const found = choosePod(loaded.snapshot, wanted);
    const detail = await detailOf(found, { source, loaded, context });
    const explained = explainedPod(loaded.snapshot, found, { detail, memoryQos });
    if (given.output === 'json') {
      writeJson(terminal, JSON.parse(JSON.stringify(explained, nullForUnknown)));
    } else {
      const layout = { columns: terminal.columns, colors: colorsOf(terminal) };
      terminal.write(explanationText(explained, explained.explanation, layout));
    }
  });
}

/** The spec is in the files, can be asked of a Prometheus, and is not in a snapshot. */
async function detailOf(
  { ranked, node }: FoundPod,
  { source, loaded, context }: { source: Source; loaded: Loaded; context: CommandContext },
): Promise<PodDetailOutcome> {
  switch (source.kind) {
    case 'snapshot':
      return { unavailable: 'Its containers are not shown: a snapshot does not hold them.' };
    case 'prometheus': {
      const client = createPrometheusClient(connectionSettings(source.config));
      try {
        const scope = queryScope(source.config);
        return await askForPodDetail(ranked.pod, { client, scope, clock: context.clock });
      } finally {
        client.close();
      }
    }
    case 'files': {
      const resources = loaded.kubernetes?.resources.get(node.node.name) ?? [];
      const own = resources.find(
        ({ pod }) => pod.namespace === ranked.pod.namespace && pod.name === ranked.pod.name,
      );
      return own === undefined
        ? { unavailable: 'Its containers are not shown: the files do not hold them.' }
        : { spec: own.spec, restartPolicy: undefined, lastTerminations: [], gaps: [] };
    }
  }
}

/** Warnings of the settings go to standard error. @throws KubeletConfigFileError, KubeletConfigError */
function readKubeletConfig(file: unknown, { terminal }: CommandContext): MemoryQosChoice | undefined {
  if (typeof file !== 'string') return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new KubeletConfigFileError(
      `the kubelet settings ${file} cannot be read (${code ?? 'unknown error'})`,
      {
        cause,
      },
    );
  }
  const { warnings, memoryThrottlingFactor, memoryReservationPolicy } = parseKubeletConfig(text);
  for (const warning of warnings) terminal.note(`evictrank: ${printable(file)}: ${printable(warning)}\n`);
  return { throttlingFactor: memoryThrottlingFactor, reservationPolicy: memoryReservationPolicy };
}
