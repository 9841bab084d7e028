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
}

/** How one stream of the plane is doing. */
export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "lost"; readonly sinceMs: number; readonly message: string };

export interface TopState {
  readonly plane: string;
  readonly leader: string | undefined;
  readonly epoch: number | undefined;
  readonly revision: number | undefined;
  readonly bindsPerSecond: number;
  readonly writesPerSecond: number;
  readonly nodes: readonly NodeRow[];
  readonly waits: readonly WaitRow[];
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  readonly connections: Readonly<Record<"fleet" | "queue" | "audit", Connection>>;
  /** The plane's clock, as far as it is known, and the terminal's own. */
  readonly planeMs: number;
  readonly nowMs: number;
}

export const PANES = ["nodes", "queue", "events"] as const;
export type Pane = (typeof PANES)[number];

/** What `s` goes through in each pane; the first is what it begins with. */
export const SORTS = {
  nodes: ["fullness", "name", "health", "replicas"],
  queue: ["position", "waiting", "workload"],
  events: ["newest", "oldest"],
} as const satisfies Readonly<Record<Pane, readonly string[]>>;

export interface Reader {
  readonly pane: Pane;
  readonly sorts: { readonly [P in Pane]: (typeof SORTS)[P][number] };
  readonly selected: Readonly<Record<Pane, number>>;
  readonly filter: string;
  /** Letters go into the filter. */
  readonly isTyping: boolean;
}

export const NEW_READER: Reader = {
  pane: "nodes",
  sorts: { nodes: "fullness", queue: "position", events: "newest" },
  selected: { nodes: 0, queue: 0, events: 0 },
  filter: "",
  isTyping: false,
};
