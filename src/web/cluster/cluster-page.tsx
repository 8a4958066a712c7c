import { useCallback, useMemo } from 'preact/hooks';
import type { NodeList, NodeRow } from '../../outputs/api/node-list.ts';
import { Absent } from '../parts/notice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { formatSort, parseSort, sortRows } from '../parts/sorting.ts';
import { Table } from '../parts/table.tsx';
import { useResource } from '../service/use-resource.ts';
import type { Address } from '../shell/address.ts';
import { PageHead } from '../shell/page-head.tsx';
import { replaceParameters } from '../shell/use-address.ts';
import { nodeColumns } from './node-columns.tsx';
import { Overview } from './overview.tsx';

/** All nodes, the tightest first. */
export function ClusterPage({ address }: { readonly address: Address }) {
  const { data, error } = useResource<NodeList>('api/v1/nodes');
  const search = address.parameters.get('search') ?? '';
  const sortText = address.parameters.get('sort');
  const sort = parseSort(sortText, { column: 'headroom', isDescending: false });
  const rows = useMemo(() => {
    const column = nodeColumns.find(({ id }) => id === sort.column);
    const found = (data?.nodes ?? []).filter((row) => matches(row, search));
    return sortRows(found, column?.sortValue ?? (() => undefined), sort.isDescending);
  }, [data, search, sort.column, sort.isDescending]);
  const rowAt = useCallback((index: number) => rows[index], [rows]);
  return (
    <>
      <PageHead title="Nodes" />
      {data === undefined ? (
        <Absent error={error} what="the nodes" />
      ) : (
        <>
          <Overview nodes={data.nodes} />
          <div class="toolbar">
            <SearchField
              label="Search nodes and first pods"
              value={search}
              onChange={(text) => replaceParameters(address, { search: text })}
            />
            <p class="toolbar__count" role="status">
              {rows.length === data.nodes.length
                ? `${rows.length.toLocaleString('en')} nodes`
                : `${rows.length.toLocaleString('en')} of ${data.nodes.length.toLocaleString('en')} nodes`}
            </p>
          </div>
          <Table
            label="Nodes"
            kind="nodes"
            columns={nodeColumns}
            count={rows.length}
            rowAt={rowAt}
            rowHeightPx={{ wide: 48, narrow: 136 }}
            sort={sort}
            onSort={(next) => replaceParameters(address, { sort: formatSort(next) })}
          />
        </>
      )}
    </>
  );
}

function matches({ node, cluster = '', firstToGo }: NodeRow, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  const first = firstToGo === null ? '' : `${firstToGo.namespace}/${firstToGo.pod}`;
  return [node, cluster, first].some((text) => text.toLowerCase().includes(wanted));
}
