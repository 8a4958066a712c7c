import type { ComponentChildren } from 'preact';
import type { QosClass } from '../../kubelet/qos-class.ts';
import type { NodeRow } from '../../outputs/api/node-list.ts';
import { Bytes } from '../parts/amount.tsx';
import { groupOrder, groupWords } from '../parts/group.tsx';
import { formatAddress, nodeAddress } from '../shell/address.ts';

const qosClasses: readonly QosClass[] = ['Guaranteed', 'Burstable', 'BestEffort'];

/** The cluster in a few numbers. */
export function Overview({ nodes }: { readonly nodes: readonly NodeRow[] }) {
  const pods = nodes.reduce((sum, row) => sum + row.pods, 0);
  const tightest = nodes.find(({ headroomBytes }) => headroomBytes !== null);
  const under = nodes.filter(({ headroomBytes }) => headroomBytes !== null && headroomBytes <= 0).length;
  const groups = groupOrder.map((group) => ({
    name: group,
    label: groupWords[group].label,
    pods: sum(nodes, (row) => row.groups[group]),
  }));
  const unranked = pods - sum(groups, (group) => group.pods);
  const classes = qosClasses.map((name) => ({
    name,
    label: name,
    pods: sum(nodes, (row) => row.qosClasses[name]),
  }));
  return (
    <div class="tiles">
      <section class="card tile">
        <h2 class="tile__title">Least headroom</h2>
        {tightest === undefined ? (
          <p class="tile__value">–</p>
        ) : (
          <>
            <p class={`tile__value${(tightest.headroomBytes ?? 1) <= 0 ? ' alarming' : ''}`}>
              <Bytes value={tightest.headroomBytes} />
            </p>
            <p class="tile__note">
              <a href={nodeAddress(tightest)}>{tightest.node}</a>
              {under > 0 && `, ${under === 1 ? 'evicting now' : `one of ${under} at the threshold`}`}
            </p>
          </>
        )}
      </section>
      <Split title="Pods by group" total={pods} entries={groups} parameter="group">
        {unranked > 0 && (
          <li class="minor">
            <strong>{unranked.toLocaleString('en')}</strong> not ranked: data missing
          </li>
        )}
      </Split>
      <Split title="Pods by QoS class" total={pods} entries={classes} parameter="qos_class" />
    </div>
  );
}

function Split({
  title,
  total,
  entries,
  parameter,
  children,
}: {
  readonly title: string;
  readonly total: number;
  readonly entries: readonly { readonly name: string; readonly label: string; readonly pods: number }[];
  readonly parameter: string;
  readonly children?: ComponentChildren;
}) {
  const shown = entries.filter(({ pods }) => pods > 0);
  return (
    <section class="card tile">
      <h2 class="tile__title">{title}</h2>
      <div class="split" aria-hidden="true">
        {shown.map(({ name, pods }) => (
          <span key={name} class={`split__part tone-${name}`} style={{ width: `${(100 * pods) / total}%` }} />
        ))}
      </div>
      <ul class="tile__list">
        {shown.map(({ name, label, pods }) => (
          <li key={name}>
            <a href={formatAddress(['pods'], { [parameter]: name })} class="tile__link">
              <span class={`dot tone-${name}`} aria-hidden="true" />
              <strong>{pods.toLocaleString('en')}</strong> {label}
            </a>
          </li>
        ))}
        {children}
      </ul>
    </section>
  );
}

function sum<Row>(rows: readonly Row[], countOf: (row: Row) => number | undefined): number {
  return rows.reduce((total, row) => total + (countOf(row) ?? 0), 0);
}
