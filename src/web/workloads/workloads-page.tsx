import { useCallback, useMemo } from 'preact/hooks';
import { compareText } from '../../foundation/text-order.ts';
import type { WorkloadRow } from '../../outputs/api/workload-list.ts';
import { Total } from '../parts/amount.tsx';
import { Facts } from '../parts/facts.tsx';
import { Absent } from '../parts/notice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { formatSort, parseSort, sortRows } from '../parts/sorting.ts';
import { Table } from '../parts/table.tsx';
import { useResource } from '../service/use-resource.ts';
import type { Address } from '../shell/address.ts';
import { PageHead } from '../shell/page-head.tsx';
import { replaceParameters } from '../shell/use-address.ts';
import { effectBytes, workloadColumns } from './workload-columns.tsx';

/** The capacity review: what each workload requests, what it needed at most, and what it should request. */
export function WorkloadsPage({ address }: { readonly address: Address }) {
  const { data, error } = useResource<{ readonly workloads: readonly WorkloadRow[] }>('api/v1/workloads');
  const search = address.parameters.get('search') ?? '';
  const namespace = address.parameters.get('namespace') ?? '';
  const sort = parseSort(address.parameters.get('sort'), { column: 'effect', isDescending: false });
  const kind = address.parameters.get('kind') ?? '';
  const [namespaces, kinds] = useMemo(
    () => [valuesOf(data?.workloads, 'namespace'), valuesOf(data?.workloads, 'workloadKind')],
    [data],
  );
  const rows = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    const found = (data?.workloads ?? [])
      .filter((row) => namespace === '' || row.namespace === namespace)
      .filter((row) => kind === '' || row.workloadKind === kind)
      .filter((row) => `${row.namespace}/${row.workload}`.toLowerCase().includes(wanted));
    const column = workloadColumns.find(({ id }) => id === sort.column);
    return sortRows(found, column?.sortValue ?? (() => undefined), sort.isDescending);
  }, [data, search, namespace, kind, sort.column, sort.isDescending]);
  const rowAt = useCallback((index: number) => rows[index], [rows]);
  const csv = new URLSearchParams({
    format: 'csv',
    ...(namespace === '' ? {} : { namespace }),
    ...(kind === '' ? {} : { kind }),
  });
  const chosen = [namespace, kind].filter((text) => text !== '').join(', ');
  return (
    <>
      <PageHead title="Workloads" />
      {data === undefined ? (
        <Absent error={error} what="the workloads" />
      ) : (
        <>
          <Totals rows={rows} />
          <div class="toolbar">
            <SearchField
              label="Search namespace/name"
              value={search}
              onChange={(text) => replaceParameters(address, { search: text })}
            />
            <SelectField
              label="Namespace"
              value={namespace}
              options={[['', 'every namespace'], ...namespaces.map((name) => [name, name] as const)]}
              onChange={(text) => replaceParameters(address, { namespace: text })}
            />
            <SelectField
              label="Kind"
              value={kind}
              options={[['', 'every kind'], ...kinds.map((name) => [name, name] as const)]}
              onChange={(text) => replaceParameters(address, { kind: text })}
            />
            <a class="button" href={`api/v1/workloads?${csv}`} download="workloads.csv">
              CSV{chosen === '' ? '' : ` of ${chosen}`}
            </a>
            <p class="toolbar__count" role="status">
              {rows.length.toLocaleString('en')} workloads
            </p>
          </div>
          <Table
            label="Workloads"
            kind="workloads"
            columns={workloadColumns}
            count={rows.length}
            rowAt={rowAt}
            rowHeightPx={{ wide: 44, narrow: 148 }}
            sort={sort}
            onSort={(next) => replaceParameters(address, { sort: formatSort(next) })}
          />
        </>
      )}
    </>
  );
}

function valuesOf(
  rows: readonly WorkloadRow[] | undefined,
  field: 'namespace' | 'workloadKind',
): readonly string[] {
  return [...new Set(rows?.map((row) => row[field]))].sort(compareText);
}

/** Of the workloads shown. */
function Totals({ rows }: { readonly rows: readonly WorkloadRow[] }) {
  const effects = rows.map(effectBytes).filter((bytes) => bytes !== null);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, bytes) => total + bytes, 0);
  return (
    <Facts
      facts={[
        [
          'requested',
          <Total key="r" bytes={sum(rows.map((row) => (row.requestBytes ?? 0) * row.replicas))} />,
        ],
        ['could be set free', <Total key="f" bytes={-sum(effects.filter((bytes) => bytes < 0))} />],
        ['is missing', <Total key="m" bytes={sum(effects.filter((bytes) => bytes > 0))} />],
      ]}
    />
  );
}
