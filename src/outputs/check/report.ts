import { type InputId, inputCatalogue, inputIds } from '../../inputs/catalogue.ts';
import type { CollectedInputs } from '../../inputs/collect.ts';
import type { QueryScope } from '../../inputs/scope.ts';
import type { InputSpec } from '../../inputs/source.ts';
import { buildCluster } from '../../model/build.ts';
import type { InputProblem, ProblemKind } from '../../model/problem.ts';
import { type Coverage, countPods, coverageOf, runningPods } from './coverage.ts';
import type { Finding } from './finding.ts';
import { findMissingLabels, findMixedClusters, findRenamedLabels } from './label-findings.ts';
import { collectedFrom, type InputProbes, type Probing, probeInputs } from './probe.ts';
import { findDownTargets, findDuplicates, findMissingJobs } from './scrape-findings.ts';

export interface InputReport {
  readonly id: InputId;
  readonly outcome: 'ok' | 'empty' | 'failed';
  /** The source used. */
  readonly source: string | null;
  readonly series: number;
  /** Share of running pods, or of nodes; null where it says nothing. */
  readonly coverage: Coverage | null;
  /** Every source in order of preference. */
  readonly sources: readonly {
    readonly metric: string;
    readonly series: number;
    readonly coveredPods: number;
    readonly error: string | null;
  }[];
  /** What is wrong without it, and what brings it back. */
  readonly cost: string;
  readonly remedy: string;
}

export interface CheckReport {
  readonly runningPods: number;
  readonly nodes: number;
  readonly inputs: readonly InputReport[];
  /** Problems first. */
  readonly findings: readonly Finding[];
}

/** Below this share of running pods with usage it is more than pods that have just started. */
const usageShareWanted = 0.95;

/** Asks for everything and says what is there, what is not, and what to do. @throws PrometheusError where nothing can be asked at all. */
export async function checkInputs(
  probing: Probing,
  priorityClasses: ReadonlyMap<string, number>,
): Promise<CheckReport> {
  const probes = await probeInputs(probing);
  const inputs = collectedFrom(probes, probing);
  requireAnswer(inputs);
  const cluster = buildCluster(inputs, { priorityClasses });
  const running = runningPods(inputs);
  const reports = inputIds.map((id) =>
    inputReport(id, { probes, inputs, scope: probing.scope, running, cluster }),
  );
  const searched = await Promise.all([
    findMissingJobs(probing, inputs),
    findRenamedLabels(probing),
    findMixedClusters(probing),
    findDuplicates(probing, inputs),
    findDownTargets(probing),
  ]);
  const findings = [
    ...cluster.problems.map(problemFinding),
    ...findMissingLabels(inputs),
    ...searched.flat(),
    ...usageFindings(reports),
    ...absenceFindings(reports),
  ];
  return {
    runningPods: running.size,
    nodes: cluster.nodes.length,
    inputs: reports,
    findings: [...findings.filter(isProblem), ...findings.filter((finding) => !isProblem(finding))],
  };
}

export function isProblem({ severity }: Finding): boolean {
  return severity === 'problem';
}

/** Where every query fails the first failure is all there is to say. */
function requireAnswer({ rows }: CollectedInputs): void {
  const all = Object.values(rows);
  const [first] = all.map(({ error }) => error).filter((error) => error !== undefined);
  if (first !== undefined && all.every(({ outcome }) => outcome === 'failed')) throw first;
}

function inputReport(
  id: InputId,
  parts: { probes: InputProbes; inputs: CollectedInputs; scope: QueryScope } & Parameters<
    typeof coverageOf
  >[1],
): InputReport {
  const { probes, inputs, scope, running } = parts;
  const row = inputs.rows[id];
  const spec: InputSpec = inputCatalogue[id];
  return {
    id,
    outcome: row.outcome,
    source: row.source?.metric ?? null,
    series: row.samples.length,
    coverage: coverageOf(row, parts) ?? null,
    sources: probes[id].map((probe) => ({
      metric: probe.source.metric,
      series: probe.samples.length,
      coveredPods: countPods(probe, scope.labels[probe.source.exporter], running),
      error: probe.error?.message ?? null,
    })),
    cost: spec.cost,
    remedy: spec.remedy,
  };
}

/** Kinds of problems that put pods in a wrong order or leave nodes unranked; of inputs it depends on the input. */
const problemKindsThatMatter: ReadonlySet<ProblemKind> = new Set<ProblemKind>([
  'priority_class_unmapped',
  'sidecar_order_unknown',
  'node_without_usage',
  'label_missing',
  'clock_differs',
]);

function problemFinding({ kind, subject, message, remedy }: InputProblem): Finding {
  const spec: InputSpec | undefined = (inputCatalogue as Readonly<Record<string, InputSpec>>)[subject];
  const isInput = kind === 'input_empty' || kind === 'input_failed' || kind === 'samples_dropped';
  const matters = isInput ? spec?.onFailure === 'abort' : problemKindsThatMatter.has(kind);
  return { severity: matters ? 'problem' : 'note', subject, message, remedy };
}

function usageFindings(reports: readonly InputReport[]): Finding[] {
  const report = reports.find(({ id }) => id === 'pod_usage');
  const coverage = report?.coverage;
  if (!report || !coverage || report.outcome !== 'ok' || coverage.covered === coverage.total) return [];
  const missing = coverage.total - coverage.covered;
  return [
    {
      severity: coverage.covered < usageShareWanted * coverage.total ? 'problem' : 'note',
      subject: 'pod_usage',
      message: `${missing} of ${coverage.total} running pods have no usage; on a node where others have, they rank first, as in the kubelet, though a hole in the scrape looks the same`,
      remedy: report.remedy,
    },
  ];
}

/** Asked for only pods that were just recreated: their absence is the rule. */
const rarelyThere: ReadonlySet<InputId> = new Set<InputId>(['pod_created', 'pod_usage_overlap']);

/** Inputs that some clusters do not have: no mistake, but the reader should know what follows from it. */
function absenceFindings(reports: readonly InputReport[]): Finding[] {
  return reports
    .filter(
      ({ id, outcome }) =>
        outcome === 'empty' && inputCatalogue[id].whenEmpty === 'normal' && !rarelyThere.has(id),
    )
    .map(({ id, sources, cost, remedy }) => ({
      severity: 'note',
      subject: id,
      message: `${id}: no series of ${sources.map(({ metric }) => metric).join(', ')}. ${cost}`,
      remedy: `where there should be some: ${remedy}`,
    }));
}

export function isFineWhenEmpty(id: InputId): boolean {
  const spec: InputSpec = inputCatalogue[id];
  return spec.whenEmpty !== 'problem';
}
