/** Reads what concerns eviction and memory from a KubeletConfiguration (kubelet.config.k8s.io/v1beta1). */
import { EvictrankError } from '../foundation/errors.ts';
import { parseGoDuration } from '../foundation/go-duration.ts';
import { resolveEvictionHard } from './hard-defaults.ts';
import { type KubeletConfigFields, readKubeletConfigFields } from './kubelet-config-fields.ts';
import { CURRENT_RULES, type KubeletRules } from './kubelet-version.ts';
import type { MemoryReservationPolicy } from './memory-qos.ts';
import type { Signal } from './signals.ts';
import { isPlausibleThreshold, type Threshold } from './threshold.ts';
import {
  missingGracePeriod,
  parseGracePeriod,
  parseMinimumReclaim,
  parseSignal,
  parseThresholdConfig,
  parseThresholdStatement,
} from './threshold-config.ts';

export interface KubeletEvictionConfig {
  readonly thresholds: readonly Threshold[];
  readonly maxPodGracePeriodSeconds: number;
  readonly pressureTransitionPeriodMs: number;
  readonly memoryThrottlingFactor: number | undefined;
  readonly memoryReservationPolicy: MemoryReservationPolicy;
  /** Default thresholds that are off because another one was set. */
  readonly droppedDefaults: readonly Signal[];
  /** Sentences for the operator about what is allowed but seldom meant. */
  readonly warnings: readonly string[];
}

export class KubeletConfigError extends EvictrankError {
  override readonly name = 'KubeletConfigError';
  /** Every problem, each with the path of the setting. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], cause?: unknown) {
    super(`not a valid KubeletConfiguration: ${problems.join('; ')}`, {
      cause,
      remedy:
        'give the file of --config, or the output of kubectl get --raw /api/v1/nodes/NODE/proxy/configz',
    });
    this.problems = problems;
  }
}

const DEFAULT_TRANSITION_PERIOD_MS = 5 * 60_000;

/**
 * From YAML or JSON, as a file or as `configz` answers it. Throws KubeletConfigError with every problem there is.
 * @param rules of the kubelet that reads it; those of the newest where it is not known.
 */
export function parseKubeletConfig(text: string, rules: KubeletRules = CURRENT_RULES): KubeletEvictionConfig {
  const read = readKubeletConfigFields(text);
  const configuration = read.fields;
  const problems = [...read.problems, ...findProblems(configuration)];
  if (problems.length > 0) throw new KubeletConfigError(problems);
  const { evictionHard, droppedDefaults } = resolveEvictionHard(
    configuration.evictionHard ?? undefined,
    configuration.mergeDefaultEvictionSettings ?? false,
    rules,
  );
  const thresholds = parseThresholdConfig({
    enforceNodeAllocatable: configuration.enforceNodeAllocatable ?? ['pods'],
    evictionHard,
    evictionSoft: configuration.evictionSoft ?? {},
    evictionSoftGracePeriod: configuration.evictionSoftGracePeriod ?? {},
    evictionMinimumReclaim: configuration.evictionMinimumReclaim ?? {},
  });
  return {
    thresholds,
    maxPodGracePeriodSeconds: configuration.evictionMaxPodGracePeriod ?? 0,
    pressureTransitionPeriodMs: transitionPeriodMs(configuration),
    memoryThrottlingFactor: configuration.memoryThrottlingFactor ?? undefined,
    memoryReservationPolicy: configuration.memoryReservationPolicy ?? 'None',
    droppedDefaults,
    warnings: [...read.warnings, ...findWarnings(thresholds, droppedDefaults)],
  };
}

function transitionPeriodMs({ evictionPressureTransitionPeriod }: KubeletConfigFields): number {
  // The kubelet takes a zero for unset.
  return parseGoDuration(evictionPressureTransitionPeriod ?? '0') || DEFAULT_TRANSITION_PERIOD_MS;
}

/** The kubelet stops at the first error; a person would rather see them all. */
function findProblems(configuration: KubeletConfigFields): readonly string[] {
  const problems: string[] = [];
  const check = (path: string, read: () => void) => {
    try {
      read();
    } catch (error) {
      problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const checkEach = (
    name: 'evictionHard' | 'evictionSoft' | 'evictionSoftGracePeriod' | 'evictionMinimumReclaim',
    read: (signal: string, value: string) => void,
  ) => {
    for (const [signal, value] of Object.entries(configuration[name] ?? {})) {
      check(`${name}.${signal}`, () => read(signal, value));
    }
  };
  checkEach('evictionHard', parseThresholdStatement);
  checkEach('evictionSoft', (signal, value) => {
    const threshold = parseThresholdStatement(signal, value);
    if (threshold !== undefined && !Object.hasOwn(configuration.evictionSoftGracePeriod ?? {}, signal)) {
      throw missingGracePeriod(threshold.signal);
    }
  });
  checkEach('evictionSoftGracePeriod', (signal, value) => parseGracePeriod(parseSignal(signal), value));
  checkEach('evictionMinimumReclaim', (signal, value) => parseMinimumReclaim(parseSignal(signal), value));
  check('evictionPressureTransitionPeriod', () => transitionPeriodMs(configuration));
  return problems;
}

function findWarnings(
  thresholds: readonly Threshold[],
  droppedDefaults: readonly Signal[],
): readonly string[] {
  const warnings = thresholds
    .filter(({ value }) => 'percentage' in value && value.percentage > 1)
    .map(({ signal }) => `${signal}: more than 100 % is always met, and later kubelets refuse it`);
  const absurd = thresholds
    .filter((one) =>
      [one.value, one.minimumReclaim].some((value) => value !== undefined && !isPlausibleThreshold(value)),
    )
    .map(({ signal }) => `${signal}: an amount or a minimum reclaim that no node can have`);
  warnings.push(...absurd);
  if (droppedDefaults.length === 0) return warnings;
  return [
    ...warnings,
    `evictionHard is set, which switches the defaults of what it leaves out off: ${droppedDefaults.join(', ')}. ` +
      'Set them too, or set mergeDefaultEvictionSettings: true',
  ];
}
