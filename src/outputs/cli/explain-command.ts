import { Command, Option } from 'commander';
import type { MemoryQosChoice } from '../../explain/memory-protection.ts';
import { queryScope } from '../../inputs/scope-settings.ts';
import type { KubeletEvictionConfig } from '../../kubelet/kubelet-config.ts';
import { rulesOfKubelet } from '../../kubelet/kubelet-version.ts';
import { connectionSettings } from '../../prometheus/connection-settings.ts';
import { createPrometheusClient } from '../../prometheus/http-client.ts';
import { explainedPod } from '../api/explanation.ts';
import { nullForUnknown } from '../api/json.ts';
import { askForPodDetail, type PodDetailOutcome } from '../api/pod-detail-query.ts';
import { type CommandContext, loadForCommand, writeJson } from './command-context.ts';
import { explanationText } from './explanation-text.ts';
import { noteKubeletConfig, readKubeletConfigFile } from './kubelet-config-file.ts';
import type { Loaded } from './load-source.ts';
import { choosePod, type FoundPod } from './pod-choice.ts';
import type { Given } from './settings.ts';
import { addSourceOptions, chooseSource, type Source } from './source-options.ts';
import { colorsOf } from './terminal.ts';

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
    const file = given.kubeletConfig as string | undefined;
    const settings = file === undefined ? undefined : { file, text: await readKubeletConfigFile(file) };
    const source = chooseSource(given, terminal.environment);
    const loaded = await loadForCommand(source, context, { needsWindow: true });
    const found = choosePod(loaded.snapshot, wanted);
    const rules = rulesOfKubelet(found.node.node.kubeletVersion);
    const memoryQos =
      settings === undefined ? undefined : memoryQosOf(noteKubeletConfig(settings, rules, terminal));
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
        : {
            spec: own.spec,
            isQosClassReported: own.reportedQosClass !== undefined,
            restartPolicy: undefined,
            lastTerminations: [],
            gaps: [],
          };
    }
  }
}

function memoryQosOf({
  memoryThrottlingFactor,
  memoryReservationPolicy,
}: KubeletEvictionConfig): MemoryQosChoice {
  return { throttlingFactor: memoryThrottlingFactor, reservationPolicy: memoryReservationPolicy };
}
