import type { ResourceExplanation } from '../../explain/resources.ts';
import { Sentences } from '../parts/sentences.tsx';
import type { Answered } from '../service/answered.ts';
import { ContainerTable } from './container-table.tsx';
import { MemoryQos } from './memory-qos.tsx';

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
      <ContainerTable containers={containers} />
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
