import type { ExplainedPod } from '../../outputs/api/explanation.ts';
import { Bytes, wholeText } from '../parts/amount.tsx';
import { Facts } from '../parts/facts.tsx';
import { Absent, Notice } from '../parts/notice.tsx';
import type { Answered } from '../service/answered.ts';
import { useResource } from '../service/use-resource.ts';
import type { Address } from '../shell/address.ts';
import { formatAddress, nodeAddress } from '../shell/address.ts';
import { PageHead } from '../shell/page-head.tsx';
import { Counterfactuals } from './counterfactuals.tsx';
import { PeakChart } from './peak-chart.tsx';
import { PlaceCard } from './place-card.tsx';
import { Resources } from './resources.tsx';

export type PodAnswer = Answered<ExplainedPod>;

export function PodPage({
  address,
  namespace,
  pod,
}: {
  readonly address: Address;
  readonly namespace: string;
  readonly pod: string;
}) {
  const cluster = address.parameters.get('cluster');
  const query = cluster === null ? '' : `?cluster=${encodeURIComponent(cluster)}`;
  const path = `api/v1/pods/${encodeURIComponent(namespace)}/${encodeURIComponent(pod)}`;
  const { data, error } = useResource<PodAnswer>(`${path}${query}`);
  return (
    <>
      <PageHead
        title={pod}
        kind="Pod"
        trail={[
          ['Pods', '#/pods'],
          [namespace, formatAddress(['pods'], { namespace })],
        ]}
      />
      {data === undefined ? (
        <Absent error={error} what="the pod" />
      ) : (
        <PodView pod={data} peaks={`${path}/peaks${query}`} />
      )}
    </>
  );
}

function PodView({ pod, peaks }: { readonly pod: PodAnswer; readonly peaks: string }) {
  const { explanation, now, peak } = pod;
  const cluster = pod.cluster ?? undefined;
  return (
    <>
      <Facts
        facts={[
          [
            'node',
            <a key="node" href={nodeAddress({ node: pod.node, cluster })}>
              {pod.node}
            </a>,
          ],
          ['workload', `${pod.workload.kind} ${pod.workload.name}`],
          ['QoS class', now.qosClass ?? 'not known'],
          [
            'priority',
            `${wholeText(now.priority)}${pod.priorityClass === null ? '' : ` (${pod.priorityClass})`}`,
          ],
          ['request', <Bytes key="request" value={now.requestBytes} />],
        ]}
      />
      <section class="card pod-summary">
        <p class="lead">{explanation.summary}</p>
        <p>{explanation.distance.sentence}</p>
      </section>
      {explanation.cautions.map((caution) => (
        <Notice key={caution} kind="warning">
          {caution}
        </Notice>
      ))}
      <div class="pair-of-cards">
        <PlaceCard title="Now" place={now} explanation={explanation.now} />
        <PlaceCard
          title="With every pod at its peak"
          place={peak}
          explanation={explanation.peak}
          timeOverRequestRatio={pod.timeOverRequestRatio}
        />
      </div>
      <PeakChart path={peaks} />
      <Counterfactuals pod={pod} />
      {explanation.resources === null ? null : <Resources resources={explanation.resources} />}
    </>
  );
}
