/** Reads the kubelet's eviction settings as it does itself; every error message is the kubelet's own. */
import { EvictrankError } from '../foundation/errors.ts';
import { parseGoDuration } from '../foundation/go-duration.ts';
import { parseGoFloat32 } from '../foundation/go-float.ts';
import { formatQuantity, parseQuantity } from '../foundation/quantity.ts';
import { isSignal, SIGNALS, type Signal } from './signals.ts';
import { isHardThreshold, type Threshold, type ThresholdValue } from './threshold.ts';

export class ThresholdConfigError extends EvictrankError {
  override readonly name = 'ThresholdConfigError';
}

/** The settings as written, each map by signal name. */
export interface ThresholdSettings {
  readonly enforceNodeAllocatable: readonly string[];
  readonly evictionHard: Statements;
  readonly evictionSoft: Statements;
  readonly evictionSoftGracePeriod: Statements;
  readonly evictionMinimumReclaim: Statements;
}

type Statements = Readonly<Record<string, string>>;

/** Switched off, and dropped without a word. Only these very spellings: `0.0%` is a threshold that is never met. */
const IGNORED_PERCENTAGES: ReadonlySet<string> = new Set(['0%', '100%']);
/** Kubernetes 1.20 compares the fraction with 100 by mistake and so allows 10000 %; later versions refuse above 100 %. */
const LARGEST_FRACTION = 100;
/** The name under which node allocatable is enforced for pods (pkg/kubelet/types/constants.go). */
const PODS_ENFORCEMENT = 'pods';

/** All thresholds of a configuration (`ParseThresholdConfig` in pkg/kubelet/eviction/helpers.go). Throws at the first error. */
export function parseThresholdConfig(settings: ThresholdSettings): readonly Threshold[] {
  const hard = parseStatements(settings.evictionHard);
  const soft = parseStatements(settings.evictionSoft);
  const gracePeriods = mapSignals(settings.evictionSoftGracePeriod, parseGracePeriod);
  const minimumReclaims = mapSignals(settings.evictionMinimumReclaim, parseMinimumReclaim);
  const withGrace = soft.map((threshold) => {
    const gracePeriodMs = gracePeriods.get(threshold.signal);
    if (gracePeriodMs === undefined) throw missingGracePeriod(threshold.signal);
    return { ...threshold, gracePeriodMs };
  });
  const thresholds = [...hard, ...withGrace].map((threshold) => ({
    ...threshold,
    minimumReclaim: minimumReclaims.get(threshold.signal),
  }));
  return settings.enforceNodeAllocatable.includes(PODS_ENFORCEMENT)
    ? [...thresholds, ...copyToAllocatable(thresholds)]
    : thresholds;
}

/** One threshold, hard until a grace period is set; undefined where the statement switches the signal off. */
export function parseThresholdStatement(signalName: string, value: string): Threshold | undefined {
  const signal = parseSignal(signalName);
  const isPercentage = value.endsWith('%');
  if (isPercentage && IGNORED_PERCENTAGES.has(value)) return undefined;
  return {
    signal,
    operator: SIGNALS[signal].isConfigurable ? 'LessThan' : '',
    value: isPercentage ? parseThresholdPercentage(signal, value) : parseThresholdQuantity(signal, value),
    gracePeriodMs: 0,
    minimumReclaim: undefined,
  };
}

/** `10%` as the float32 fraction 0.10000000149011612 (`parsePercentage`). Any number of `%` may stand at the end. */
export function parsePercentage(text: string): number {
  // + 0: `-0%` is 0.
  return Math.fround(parseGoFloat32(text.replace(/%+$/, '')) / 100) + 0;
}

/** Milliseconds. */
export function parseGracePeriod(_signal: Signal, value: string): number {
  const gracePeriodMs = parseGoDuration(value);
  if (gracePeriodMs < 0) {
    throw new ThresholdConfigError(
      `invalid eviction grace period specified: ${value}, must be a positive value`,
    );
  }
  return gracePeriodMs;
}

export function parseMinimumReclaim(signal: Signal, value: string): ThresholdValue {
  if (value.endsWith('%')) {
    const percentage = parsePercentage(value);
    if (percentage <= 0) {
      throw new ThresholdConfigError(
        `eviction percentage minimum reclaim ${signal} must be positive: ${value}`,
      );
    }
    return { percentage };
  }
  const quantity = parseQuantity(value);
  if (quantity.nanos < 0n) {
    throw new ThresholdConfigError(`negative eviction minimum reclaim specified for ${signal}`);
  }
  return { quantity };
}

export function parseSignal(name: string): Signal {
  if (!isSignal(name)) throw new ThresholdConfigError(`unsupported eviction signal ${name}`);
  return name;
}

export function missingGracePeriod(signal: Signal): ThresholdConfigError {
  return new ThresholdConfigError(`grace period must be specified for the soft eviction threshold ${signal}`);
}

function parseThresholdPercentage(signal: Signal, value: string): ThresholdValue {
  const percentage = parsePercentage(value);
  const refuse = (bound: string) =>
    new ThresholdConfigError(`eviction percentage threshold ${signal} must be ${bound}: ${value}`);
  if (percentage < 0) throw refuse('>= 0%');
  if (percentage > LARGEST_FRACTION) throw refuse('<= 100%');
  return { percentage };
}

function parseThresholdQuantity(signal: Signal, value: string): ThresholdValue {
  const quantity = parseQuantity(value);
  if (quantity.nanos <= 0n) {
    throw new ThresholdConfigError(
      `eviction threshold ${signal} must be positive: ${formatQuantity(quantity)}`,
    );
  }
  return { quantity };
}

function parseStatements(statements: Statements): readonly Threshold[] {
  return Object.entries(statements)
    .map(([signal, value]) => parseThresholdStatement(signal, value))
    .filter((threshold) => threshold !== undefined);
}

function mapSignals<T>(
  statements: Statements,
  parse: (signal: Signal, value: string) => T,
): ReadonlyMap<Signal, T> {
  return new Map(
    Object.entries(statements).map(([name, value]) => {
      const signal = parseSignal(name);
      return [signal, parse(signal, value)];
    }),
  );
}

/** The pods' cgroup is held to the hard memory threshold as well (`addAllocatableThresholds`). */
function copyToAllocatable(thresholds: readonly Threshold[]): readonly Threshold[] {
  return thresholds
    .filter((threshold) => threshold.signal === 'memory.available' && isHardThreshold(threshold))
    .map((threshold) => ({ ...threshold, signal: 'allocatableMemory.available' as const }));
}
