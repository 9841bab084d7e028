/** What the streams of the plane have told so far, ready to be drawn at any moment. */
import type { AuditEntry } from "../../api/audit/audit-entry.ts";
import type { AuditPage } from "../../api/audit/read-audit.ts";
import { recordOf, textOf } from "../../steering/api-object.ts";
import { RecentRate } from "./recent-rate.ts";
import type { OpenedState } from "./opened-sources.ts";
import type {
  Connection,
  NodeRow,
  Stream,
  TopState,
  ViewStream,
  WaitRow,
  WorkloadRow,
} from "./top-state.ts";
import { ViewTable } from "./view-table.ts";

/** More than fits on any screen, and enough to scroll back through an incident. */
const ENTRIES_KEPT = 500;

export class TopModel {
  readonly fleet = new ViewTable<NodeRow>();
  readonly workloads = new ViewTable<WorkloadRow>();
  readonly queue = new ViewTable<WaitRow>();
  private entries: readonly AuditEntry[] = [];
  private leader: string | undefined;
  private epoch: number | undefined;
  /** Up to here the audit trail is known; undefined: it goes on from now. */
  auditedTo: number | undefined;
  private readonly writes: RecentRate;
  private readonly binds: RecentRate;
  /** What the plane's clock showed, and when that was on ours. */
  private clock: { readonly planeMs: number; readonly nowMs: number } | undefined;
  private connections: TopState["connections"] = {
    fleet: { kind: "connecting" },
    workloads: { kind: "connecting" },
    queue: { kind: "connecting" },
    audit: { kind: "connecting" },
  };

  constructor(nowMs: number) {
    this.writes = new RecentRate(nowMs);
    this.binds = new RecentRate(nowMs);
  }

  /** What was before the streams began. */
  begin({ revision, entries }: AuditPage, lead: AuditEntry | undefined): void {
    this.auditedTo = revision;
    this.entries = entries;
    this.epoch = entries[0]?.epoch ?? lead?.epoch;
    this.leader = lead?.actor.name;
  }

  connected(stream: Stream, connection: Connection): void {
    this.connections = { ...this.connections, [stream]: connection };
  }

  tellView(stream: ViewStream, line: unknown, nowMs: number): void {
    const table = this[stream];
    table.apply(line);
    if (table.atMs !== undefined) this.clock = { planeMs: table.atMs, nowMs };
  }

  tellAudit(line: unknown, nowMs: number): void {
    const { type, revision } = recordOf(line);
    if (typeof revision === "number") this.auditedTo = revision;
    if (textOf(type) !== "entry") return;
    const entry = line as AuditEntry;
    this.entries = [entry, ...this.entries.slice(0, ENTRIES_KEPT - 1)];
    this.epoch = entry.epoch;
    if (entry.command === "lead") this.leader = entry.actor.name;
    this.writes.note(nowMs, 1);
    this.binds.note(nowMs, boundBy(entry));
  }

  state(plane: string, nowMs: number, opened: OpenedState): TopState {
    const { clock, leader, epoch, entries, connections } = this;
    const planeMs = clock === undefined ? nowMs : clock.planeMs + (nowMs - clock.nowMs);
    const { fleet, workloads, queue, auditedTo } = this;
    const revisions = [fleet.revision, workloads.revision, queue.revision, auditedTo];
    const revision = Math.max(...revisions.map((each) => each ?? 0));
    return {
      plane,
      leader,
      epoch,
      revision: revision === 0 ? undefined : revision,
      bindsPerSecond: this.binds.perSecond(nowMs),
      writesPerSecond: this.writes.perSecond(nowMs),
      nodes: fleet.rows,
      workloads: workloads.rows,
      waits: queue.rows,
      ...opened,
      entries,
      connections,
      planeMs,
      nowMs,
    };
  }
}

/** How many replicas it gave a node. */
function boundBy({ command, objects, more }: AuditEntry): number {
  if (command !== "bind" && command !== "bind-all") return 0;
  return more + objects.filter(({ key }) => key.startsWith("replica/")).length;
}
