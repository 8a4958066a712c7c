import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { EvictrankError } from '../foundation/errors.ts';

/** One value of the Helm chart. */
export interface ChartValue {
  /** As after `--set`: `window.persistence.size`. */
  readonly path: string;
  /** JSON. */
  readonly default: string;
  readonly description: string;
}

/** The values file cannot be told as a table. */
export class ChartValuesError extends EvictrankError {
  override readonly name = 'ChartValuesError';
}

const valuesFile = fileURLToPath(new URL('../../deploy/helm/evictrank/values.yaml', import.meta.url));

/** Every value of the chart, in the order of its file. */
export function readChartValues(): readonly ChartValue[] {
  return chartValuesOf(readFileSync(valuesFile, 'utf8'));
}

/**
 * A key with a comment above it is a value, whatever its default; one without must hold further keys.
 * @throws ChartValuesError naming a value without a comment.
 */
export function chartValuesOf(text: string): readonly ChartValue[] {
  const { contents } = parseDocument(text);
  return isMap(contents) ? valuesIn(contents, '') : [];
}

function valuesIn(map: YAMLMap, parent: string): readonly ChartValue[] {
  return map.items.flatMap(({ key, value }, index) => {
    if (!isScalar(key)) throw new ChartValuesError(`a key of ${parent || 'the file'} is no text`);
    const path = parent === '' ? String(key.value) : `${parent}.${key.value}`;
    // The parser gives the comment above the first key to the map.
    const comment = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined);
    if (comment) {
      return [{ path, default: JSON.stringify(value), description: comment.replaceAll('\n', ' ').trim() }];
    }
    if (!isMap(value) || value.items.length === 0) throw new ChartValuesError(`${path} has no comment`);
    return valuesIn(value, path);
  });
}
