import { useMemo } from 'preact/hooks';
import { windowName } from '../../explain/wording.ts';
import { describeError } from '../../foundation/errors.ts';
import type { NodeDetail } from '../../outputs/api/node-detail.ts';
import { ScenarioError } from '../../scenario/scenario.ts';
import { Bytes } from '../parts/amount.tsx';
import { Choice } from '../parts/choice.tsx';
import { Facts } from '../parts/facts.tsx';
import { Absent, Notice } from '../parts/notice.tsx';
import { useResource } from '../service/use-resource.ts';
import type { Address } from '../shell/address.ts';
import { PageHead } from '../shell/page-head.tsx';
import { replaceParameters } from '../shell/use-address.ts';
import { Ladder } from './ladder.tsx';
import { asRanked, keyOf, missingPods, type Play, play } from './play.ts';
import { changePod } from './pod-changes.ts';
import { noScenario, readSettings, type ScenarioSettings, writeSettings } from './scenario-address.ts';
import { Simulator } from './simulator.tsx';

export function NodePage({ address, node }: { readonly address: Address; readonly node: string }) {
  const cluster = address.parameters.get('cluster') ?? undefined;
  const query = cluster === undefined ? '' : `?cluster=${encodeURIComponent(cluster)}`;
  const { data, error } = useResource<NodeDetail>(`api/v1/nodes/${encodeURIComponent(node)}${query}`);
  return (
    <>
      <PageHead title={node} kind="Node" trail={[['Nodes', '#/nodes']]} />
      {data === undefined ? (
        <Absent error={error} what="the node" />
      ) : (
        <NodeView detail={data} address={address} cluster={cluster} />
      )}
    </>
  );
}

function NodeView({
  detail,
  address,
  cluster,
}: {
  readonly detail: NodeDetail;
  readonly address: Address;
  readonly cluster: string | undefined;
}) {
  const text = address.parameters.toString();
  const { settings, problems } = useMemo(() => readSettings(new URLSearchParams(text)), [text]);
  const outcome = useMemo(() => tryToPlay(detail, settings), [detail, settings]);
  const change = (next: Partial<ScenarioSettings>) =>
    replaceParameters(address, writeSettings({ ...settings, ...next }));
  const { basis } = settings;
  const isChanged = Object.values(writeSettings({ ...settings, basis: 'now' })).some(
    (value) => value !== undefined && value.length > 0,
  );
  return (
    <>
      <div class="node-top">
        <Facts
          facts={[
            ['available', <Bytes key="a" value={detail.availableBytes} />],
            ['threshold', <Bytes key="t" value={detail.thresholdBytes} />],
            ['capacity', <Bytes key="c" value={detail.capacityBytes} />],
            ['allocatable', <Bytes key="l" value={detail.allocatableBytes} />],
            ['pods', detail.pods.length],
          ]}
        />
        <Choice
          label="Memory use of the pods"
          name="basis"
          value={basis}
          options={[
            ['now', 'Use now'],
            ['peak', `${windowName(detail.windowSeconds)} peaks at once`],
          ]}
          onChange={(next) => change({ basis: next })}
        />
      </div>
      {problems.length > 0 && (
        <Notice kind="warning" title="Parts of the address cannot be read">
          {problems.join('; ')}
        </Notice>
      )}
      {missingPods(detail, settings.pods).map((pod) => (
        <Notice key={keyOf(pod)} kind="warning" title={`${keyOf(pod)} is not on this node any more`}>
          Its change is left out.
        </Notice>
      ))}
      {'reason' in outcome ? (
        <Notice kind="warning" title="Nothing can be simulated here">
          {outcome.reason}
        </Notice>
      ) : (
        <Simulator
          detail={detail}
          played={outcome}
          settings={settings}
          onChange={change}
          onReset={() => change({ ...noScenario, basis })}
          isChanged={isChanged}
        />
      )}
      <Ladder
        pods={'reason' in outcome ? asRanked(detail) : outcome.pods}
        cluster={cluster}
        basis={basis}
        onChangePod={
          'reason' in outcome
            ? undefined
            : ({ pod }, fields) => {
                const measured = basis === 'peak' ? pod.usagePeakBytes : pod.usageNowBytes;
                change({ pods: changePod(settings.pods, pod, fields, measured) });
              }
        }
      />
    </>
  );
}

function tryToPlay(detail: NodeDetail, settings: ScenarioSettings): Play | { readonly reason: string } {
  try {
    return play(detail, settings);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return { reason: describeError(error) };
  }
}
