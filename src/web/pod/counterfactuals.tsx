import type { Counterfactual } from '../../explain/counterfactuals.ts';
import type { Place } from '../../explain/ranking.ts';
import { noScenario, writeSettings } from '../node/scenario-address.ts';
import { GroupChip } from '../parts/group.tsx';
import { Scroll } from '../parts/scroll.tsx';
import type { Answered } from '../service/answered.ts';
import { formatAddress } from '../shell/address.ts';
import type { PodAnswer } from './pod-page.tsx';

/** What would change the pod's place; each can be tried on its node. */
export function Counterfactuals({ pod }: { readonly pod: PodAnswer }) {
  const { counterfactuals } = pod.explanation;
  if (counterfactuals.length === 0) return null;
  return (
    <section class="card" aria-labelledby="counterfactuals-title">
      <div class="card__head">
        <h2 id="counterfactuals-title">What would change it</h2>
      </div>
      <Scroll label="Changes">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Change of this pod alone</th>
              <th scope="col">Then, as things are now</th>
              <th scope="col">With every pod at its peak</th>
              <th scope="col">
                <span class="only-read">Try</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {counterfactuals.map((one) => (
              <tr key={one.sentence}>
                <td>{one.sentence}</td>
                <td>
                  <PlaceText place={one.now} />
                </td>
                <td>
                  <PlaceText place={one.peak} />
                </td>
                <td>
                  <a class="button button--quiet" href={trialAddress(pod, one)}>
                    Try<span class="only-read"> on the node: {one.sentence}</span>
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function PlaceText({ place }: { readonly place: Answered<Place> }) {
  return (
    <span class="place-text">
      {place.rank === null ? null : (
        <>
          {place.rank} of {place.rankedPods}
        </>
      )}
      <GroupChip group={place.group} />
    </span>
  );
}

function trialAddress(pod: PodAnswer, { change }: Answered<Counterfactual>): string {
  const { priority, requestBytes, usageBytes } = change;
  return formatAddress(['nodes', pod.node], {
    cluster: pod.cluster ?? undefined,
    ...writeSettings({
      ...noScenario,
      pods: [
        {
          namespace: pod.namespace,
          pod: pod.pod,
          priority: priority ?? undefined,
          requestBytes: requestBytes ?? undefined,
          usageBytes: usageBytes ?? undefined,
        },
      ],
    }),
  });
}
