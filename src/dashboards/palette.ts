import {
  FieldColorBuilder,
  FieldColorModeId,
  MappingType,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { comparatorNames, groupNames } from '../explain/comparator-names.ts';

/**
 * Colours that stay apart with each kind of colour blindness (Okabe and Ito, "Color Universal Design", 2008). Good is
 * blue rather than green, so that good and bad never differ by red against green alone, and lighter than theirs, to be
 * read on Grafana's dark theme.
 */
export const colours = {
  good: '#3A97D9',
  warning: '#E69F00',
  bad: '#D55E00',
  other: '#CC79A7',
  neutral: '#999999',
} as const;

/** The comparator groups in the order in which the kubelet takes them. */
export const groups = {
  no_stats: { text: capitalized(groupNames.no_stats), color: colours.other },
  exceeds_request: { text: capitalized(groupNames.exceeds_request), color: colours.bad },
  within_request: { text: capitalized(groupNames.within_request), color: colours.good },
  protected: { text: capitalized(groupNames.protected), color: colours.neutral },
} as const;

/** Never called what a group is called. */
export const deciders = {
  no_stats: { text: capitalized(comparatorNames.no_stats) },
  exceeds_request: { text: capitalized(comparatorNames.exceeds_request) },
  priority: { text: capitalized(comparatorNames.priority) },
  over_request: { text: capitalized(comparatorNames.over_request) },
  last: { text: 'Last in order' },
} as const;

export const qosClasses = {
  BestEffort: { text: 'BestEffort', color: colours.bad },
  Burstable: { text: 'Burstable', color: colours.warning },
  Guaranteed: { text: 'Guaranteed', color: colours.good },
} as const;

export const dataStates = {
  0: { text: 'missing', color: colours.bad },
  1: { text: 'complete', color: colours.good },
} as const;

export const yesNo = { 0: { text: 'no' }, 1: { text: 'yes', color: colours.bad } } as const;
export const upDown = {
  0: { text: 'down', color: colours.bad },
  1: { text: 'up', color: colours.good },
} as const;

export interface Shown {
  readonly text: string;
  readonly color?: string;
}

/** Shows values by name, in the order of the table. */
export function mapping(table: Readonly<Record<string, Shown>>): ValueMapping {
  const entries = Object.entries(table).map(([value, shown], index) => [value, { ...shown, index }] as const);
  return { type: MappingType.ValueToText, options: Object.fromEntries(entries) };
}

export function fixedColour(colour: string): FieldColorBuilder {
  return new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(colour);
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
