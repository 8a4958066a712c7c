import { Command, InvalidArgumentError, Option } from 'commander';
import { noFacts } from '../../review/placed.ts';
import { type Review, reviewCapacity } from '../../review/review.ts';
import { workloadFindings } from '../../review/workload-findings.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { chooseWorkloads, type ReviewChoice, type SortKey, sortKeys } from '../review/choice.ts';
import { reviewCsv } from '../review/review-csv.ts';
import { reviewHtml } from '../review/review-html.ts';
import { reviewMarkdown } from '../review/review-markdown.ts';
import { reviewPatches } from '../review/review-patch.ts';
import { reviewDocument } from '../review/review-rows.ts';
import { reviewTable } from '../review/review-table.ts';
import { type CommandContext, jsonText } from './command-context.ts';
import { loadReview } from './review-source.ts';
import { type Given, repeatable } from './settings.ts';
import { addSourceOptions, chooseSource } from './source-options.ts';
import { colorsOf, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Every format a review has, and how it is written. */
const formats = {
  table: (review, { terminal }) => reviewTable(review, terminal.columns, colorsOf(terminal)),
  json: (review, { snapshot }) => jsonText(reviewDocument(review, snapshot.evaluatedAtMs)),
  csv: (review, { snapshot }) => reviewCsv(review, snapshot.hasClusterLabel),
  markdown: (review, { snapshot }) => reviewMarkdown(review, snapshot.evaluatedAtMs),
  html: (review, { snapshot }) => reviewHtml(review, snapshot.evaluatedAtMs),
} as const satisfies Record<string, (review: Review, printing: Printing) => string>;

interface Printing {
  readonly terminal: Terminal;
  readonly snapshot: Snapshot;
}

/** `evictrank review`: what each workload should request, and what that frees. */
export function reviewCommand(context: CommandContext): Command {
  const command = new Command('review')
    .description('Print what each workload should request, why, and what that frees.')
    .addOption(new Option('--output <FORMAT>', 'format').choices(Object.keys(formats)).default('table'))
    .addOption(
      new Option('--sort <KEY>', 'order of the workloads').choices(Object.keys(sortKeys)).default('change'),
    )
    .option('--top <N>', 'only the first N workloads', wholeNumber)
    .addOption(repeatable(new Option('--namespace <NAME>', 'only this namespace; may be repeated')))
    .addOption(
      repeatable(
        new Option('--kind <KIND>', 'only workloads of this kind, such as Deployment; may be repeated'),
      ),
    )
    .addOption(
      repeatable(
        new Option(
          '--finding <ID>',
          `only workloads with this finding (${Object.keys(workloadFindings).join(', ')}); may be repeated`,
        ),
      ),
    )
    .option(
      '--include-memory-autoscaled',
      'recommend for workloads that a HorizontalPodAutoscaler scales on memory, too',
    );
  command.option('--patch', 'print patches for kustomize or kubectl patch instead');
  addSourceOptions(command);
  command.addHelpText(
    'after',
    `
Examples:
  $ evictrank review --prometheus.url=http://localhost:9090 --sort freed --top 10
  $ evictrank review --prometheus.url=http://localhost:9090 --output html > review.html
  $ evictrank review --prometheus.url=http://localhost:9090 --namespace shop --patch > patches.yaml
  $ evictrank review --snapshot cluster.json.gz

  A snapshot holds less than its Prometheus; the head of its review says what is left out.`,
  );
  return command.action(async (given: Given) => {
    const source = chooseSource(given, context.terminal.environment);
    if (source.kind === 'files') {
      throw new UsageError('files show one moment: a review needs --prometheus.url, or a --snapshot of one');
    }
    const choice = choiceOf(given);
    const { snapshot, facts } = await loadReview(source, context);
    const review = reviewCapacity(snapshot, facts ?? noFacts, {
      margin: snapshot.requestMargin,
      windowHours: snapshot.windowSeconds / 3600,
      includesMemoryAutoscaled: given.includeMemoryAutoscaled === true,
    });
    const chosen = chooseWorkloads(review, choice);
    const { terminal } = context;
    terminal.write(
      given.patch === true
        ? reviewPatches(chosen)
        : formats[given.output as keyof typeof formats](chosen, { terminal, snapshot }),
    );
  });
}

/** @throws UsageError */
function choiceOf(given: Given): ReviewChoice {
  const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
  const unknown = list(given.finding).find((id) => !Object.hasOwn(workloadFindings, id));
  if (unknown !== undefined) throw new UsageError(`there is no finding ${unknown} (see --help)`);
  return {
    namespaces: list(given.namespace),
    kinds: list(given.kind),
    findings: list(given.finding),
    sort: given.sort as SortKey,
    top: given.top as number | undefined,
  };
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('must be a whole number from 1 on');
  return value;
}
