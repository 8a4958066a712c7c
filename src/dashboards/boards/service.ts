import { layOut } from '../layout.ts';
import {
  ageOfData,
  cpu,
  eventLoopLag,
  inputProblemCount,
  inputProblemsByKind,
  memory,
  queryDuration,
  refreshDuration,
  refreshOutcomes,
  samplesRead,
  sourceUp,
  version,
  windowCoverage,
} from '../panels/service-panels.ts';
import { variables } from '../variables.ts';

export const serviceBoard = () =>
  layOut({
    board: 'service',
    description:
      'Whether the numbers of the other dashboards are fresh and whole, and what it costs to get them.',
    from: 'now-6h',
    variables: [variables.datasource()],
    rows: [
      {
        title: 'Now',
        panels: [sourceUp(), ageOfData(), windowCoverage(), inputProblemCount(), version()],
      },
      {
        title: 'Refreshes and queries',
        panels: [refreshDuration(), refreshOutcomes(), queryDuration(), samplesRead()],
      },
      { title: 'Process', panels: [inputProblemsByKind(), memory(), cpu(), eventLoopLag()] },
    ],
  });
