import { describeError, EvictrankError } from '../foundation/errors.ts';
import { isPlausibleThreshold, type ThresholdValue } from '../kubelet/threshold.ts';
import { parseMinimumReclaim, parseThresholdStatement } from '../kubelet/threshold-config.ts';

/** What is taken to be otherwise than it is, on one node. Everything left out stays as measured. */
export interface Scenario {
  /** Memory in use on top of what is in use now, outside the pods; negative for less. */
  readonly extraNodeUsageBytes?: number | undefined;
  /** Hard threshold of memory.available. */
  readonly threshold?: ThresholdValue | undefined;
  /** `evictionMinimumReclaim` of memory.available; none unless given. */
  readonly minimumReclaim?: ThresholdValue | undefined;
  readonly pods?: readonly PodChange[] | undefined;
}

/** One pod of the node with another priority, request or usage. More usage is less available memory on the node. */
export interface PodChange {
  readonly namespace: string;
  readonly pod: string;
  readonly priority?: number | undefined;
  readonly requestBytes?: number | undefined;
  readonly usageBytes?: number | undefined;
}

/** Why a scenario cannot be played. `kind` is for callers; the message is for people. */
export class ScenarioError extends EvictrankError {
  override readonly name = 'ScenarioError';
  readonly kind: 'unknown_pod' | 'repeated_pod' | 'node_incomplete' | 'bad_threshold';

  constructor(
    kind: ScenarioError['kind'],
    message: string,
    options: { remedy?: string; cause?: unknown } = {},
  ) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * A hard threshold of memory.available as the kubelet reads it: `100Mi` or `5%`.
 * @throws ScenarioError with the kubelet's own words where it would refuse or ignore the text.
 */
export function readThreshold(text: string): ThresholdValue {
  const threshold = inKubeletWords(text, () => parseThresholdStatement('memory.available', text));
  if (threshold !== undefined) return requirePlausible(text, threshold.value);
  throw new ScenarioError('bad_threshold', `${text} switches the threshold off: nothing is ever evicted`);
}

/** `evictionMinimumReclaim` as the kubelet reads it: `0`, `500Mi` or `2%`. @throws ScenarioError */
export function readMinimumReclaim(text: string): ThresholdValue {
  return requirePlausible(
    text,
    inKubeletWords(text, () => parseMinimumReclaim('memory.available', text)),
  );
}

function requirePlausible(text: string, value: ThresholdValue): ThresholdValue {
  if (isPlausibleThreshold(value)) return value;
  throw new ScenarioError('bad_threshold', `"${text}" is no amount of memory that a node can have`);
}

function inKubeletWords<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new ScenarioError('bad_threshold', `"${text}" is refused by the kubelet: ${describeError(cause)}`, {
      cause,
    });
  }
}
