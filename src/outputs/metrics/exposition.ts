import type { MetricFamily } from './catalogue.ts';

/** Escapes a label value for the text format: backslash, double quote and line feed. */
export function escapeLabelValue(value: string): string {
  // Most values need nothing, and this runs millions of times per refresh on the largest clusters.
  return /[\\"\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value;
}

/** `name="value"` */
export function label(name: string, value: string): string {
  return `${name}="${escapeLabelValue(value)}"`;
}

/** The HELP and TYPE lines of a family. */
export function familyHeader({ name, type, help }: Pick<MetricFamily, 'name' | 'type' | 'help'>): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return `# HELP ${name} ${escaped}\n# TYPE ${name} ${type}\n`;
}

/** Receives one sample: its labels as text (`a="b",c="d"`, maybe empty) and its value; undefined values are left out. */
export type Emit = (labels: string, value: number | undefined) => void;
