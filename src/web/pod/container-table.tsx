import type { ResourceExplanation } from '../../explain/resources.ts';
import { Unknown } from '../parts/amount.tsx';
import { Scroll } from '../parts/scroll.tsx';
import type { Answered } from '../service/answered.ts';

/** Requests and limits of each container, as written in the pod. */
export function ContainerTable({ containers }: Pick<Answered<ResourceExplanation>, 'containers'>) {
  return (
    <Scroll label="Containers">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Container</th>
            <th scope="col" class="number">
              CPU request
            </th>
            <th scope="col" class="number">
              CPU limit
            </th>
            <th scope="col" class="number">
              Memory request
            </th>
            <th scope="col" class="number">
              Memory limit
            </th>
            <th scope="col" class="number">
              oom_score_adj
            </th>
            <th scope="col">Last ended by</th>
          </tr>
        </thead>
        <tbody>
          {containers.map((container) => (
            <tr key={`${container.kind} ${container.name}`}>
              <th scope="row">
                {container.name}
                {container.kind !== 'main' && <span class="minor"> {container.kind}</span>}
              </th>
              <Quantity text={container.requests.cpu} />
              <Quantity text={container.limits.cpu} />
              <Quantity text={container.requests.memory} />
              <Quantity text={container.limits.memory} />
              <td class="number">{container.oomScoreAdj ?? <Unknown />}</td>
              <td>{container.lastTerminatedReason ?? <Unknown text="not known" />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Quantity({ text }: { readonly text: string | undefined }) {
  return <td class="number">{text ?? <Unknown text="not set" />}</td>;
}
