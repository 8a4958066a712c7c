/** Something `evictrank check` found. A `problem` makes ranks wrong or keeps nodes unranked; a `note` does not. */
export interface Finding {
  readonly severity: 'problem' | 'note';
  /** An input, an exporter, a priority class, a job. */
  readonly subject: string;
  readonly message: string;
  /** The setting or change that repairs it. */
  readonly remedy: string;
}
