import type { Parameters } from './parameters.ts';

export type Severity = 'info' | 'warning' | 'critical';

/** What an alert is about; its description must name all of it. */
export type Subject = 'pod' | 'node' | 'workload' | 'cluster' | 'service';

export interface AlertDefinition {
  readonly alert: string;
  readonly about: Subject;
  readonly severity: Severity;
  readonly expr: string;
  /** How long the expression must hold; left out where it looks at an event that is over. */
  readonly for?: string;
  readonly keepFiringFor: string;
  /** A static sentence: it is what groups and titles notifications. */
  readonly summary: string;
  /** Names the subject, gives the numbers in human units, and says what to do. */
  readonly description: string;
}

export interface RecordingDefinition {
  /** `level:metric:operations` (Prometheus documentation, "Recording rules"). */
  readonly record: string;
  readonly expr: string;
}

/** A rule as Prometheus reads it. */
export type Rule =
  | RecordingDefinition
  | {
      readonly alert: string;
      readonly expr: string;
      readonly for?: string;
      readonly keep_firing_for: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    };

export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly Rule[];
}

/** The rule of an alert, with the labels and the runbook link every alert carries. */
export function toAlertRule(parameters: Parameters, definition: AlertDefinition): Rule {
  return {
    alert: definition.alert,
    expr: definition.expr,
    ...(definition.for === undefined ? {} : { for: definition.for }),
    keep_firing_for: definition.keepFiringFor,
    labels: { severity: definition.severity, ...parameters.labels },
    annotations: {
      summary: definition.summary,
      description: definition.description,
      runbook_url: `${parameters.runbookUrl}#${definition.alert.toLowerCase()}`,
    },
  };
}
