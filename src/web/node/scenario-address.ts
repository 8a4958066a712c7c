import { formatQuantity, quantityOfBytes } from '../../foundation/quantity.ts';
import { scenarioOf } from '../../outputs/cli/simulate-flags.ts';
import type { PodChange, Scenario } from '../../scenario/scenario.ts';
import type { Basis } from '../../snapshot/snapshot.ts';

/** What somebody has set on the page of a node. */
export interface ScenarioSettings {
  readonly basis: Basis;
  readonly extraNodeUsageBytes: number;
  /** As written, such as 100Mi or 5%; undefined = the node's own. */
  readonly threshold: string | undefined;
  readonly minimumReclaim: string | undefined;
  readonly pods: readonly PodChange[];
}

export const noScenario: ScenarioSettings = {
  basis: 'now',
  extraNodeUsageBytes: 0,
  threshold: undefined,
  minimumReclaim: undefined,
  pods: [],
};

/**
 * Reads the settings of an address. Its parameters are the options of `evictrank simulate`, and are read by the same
 * code. What cannot be read is left out and told.
 */
export function readSettings(parameters: URLSearchParams): {
  readonly settings: ScenarioSettings;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const read = (given: Parameters<typeof scenarioOf>[0]): Scenario => {
    try {
      return scenarioOf(given);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
      return {};
    }
  };
  const text = (name: string): string | undefined => parameters.get(name) || undefined;
  const threshold = text('threshold');
  const minimumReclaim = text('minimum-reclaim');
  return {
    settings: {
      basis: parameters.get('basis') === 'peak' ? 'peak' : 'now',
      extraNodeUsageBytes: read({ extraNodeUsage: text('extra-node-usage') }).extraNodeUsageBytes ?? 0,
      threshold: read({ threshold }).threshold === undefined ? undefined : threshold,
      minimumReclaim: read({ minimumReclaim }).minimumReclaim === undefined ? undefined : minimumReclaim,
      pods: withoutRepeats(parameters.getAll('pod').flatMap((pod) => read({ pod: [pod] }).pods ?? [])),
    },
    problems,
  };
}

/** The settings as parameters of an address; what is as measured is left out. */
export function writeSettings(
  settings: ScenarioSettings,
): Record<string, string | readonly string[] | undefined> {
  const { basis, extraNodeUsageBytes, threshold, minimumReclaim, pods } = settings;
  return {
    basis: basis === 'peak' ? 'peak' : undefined,
    'extra-node-usage': extraNodeUsageBytes === 0 ? undefined : quantityText(extraNodeUsageBytes),
    threshold,
    'minimum-reclaim': minimumReclaim,
    pod: pods.map(podText),
  };
}

/** The same scenario for a terminal. */
export function commandLine(node: string, scenario: ScenarioSettings): string {
  const { basis: _, ...flags } = writeSettings(scenario);
  const words = Object.entries(flags).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : (value ?? [])).flatMap((one) => [`--${name}`, shellWord(one)]),
  );
  return ['evictrank simulate --node', shellWord(node), ...words].join(' ');
}

/** Exact, in the largest unit that needs no fraction. */
export function quantityText(bytes: number): string {
  return formatQuantity(quantityOfBytes(Math.round(bytes)));
}

function podText({ namespace, pod, priority, requestBytes, usageBytes }: PodChange): string {
  return [
    `${namespace}/${pod}`,
    ...(priority === undefined ? [] : [`priority=${priority}`]),
    ...(requestBytes === undefined ? [] : [`request=${quantityText(requestBytes)}`]),
    ...(usageBytes === undefined ? [] : [`usage=${quantityText(usageBytes)}`]),
  ].join(',');
}

/** The last of several changes of one pod. */
function withoutRepeats(pods: readonly PodChange[]): readonly PodChange[] {
  return [...new Map(pods.map((change) => [`${change.namespace}/${change.pod}`, change])).values()];
}

function shellWord(text: string): string {
  return /^[\w./,=:%-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
