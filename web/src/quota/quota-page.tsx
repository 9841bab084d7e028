/**
 * What each tenant may use, uses, has reserved and borrows; and how even it is between those who
 * compete.
 */
import { useMemo } from "preact/hooks";
import { queryState } from "../app/query-state.ts";
import { hrefWith } from "../app/router.ts";
import { isOfScope, tenantScope } from "../app/tenant-scope.ts";
import { useView } from "../live/use-live.ts";
import { useRowsAs } from "../live/use-rows-as.ts";
import type { ViewStream } from "../live/view-stream.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { LiveGate } from "../parts/live-gate.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { textFilter } from "../parts/text-filter.ts";
import { VirtualTable } from "../parts/virtual-table.tsx";
import { AccountPanel } from "./account-panel.tsx";
import { FairShares } from "./fair-shares.tsx";
import "./quota.css";
import { NARROW_QUOTA_COLUMNS, QUOTA_COLUMNS } from "./quota-columns.tsx";
import { type AccountRow, readAccount } from "./quota-row.ts";

const filter = queryState("filter");
const sort = queryState("sort", { fallback: "name" });
const selected = queryState("account", { history: "push" });

export function QuotaPage() {
  const quota = useView("quota");
  return (
    <>
      <PageHeader
        title="Quota and fairness"
        about="A bar is as long as the limit: green is used, striped is reserved, red is over the limit."
      />
      <LiveGate stream={quota} what="the quotas">
        {() => <Accounts quota={quota} />}
      </LiveGate>
    </>
  );
}

function Accounts({ quota }: { readonly quota: ViewStream }) {
  const all = useRowsAs(quota, readAccount);
  const rows = useMemo(() => {
    const fits = textFilter(filter.value);
    const ofScope = all.filter(({ key, tenants }) => [key, ...tenants].some(isOfScope));
    return ofScope.filter(({ key, group, tenants }) =>
      fits(`${key} ${group} ${tenants.join(" ")}`),
    );
  }, [all, filter.value, tenantScope.value]);
  const open = all.find(({ key }) => key === selected.value);
  return (
    <>
      <FairShares rows={all} />
      <FilterBox state={filter} label="Filter tenants" shown={rows.length} all={all.length} />
      <VirtualTable
        label="Quotas"
        rows={rows}
        columns={open === undefined ? QUOTA_COLUMNS : NARROW_QUOTA_COLUMNS}
        keyOf={keyOf}
        hrefOf={openHref}
        selected={selected.value}
        sort={sort}
        rowPx={48}
        empty={
          all.length === 0 ? (
            <EmptyState title="There are no tenants yet.">
              Create one with a quota: <code>berth apply -f tenant.yaml</code>, or see{" "}
              <code>examples/</code>.
            </EmptyState>
          ) : (
            <EmptyState title="No tenant matches.">
              Clear the filter, or choose all tenants.
            </EmptyState>
          )
        }
      />
      {open !== undefined && <AccountPanel row={open} />}
    </>
  );
}

const keyOf = ({ key }: AccountRow): string => key;
const openHref = ({ key }: AccountRow): string => hrefWith({ account: key });
