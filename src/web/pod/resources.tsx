import type { ResourceExplanation } from '../../explain/resources.ts';
import { Bytes, Unknown } from '../parts/amount.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { Sentences } from '../parts/sentences.tsx';
import type { Answered } from '../service/answered.ts';

/** How the QoS class comes about, and what the kernel makes of the containers. */
export function Resources({ resources }: { readonly resources: Answered<ResourceExplanation> }) {
  const { containers, qos, oomSentence } = resources;
  return (
    <section class="card" aria-labelledby="resources-title">
      <div class="card__head">
        <h2 id="resources-title">Why it is {qos.qosClass}</h2>
      </div>
      <p>{qos.summary}</p>
      {qos.difference !== null && <p>{qos.difference}</p>}
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
      {qos.findings.length > 0 && (
        <>
          <h3>What would make it Guaranteed</h3>
          <ul>
            {qos.findings.map(({ reason, remedy }) => (
              <li key={reason}>
                {reason}. <span class="minor">{remedy}.</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>{oomSentence}</p>
      <MemoryQos memoryQos={resources.memoryQos} />
      <Sentences title="Mind" sentences={resources.cautions} />
    </section>
  );
}

function Quantity({ text }: { readonly text: string | undefined }) {
  return <td class="number">{text ?? <Unknown text="not set" />}</td>;
}

function MemoryQos({ memoryQos }: { readonly memoryQos: Answered<ResourceExplanation>['memoryQos'] }) {
  const { settings, pod, containers } = memoryQos;
  const rows = [{ name: 'the pod', ...pod }, ...containers.map((one) => ({ name: one.container, ...one }))];
  return (
    <details>
      <summary>What Memory QoS would write to the cgroups</summary>
      <p class="minor">
        Of a kubelet with the feature MemoryQoS, a throttling factor of {settings.throttlingFactor ?? 'none'}{' '}
        and the reservation policy {settings.reservationPolicy}.
      </p>
      <Scroll label="Memory QoS">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">cgroup of</th>
              <th scope="col" class="number">
                memory.min
              </th>
              <th scope="col" class="number">
                memory.low
              </th>
              <th scope="col" class="number">
                memory.high
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, minBytes, lowBytes, highBytes }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {[minBytes, lowBytes, highBytes].map((bytes, index) => (
                  <td key={['min', 'low', 'high'][index]} class="number">
                    {bytes === null ? <Unknown text="not written" /> : <Bytes value={bytes} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
