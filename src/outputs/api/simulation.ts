import type { z } from 'zod';
import { readMinimumReclaim, readThreshold, type Scenario, ScenarioError } from '../../scenario/scenario.ts';
import { type Simulation, simulateScenario } from '../../scenario/simulate.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { indexOf } from './cluster-index.ts';
import { HttpProblem } from './problem-details.ts';
import type { simulationRequest } from './schemas/simulation.ts';

const problems: Readonly<Record<ScenarioError['kind'], readonly [status: number, title: string]>> = {
  unknown_pod: [404, 'Not found'],
  repeated_pod: [400, 'Bad body'],
  bad_threshold: [400, 'Bad body'],
  node_incomplete: [409, 'Node not known well enough'],
};

/** Plays a scenario on the current data. @throws HttpProblem where it cannot be played. */
export function simulate(snapshot: Snapshot, request: z.output<typeof simulationRequest>): Simulation {
  const node = indexOf(snapshot).node(request.node, request.cluster);
  try {
    return simulateScenario(node, scenarioOf(request));
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const [status, title] = problems[error.kind];
    throw new HttpProblem(status, title, error.message);
  }
}

function scenarioOf(request: z.output<typeof simulationRequest>): Scenario {
  const { extraNodeUsageBytes, threshold, minimumReclaim, pods } = request;
  return {
    extraNodeUsageBytes,
    threshold: threshold === undefined ? undefined : readThreshold(threshold),
    minimumReclaim: minimumReclaim === undefined ? undefined : readMinimumReclaim(minimumReclaim),
    pods,
  };
}
