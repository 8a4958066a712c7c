import type { EvictionMessageMeaning } from '../../explain/eviction-message-meaning.ts';
import type { KubeletTextMeaning } from '../../explain/kubelet-text.ts';
import type { RankedLogMeaning } from '../../explain/ranked-log-meaning.ts';
import { Facts } from '../parts/facts.tsx';
import { GroupChip } from '../parts/group.tsx';
import { Sentences } from '../parts/sentences.tsx';
import type { Answered } from '../service/answered.ts';
import { nodeAddress, podAddress } from '../shell/address.ts';

export function MessageMeaning({ meaning }: { readonly meaning: Answered<KubeletTextMeaning> }) {
  return (
    <section class="card meaning" aria-live="polite" aria-label="What it means">
      <p class="lead">{meaning.summary}</p>
      {meaning.kind === 'ranked_pods' && <RankedPods meaning={meaning} />}
      {(meaning.kind === 'node_pressure' || meaning.kind === 'storage_limit') && (
        <Eviction meaning={meaning} />
      )}
    </section>
  );
}

function Eviction({ meaning }: { readonly meaning: Answered<EvictionMessageMeaning> }) {
  const { resource, threshold, group, named, reasons, remedies, caveats } = meaning;
  return (
    <>
      <Facts
        facts={[
          ...(resource === null ? [] : [['short of', resource] as const]),
          ...(threshold === null
            ? []
            : [['threshold', threshold.quantity] as const, ['available', threshold.available] as const]),
          ...(group === null ? [] : [['group', <GroupChip key="group" group={group} />] as const]),
        ]}
      />
      {named.length > 0 && (
        <table class="plain">
          <caption class="only-read">What the message names</caption>
          <thead>
            <tr>
              <th scope="col">Named</th>
              <th scope="col" class="number">
                Usage
              </th>
              <th scope="col" class="number">
                Request
              </th>
            </tr>
          </thead>
          <tbody>
            {named.map(({ what, name, usage, request }) => (
              <tr key={`${what} ${name}`}>
                <th scope="row">
                  <span class="minor">{what}</span> {name}
                </th>
                <td class="number">{usage}</td>
                <td class="number">{request}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Sentences title="Why" sentences={reasons} />
      <Sentences title="What would have helped" sentences={remedies} />
      <Sentences title="Mind" sentences={caveats} />
    </>
  );
}

function RankedPods({ meaning }: { readonly meaning: Answered<RankedLogMeaning> }) {
  const { pods, comparison } = meaning;
  return (
    <>
      {comparison !== null && (
        <>
          <Facts
            facts={[
              [
                'compared with',
                <a
                  key="node"
                  href={nodeAddress({ node: comparison.node, cluster: comparison.cluster ?? undefined })}
                >
                  {comparison.node}
                </a>,
              ],
              ['agree', `${comparison.agreed} of ${comparison.compared}`],
            ]}
          />
          {comparison.parting !== null && <p>{comparison.parting.sentence}</p>}
          <Sentences title="Only in the log" sentences={comparison.onlyLogged} />
          <Sentences title="Only on the node now" sentences={comparison.onlyRanked} />
        </>
      )}
      <h2>The kubelet's order</h2>
      <ol class="order">
        {pods.map(({ namespace, pod }) => (
          <li key={`${namespace}/${pod}`}>
            <a href={podAddress({ namespace, pod, cluster: comparison?.cluster ?? undefined })}>
              {namespace}/{pod}
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}
