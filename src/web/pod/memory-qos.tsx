import type { ResourceExplanation } from '../../explain/resources.ts';
import { Bytes, Unknown } from '../parts/amount.tsx';
import { Scroll } from '../parts/scroll.tsx';
import type { Answered } from '../service/answered.ts';

/** Folded away: few kubelets have the feature. */
export function MemoryQos({ memoryQos }: Pick<Answered<ResourceExplanation>, 'memoryQos'>) {
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
