/**
 * Who changed what, when and on which grounds: people, controllers and agents, newest first, as it
 * happens.
 */
import { useEffect, useMemo } from "preact/hooks";
import type { AuditEntry } from "../../../src/api/audit/audit-entry.ts";
import { queryState } from "../app/query-state.ts";
import { hrefWith } from "../app/router.ts";
import { tenantScope } from "../app/tenant-scope.ts";
import { notify } from "../app/notices.ts";
import { failureOf } from "../live/api-failure.ts";
import { hold, streamAt } from "../live/held-streams.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { isNarrow } from "../parts/is-narrow.ts";
import { LiveGate } from "../parts/live-gate.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { textFilter } from "../parts/text-filter.ts";
import { VirtualTable } from "../parts/virtual-table.tsx";
import "./audit.css";
import { AUDIT_COLUMNS, NARROW_AUDIT_COLUMNS, NARROW_ROW_PX, ROW_PX } from "./audit-columns.tsx";
import { AuditStream } from "./audit-stream.ts";
import { EntryPanel } from "./entry-panel.tsx";

const kind = queryState("kind");
const actor = queryState("actor", { history: "push" });
const key = queryState("key", { history: "push" });
const filter = queryState("filter");
const selected = queryState("entry", { history: "push" });

const KINDS = [
  { id: "", label: "All actors" },
  { id: "human", label: "People" },
  { id: "controller", label: "Controllers" },
  { id: "agent", label: "Agents" },
];

export function AuditPage() {
  const stream = useAudit();
  return (
    <>
      <PageHeader
        title="Audit"
        about="Every committed change, read from the log, without heartbeats."
      />
      <div class="audit-bar">
        <Tabs label="Changes by" parameter="kind" current={kind.value} tabs={KINDS} />
        <Narrowed name="actor" value={actor.value} />
        <Narrowed name="key" value={key.value} />
      </div>
      <LiveGate stream={stream} what="the audit trail">
        {() => <Entries stream={stream} />}
      </LiveGate>
    </>
  );
}

function useAudit(): AuditStream {
  const of = { kind: kind.value, actor: actor.value, key: key.value, tenant: tenantScope.value };
  const address = `audit ${of.kind} ${of.actor} ${of.key} ${of.tenant}`;
  const stream = streamAt(address, () => new AuditStream(of));
  useEffect(() => {
    streamAt(address, () => stream);
    return hold(address);
  }, [address]);
  return stream;
}

function Entries({ stream }: { readonly stream: AuditStream }) {
  const all = stream.entries.value ?? [];
  const rows = useMemo(() => {
    const fits = textFilter(filter.value);
    return all.filter((entry) => fits(textOf(entry)));
  }, [all, filter.value]);
  const open = all.find(({ revision }) => String(revision) === selected.value);
  const older = (): void => {
    stream.loadOlder().catch((error: unknown) => notify(failureOf(error).message, "bad"));
  };
  return (
    <>
      <FilterBox state={filter} label="Filter entries" shown={rows.length} all={all.length} />
      <VirtualTable
        label="Audit trail"
        rows={rows}
        columns={isNarrow.value ? NARROW_AUDIT_COLUMNS : AUDIT_COLUMNS}
        rowPx={isNarrow.value ? NARROW_ROW_PX : ROW_PX}
        mayGrow
        keyOf={keyOf}
        hrefOf={openHref}
        selected={selected.value}
        empty={
          <EmptyState title="No entry matches.">
            Remove a filter, or load older entries below.
          </EmptyState>
        }
      />
      <p class="audit-end">
        {stream.next.value !== undefined && (
          <button type="button" class="button" onClick={older}>
            Show older entries
          </button>
        )}{" "}
        <span class="quiet">{stream.says.value}</span>
      </p>
      {open !== undefined && <EntryPanel entry={open} />}
    </>
  );
}

/** What the plane was asked for, with the way back. */
function Narrowed({ name, value }: { readonly name: "actor" | "key"; readonly value: string }) {
  if (value === "") return null;
  return (
    <a class="button" href={hrefWith({ [name]: undefined })}>
      {name === "actor" ? "by" : "about"} {value} <span aria-label="show all">✕</span>
    </a>
  );
}

const keyOf = ({ revision }: AuditEntry): string => String(revision);
const openHref = ({ revision }: AuditEntry): string => hrefWith({ entry: String(revision) });
const textOf = ({ summary, actor: by, command, revision }: AuditEntry): string =>
  `${revision} ${by.name} ${command} ${summary}`;
