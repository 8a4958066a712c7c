import { Command, Option } from 'commander';
import { thresholdFacts } from '../../explain/threshold-facts.ts';
import { describeError } from '../../foundation/errors.ts';
import { parseQuantity, wholeValue } from '../../foundation/quantity.ts';
import { minorVersion, rulesOfKubelet } from '../../kubelet/kubelet-version.ts';
import { isSignal, SIGNALS, type Signal } from '../../kubelet/signals.ts';
import { type CommandContext, writeJson } from './command-context.ts';
import { noteKubeletConfig, readKubeletConfigFile } from './kubelet-config-file.ts';
import { type Given, repeatable } from './settings.ts';
import { colorsOf } from './terminal.ts';
import { thresholdsTable } from './thresholds-text.ts';
import { UsageError } from './usage-error.ts';

/** `evictrank thresholds`: which thresholds a KubeletConfiguration sets, in bytes, and what is wrong with it. */
export function thresholdsCommand(context: CommandContext): Command {
  const command = new Command('thresholds')
    .description(
      "Show the eviction thresholds of a kubelet's settings, or everything that is wrong with them.",
    )
    .argument('<FILE>', 'a KubeletConfiguration (YAML or JSON), or what configz answers; - is standard input')
    .addOption(
      repeatable(
        new Option(
          '--capacity <SIGNAL=QUANTITY>',
          'what percentages of a signal are of, such as memory.available=16Gi; may be repeated',
        ),
      ),
    )
    .option(
      '--kubelet-version <VERSION>',
      'of the kubelet that reads them, such as v1.29.4 (default: the newest)',
    )
    .addOption(new Option('--output <FORMAT>', 'format').choices(['table', 'json']).default('table'));
  command.addHelpText(
    'after',
    `
Examples:
  $ evictrank thresholds /var/lib/kubelet/config.yaml --capacity memory.available=16Gi
  $ kubectl get --raw /api/v1/nodes/node-7/proxy/configz | evictrank thresholds -`,
  );
  return command.action(async (file: string, given: Given) => {
    const { terminal } = context;
    const capacities = capacitiesOf((given.capacity ?? []) as readonly string[]);
    const rules = rulesOfKubelet(checkedVersion(given.kubeletVersion as string | undefined));
    const settings = { file, text: await readKubeletConfigFile(file) };
    const config = noteKubeletConfig(settings, rules, terminal);
    const thresholds = thresholdFacts(config, capacities);
    if (given.output === 'json') {
      const { maxPodGracePeriodSeconds, pressureTransitionPeriodMs, droppedDefaults } = config;
      writeJson(terminal, {
        thresholds,
        maxPodGracePeriodSeconds,
        pressureTransitionPeriodSeconds: pressureTransitionPeriodMs / 1000,
        droppedDefaults,
      });
    } else {
      terminal.write(thresholdsTable(thresholds, terminal.columns, colorsOf(terminal)));
    }
  });
}

/** @throws UsageError */
function capacitiesOf(entries: readonly string[]): ReadonlyMap<Signal, bigint> {
  return new Map(
    entries.map((entry) => {
      const [signal = '', quantity] = entry.split('=', 2);
      if (!isSignal(signal) || quantity === undefined) {
        throw new UsageError(
          `--capacity ${entry} must be written SIGNAL=QUANTITY with one of ${Object.keys(SIGNALS).join(', ')}`,
        );
      }
      return [signal, capacityOf(entry, quantity)];
    }),
  );
}

function capacityOf(entry: string, quantity: string): bigint {
  try {
    const capacity = wholeValue(parseQuantity(quantity));
    if (capacity >= 0n) return capacity;
  } catch (cause) {
    throw new UsageError(`--capacity ${entry}: ${describeError(cause)}`, { cause });
  }
  throw new UsageError(`--capacity ${entry} must not be negative`);
}

function checkedVersion(version: string | undefined): string | undefined {
  if (version === undefined || minorVersion(version) !== undefined) return version;
  throw new UsageError(`--kubelet-version ${version} must be written like v1.29.4`);
}
