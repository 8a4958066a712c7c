import { readFileSync } from 'node:fs';

export interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The instructions of each stage of the Dockerfile, those of its base stages included. */
export function readStages(): ReadonlyMap<string, readonly Instruction[]> {
  const stages = new Map<string, Instruction[]>();
  let current: Instruction[] = [];
  for (const line of readFileSync('Dockerfile', 'utf8').split('\n')) {
    const [, name, value = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (name === 'FROM') {
      const [, base = '', stage = ''] = /^(\S+) AS (\S+)$/.exec(value) ?? [];
      current = [...(stages.get(base) ?? [])];
      stages.set(stage, current);
    }
    current.push({ name, value });
  }
  return stages;
}

/** The last value of an instruction in a stage, which is the one that holds. */
export function settingOf(stage: string, name: string): string {
  const found = readStages()
    .get(stage)
    ?.findLast((instruction) => instruction.name === name);
  if (found === undefined) throw new Error(`stage ${stage} has no ${name}`);
  return found.value;
}

/** An ENTRYPOINT or CMD in its exec form. */
export function commandOf(stage: string, name: 'ENTRYPOINT' | 'CMD'): readonly string[] {
  return JSON.parse(settingOf(stage, name)) as string[];
}
