/** One thing worth acting on, with its numbers. */
export interface Finding<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  /** What was seen, with the numbers. */
  readonly numbers: string;
  readonly remedy: string;
}

/** One row of a table of findings: when it holds, with which numbers, and what to do. */
export interface FindingRule<Subject> {
  readonly title: string;
  /** Undefined where it does not hold. */
  readonly find: (subject: Subject) => Pick<Finding, 'numbers' | 'remedy'> | undefined;
  /** Findings that explain this one: where one of them holds, this one says nothing new. */
  readonly explainedBy?: readonly string[];
}

/** The findings that hold of a subject, in the order of the table. */
export function findAll<Id extends string, Subject>(
  rules: Readonly<Record<Id, FindingRule<Subject>>>,
  subject: Subject,
): Finding<Id>[] {
  const found = (Object.entries(rules) as [Id, FindingRule<Subject>][]).flatMap(([id, rule]) => {
    const says = rule.find(subject);
    return says === undefined ? [] : [{ id, title: rule.title, ...says }];
  });
  const ids = new Set<string>(found.map(({ id }) => id));
  return found.filter(({ id }) => !(rules[id].explainedBy ?? []).some((other) => ids.has(other)));
}

export function percent(ratio: number): string {
  const value = ratio * 100;
  return `${value > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}
