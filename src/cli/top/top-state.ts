/**
 * Everything that one frame of `berth top` is made of: what the plane has told, and where the
 * reader is.
 */
import type { AuditEntry } from "../../api/audit/audit-entry.ts";

/** Capacity, and what is committed, reclaimable, reserved, kept for recovery and free of it. */
export type Shares = readonly [number, number, number, number, number, number];

export interface NodeRow {
  readonly node: string;
  readonly region: string;
  readonly zone: string;
  /** `ready,cordoned`: how it is, and what else keeps work away. */
  readonly health: string;
  readonly since: number;
  readonly why: string;
  readonly cordons: readonly { readonly by: string; readonly why: string }[];
  readonly drain: { readonly by: string; readonly why: string } | null;
  readonly supply: "hard" | "soft";
  readonly cpu: Shares;
  readonly memory: Shares;
  readonly devices: Shares;
  readonly replicas: number;
  readonly leaving: number;
}

export interface WaitRow {
  readonly wait: string;
  readonly class: "waiting" | "owed";
  readonly subject: string;
  readonly tenant: string;
  readonly priority: { readonly name: string; readonly value: number } | null;
  readonly position: number | null;
  readonly count: number | null;
  readonly since: number | null;
  readonly reason: string;
  readonly text: string;
  readonly owner: string;
  readonly estimateMs: number | null;
  /** A plane of an earlier build does not send it. */
  readonly upToMs?: number | null;
}

export interface WorkloadRow {
  /** As tenant/name. */
  readonly workload: string;
  readonly wanted: number;
  readonly ready: number;
  readonly stages: Readonly<Record<string, number>>;
  /** The most first. */
  readonly pending: readonly {
    readonly count: number;
    readonly text: string;
    readonly cause: string;
  }[];
  readonly rollout: { readonly stage: string; readonly reason: string | null } | null;
  readonly batch: { readonly completions: number; readonly succeeded: number } | null;
  readonly deleting: number | null;
  /** The worst first. */
  readonly problems: readonly {
    readonly reason: string;
    readonly message: string;
    readonly cause?: string;
  }[];
}

export interface ReplicaRow {
  readonly tenant: string;
  readonly name: string;
  readonly index: number;
  readonly stage: string;
  readonly since: number;
  /** Empty: it has none. */
  readonly node: string;
  readonly restarts: number;
  /** What the stage means, in one word and in a sentence. */
  readonly reason: string;
  readonly message: string;
  /** How its last process ended, or what its probe got; empty: nothing is known. */
  readonly cause: string;
}

/** What was read for a level that the reader opened. */
export interface Loaded<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  /** What there is to say above the rows, or in their place. */
  readonly note: string;
}

/** How one stream of the plane is doing. */
export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "lost"; readonly sinceMs: number; readonly message: string };

export const VIEWS = ["fleet", "workloads", "queue"] as const;
export type ViewStream = (typeof VIEWS)[number];
export type Stream = ViewStream | "audit";

export interface TopState {
  readonly plane: string;
  readonly leader: string | undefined;
  readonly epoch: number | undefined;
  readonly revision: number | undefined;
  readonly bindsPerSecond: number;
  readonly writesPerSecond: number;
  readonly nodes: readonly NodeRow[];
  readonly workloads: readonly WorkloadRow[];
  readonly waits: readonly WaitRow[];
  /** Of the level that is open; empty where none is. */
  readonly replicas: Loaded<ReplicaRow>;
  readonly log: Loaded<string>;
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  readonly connections: Readonly<Record<Stream, Connection>>;
  /** The plane's clock, as far as it is known, and the terminal's own. */
  readonly planeMs: number;
  readonly nowMs: number;
}

/** Those of the overview, side by side. */
export const PANES = ["nodes", "workloads", "queue", "events"] as const;
/** Those that the reader opens from a row or by a key, each alone on the screen. */
type Level = "replicas" | "log" | "help";
export type Pane = (typeof PANES)[number] | Level;

/** What `s` goes through in each pane; the first is what it begins with. */
export const SORTS = {
  nodes: ["fullness", "name", "health", "replicas"],
  workloads: ["health", "name", "replicas"],
  queue: ["position", "waiting", "workload"],
  events: ["newest", "oldest"],
  replicas: ["name", "stage", "node", "restarts"],
  log: ["time"],
  help: ["use"],
} as const satisfies Readonly<Record<Pane, readonly string[]>>;

/** The replicas that a level is about. */
export interface Source {
  readonly path: string;
  readonly fieldSelector: string;
}

/** A level that opens, and what it is about. */
export interface Opening {
  readonly pane: Level;
  /** e.g. "replicas of shop/api" */
  readonly title: string;
  /** Left out: it needs nothing of the plane. */
  readonly source?: Source;
  /** The row that the reader begins at; beyond the last: the level follows its end. */
  readonly at: number;
}

export interface Reader {
  readonly pane: Pane;
  readonly sorts: { readonly [P in Pane]: (typeof SORTS)[P][number] };
  readonly selected: Readonly<Record<Pane, number>>;
  readonly filter: string;
  /** Letters go into the filter. */
  readonly isTyping: boolean;
  /** The open level, and where the reader was before. Left out: the overview. */
  readonly opened?: { readonly opening: Opening; readonly from: Reader };
}

export const NEW_READER: Reader = {
  pane: "nodes",
  sorts: {
    nodes: "fullness",
    workloads: "health",
    queue: "position",
    events: "newest",
    replicas: "name",
    log: "time",
    help: "use",
  },
  selected: { nodes: 0, workloads: 0, queue: 0, events: 0, replicas: 0, log: 0, help: 0 },
  filter: "",
  isTyping: false,
};
