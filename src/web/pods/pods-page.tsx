import { groupOrder, groupWords } from '../parts/group.tsx';
import { Absent } from '../parts/notice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { Table } from '../parts/table.tsx';
import type { Address } from '../shell/address.ts';
import { PageHead } from '../shell/page-head.tsx';
import { replaceParameters } from '../shell/use-address.ts';
import { podColumns } from './pod-columns.tsx';
import { usePages } from './use-pages.ts';

/** Parameters of the address that are the API's own. */
const filters = ['search', 'group', 'qos_class', 'namespace', 'node', 'cluster', 'basis', 'sort'] as const;

/** Filters that only links set; they can be removed. */
const shownAsChips = ['namespace', 'node', 'cluster'] as const;

/** Unlike the API's own: whoever opens the page asks what goes first. */
const defaultSort = 'headroom';

/** Every pod of the cluster, node by node, in the order of eviction. */
export function PodsPage({ address }: { readonly address: Address }) {
  const value = (name: (typeof filters)[number]) => address.parameters.get(name) ?? '';
  const query = new URLSearchParams({
    ...Object.fromEntries(filters.map((name) => [name, value(name)]).filter(([, text]) => text !== '')),
    sort: value('sort') || defaultSort,
  }).toString();
  const { total, rowAt, show, error } = usePages(query);
  const set = (name: (typeof filters)[number]) => (text: string) =>
    replaceParameters(address, { [name]: text });
  return (
    <>
      <PageHead title="Pods" />
      <div class="toolbar">
        <SearchField label="Search namespace/name" value={value('search')} onChange={set('search')} />
        <SelectField
          label="Group"
          value={value('group')}
          options={[
            ['', 'every group'],
            ...groupOrder.map((group) => [group, groupWords[group].label] as const),
          ]}
          onChange={set('group')}
        />
        <SelectField
          label="QoS class"
          value={value('qos_class')}
          options={[
            ['', 'every class'],
            ['Guaranteed', 'Guaranteed'],
            ['Burstable', 'Burstable'],
            ['BestEffort', 'BestEffort'],
          ]}
          onChange={set('qos_class')}
        />
        <SelectField
          label="Basis"
          value={value('basis')}
          options={[
            ['', 'use now'],
            ['peak', 'peaks'],
          ]}
          onChange={set('basis')}
        />
        <SelectField
          label="Order"
          value={value('sort')}
          options={[
            ['', 'least headroom first'],
            ['node', 'by node'],
          ]}
          onChange={set('sort')}
        />
        {shownAsChips.map(
          (name) =>
            value(name) !== '' && (
              <button
                key={name}
                type="button"
                class="button"
                aria-label={`Remove filter: ${name} ${value(name)}`}
                onClick={() => set(name)('')}
              >
                {name}: {value(name)} <span aria-hidden="true">×</span>
              </button>
            ),
        )}
        {total !== undefined && (
          <p class="toolbar__count" role="status">
            {total.toLocaleString('en')} {total === 1 ? 'pod' : 'pods'}
          </p>
        )}
      </div>
      {total === undefined ? (
        <Absent error={error} what="the pods" />
      ) : (
        <Table
          label="Pods"
          kind="pods"
          columns={podColumns}
          count={total}
          rowAt={rowAt}
          rowHeightPx={{ wide: 44, narrow: 148 }}
          onShow={show}
        />
      )}
    </>
  );
}
