import { describeError } from '../../foundation/errors.ts';
import { QuantityError } from '../../foundation/quantity.ts';
import { scenarioOf } from '../../outputs/cli/simulate-flags.ts';
import type { PodChange } from '../../scenario/scenario.ts';

type Given = Parameters<typeof scenarioOf>[0];

/** Checks one field with the code that reads the options of `evictrank simulate`. */
const checkOf =
  (given: (text: string) => Given) =>
  (text: string): string | undefined => {
    try {
      scenarioOf(given(text));
      return undefined;
    } catch (error) {
      return explain(error);
    }
  };

/** Kubernetes' own words for a bad quantity are a regular expression; they stay in the terminal. */
function explain(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof QuantityError) return cause.remedy ?? cause.message;
  }
  // The name of the option says nothing on a page.
  return describeError(error).replace(/^--[\w-]+:? (?:\w+: )?/, '');
}

export const checkExtraUsage = checkOf((extraNodeUsage) => ({ extraNodeUsage }));
export const checkThreshold = checkOf((threshold) => ({ threshold }));
export const checkMinimumReclaim = checkOf((minimumReclaim) => ({ minimumReclaim }));

export type PodField = 'priority' | 'request' | 'usage';

/** Any pod does: only the field is read. */
const podOf = (field: PodField, text: string): Given => ({ pod: [`any/any,${field}=${text}`] });

export const checkPodField: Readonly<Record<PodField, (text: string) => string | undefined>> = {
  priority: checkOf((text) => podOf('priority', text)),
  request: checkOf((text) => podOf('request', text)),
  usage: checkOf((text) => podOf('usage', text)),
};

/** @param text checked before */
export function readPodField(field: PodField, text: string): Omit<PodChange, 'namespace' | 'pod'> {
  const [change] = scenarioOf(podOf(field, text)).pods ?? [];
  const { namespace: _, pod: __, ...fields } = change ?? { namespace: '', pod: '' };
  return fields;
}

/** @param text checked before */
export function readExtraUsage(text: string): number {
  return scenarioOf({ extraNodeUsage: text }).extraNodeUsageBytes ?? 0;
}
