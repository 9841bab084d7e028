import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../api/audit/audit-entry.ts";
import { cellsOf } from "./cells.ts";
import { frame } from "./frame.ts";
import { terminalText } from "../text/terminal-text.ts";
import { painted } from "./styled-line.ts";
import { HELP, logOfReplica, replicasOfWorkload } from "./openings.ts";
import {
  NEW_READER,
  type NodeRow,
  type Opening,
  type Reader,
  type ReplicaRow,
  type TopState,
  type WaitRow,
  type WorkloadRow,
} from "./top-state.ts";

const NOW = Date.UTC(2030, 0, 31, 12, 0, 0);

const aNode = (node: string, of: Partial<NodeRow> = {}): NodeRow => ({
  node,
  region: "eu-west",
  zone: "eu-west-a",
  health: "ready",
  since: NOW - 90_000,
  why: "",
  cordons: [],
  drain: null,
  supply: "hard",
  cpu: [4_000, 1_000, 0, 0, 0, 3_000],
  memory: [4_096, 1_024, 0, 0, 0, 3_072],
  devices: [0, 0, 0, 0, 0, 0],
  replicas: 2,
  leaving: 0,
  ...of,
});

const aWait = (workload: string, of: Partial<WaitRow> = {}): WaitRow => ({
  wait: `place-1 Workload/${workload}`,
  class: "waiting",
  subject: `Workload/${workload}`,
  tenant: workload.split("/")[0] ?? "",
  priority: null,
  position: 1,
  count: 3,
  since: NOW - 75_000,
  reason: "no-feasible-node",
  text: "no node fits: 6 have no gpu",
  owner: "place-1",
  estimateMs: null,
  ...of,
});

const aWorkload = (workload: string, of: Partial<WorkloadRow> = {}): WorkloadRow => ({
  workload,
  wanted: 2,
  ready: 2,
  stages: { serving: 2 },
  pending: [],
  rollout: null,
  batch: null,
  deleting: null,
  problems: [],
  ...of,
});

const aReplica = (name: string, of: Partial<ReplicaRow> = {}): ReplicaRow => ({
  tenant: "shop",
  name,
  index: 0,
  stage: "serving",
  since: NOW - 90_000,
  node: "eu-west-a-1",
  restarts: 0,
  reason: "Serving",
  message: `${name} serves.`,
  cause: "",
  ...of,
});

const anEntry = (revision: number, summary: string, of: Partial<AuditEntry> = {}): AuditEntry => ({
  revision,
  epoch: 2,
  time: "2030-01-31T11:59:58.123Z",
  actor: { kind: "human", role: "user", name: "ana" },
  command: "put",
  operation: "put/1",
  summary,
  outcome: "committed",
  objects: [],
  more: 0,
  ...of,
});

const live = { kind: "live" } as const;

const aState = (of: Partial<TopState> = {}): TopState => ({
  plane: "http://127.0.0.1:6900",
  leader: "plane-1",
  epoch: 2,
  revision: 1_234,
  bindsPerSecond: 4.04,
  writesPerSecond: 31.7,
  nodes: [
    aNode("eu-west-a-1"),
    aNode("eu-west-b-1", {
      zone: "eu-west-b",
      health: "ready,cordoned",
      cordons: [{ by: "ana", why: "new disk" }],
      cpu: [4_000, 2_000, 1_000, 500, 250, 250],
    }),
    aNode("us-east-a-1", {
      region: "us-east",
      zone: "us-east-a",
      health: "unknown",
      why: "The agent is silent; its replicas may still be running.",
      cpu: [4_000, 0, 0, 0, 0, 4_000],
      memory: [4_096, 0, 0, 0, 0, 4_096],
    }),
  ],
  workloads: [
    aWorkload("shop/web"),
    aWorkload("shop/api", {
      ready: 1,
      stages: { serving: 1, failed: 1 },
      problems: [
        {
          reason: "CrashLoop",
          message: "api.1.1 has failed 4 times in a row: exit code 3; it restarts after a delay.",
          cause: "exit code 3",
        },
      ],
    }),
  ],
  replicas: { rows: [], isLoading: true, note: "" },
  log: { rows: [], isLoading: true, note: "" },
  waits: [aWait("ml/train"), aWait("shop/api", { position: null, count: 1, class: "owed" })],
  entries: [anEntry(1_234, "scaled payments/risk-api from 4 to 6")],
  connections: { fleet: live, workloads: live, queue: live, audit: live },
  planeMs: NOW,
  nowMs: NOW,
  ...of,
});

const drawn = (
  of: { readonly state?: TopState; readonly reader?: Partial<Reader> } = {},
  size = { width: 80, height: 40 },
  hasColour = false,
): readonly string[] =>
  frame(of.state ?? aState(), { ...NEW_READER, ...of.reader }, size).map((each) =>
    terminalText(painted(each, { width: size.width, hasColour }), true),
  );

const opened = (opening: Opening): Partial<Reader> => ({
  pane: opening.pane,
  selected: { ...NEW_READER.selected, [opening.pane]: opening.at },
  opened: { opening, from: NEW_READER },
});

describe("frame()", () => {
  it("shows fleet, queue and events at 80 columns, all in words", () => {
    const lines = drawn({}, { width: 80, height: 32 });
    expect(lines).toEqual([
      "berth top  http://127.0.0.1:6900  plane-1 leads (epoch 2)  revision 1234",
      "live  32 writes/s  4.0 binds/s",
      "3 nodes: 2 ready, 1 unknown, 1 cordoned   3 replicas of 1 workload waiting",
      "# committed  + reclaimable  : reserved  = recovery  . free  % taken, free",
      "eu-west          cpu [####+:=.....]  59% 3250m   mem [###.........]  25% 6Gi",
      "  eu-west-a      cpu [###.........]  25% 3       mem [###.........]  25% 3Gi",
      "  eu-west-b      cpu [######+++:=.]  94% 250m    mem [###.........]  25% 3Gi",
      "us-east          cpu [............]   0% 4       mem [............]   0% 4Gi",
      "  us-east-a      cpu [............]   0% 4       mem [............]   0% 4Gi",
      "▶1 nodes  3, by fullness",
      "  NODE             HEALTH          FOR    CPU                MEM  DEV REPL ZONE",
      "> eu-west-b-1      ready,cordoned  90s    [#####++:=.] 94%   25%    -    2 eu-w…",
      "  eu-west-a-1      ready           90s    [##........] 25%   25%    -    2 eu-w…",
      "  us-east-a-1      unknown         90s    [..........]  0%    0%    -    2 us-e…",
      " 2 workloads  2, by health",
      "  WORKLOAD                   READY   STAGES               CAUSE",
      "  shop/api                   1/2     1 serving, 1 failed  CrashLoop: exit code 3",
      "  shop/web                   2/2     2 serving",
      " 3 queue  1, by position",
      "   POS WORKLOAD                    WAIT SINCE  CLASS     REASON",
      "     1 ml/train                       3 75s    -         no-feasible-node: no n…",
      "",
      " 4 events  1, by newest",
      "  TIME     WHO                  WHAT",
      "  11:59:58 ana                  scaled payments/risk-api from 4 to 6",
      "",
      "",
      "",
      "",
      "eu-west-b-1 is ready,cordoned: cordoned by ana (new disk)",
      "",
      "q quit  ? keys  tab 1-4 panes  ↑↓ rows  enter open  / filter  s sort",
    ]);
  });

  it("has longer bars and whole sentences at 140 columns", () => {
    const text = drawn({}, { width: 140, height: 40 }).join("\n");
    expect(text).toContain("cpu [####################++++++++++:::::==...]  94% 250m");
    expect(text).toContain("no-feasible-node: no node fits: 6 have no gpu");
    expect(text).toContain("[#####++:=.] 94%   25%    -    2 eu-west-b");
  });

  it("is exactly as large as the screen, however small that is and whatever is in it", () => {
    const nodes = Array.from({ length: 300 }, (_, at) =>
      aNode(`n${at}-数据`, { region: `r${at % 40}`, zone: `r${at % 40}-a` }),
    );
    for (const [width, height] of [
      [20, 8],
      [80, 12],
      [80, 24],
      [140, 60],
    ] as const) {
      const lines = drawn({ state: aState({ nodes }) }, { width, height }, true);
      expect(lines.length).toBe(height);
      const plain = lines.map(stripVTControlCharacters);
      expect(Math.max(...plain.map(cellsOf))).toBeLessThanOrEqual(width);
    }
  });

  it("says what is lost and since when, and keeps what was known", () => {
    const lost = { kind: "lost", sinceMs: NOW - 14_000, message: "gone" } as const;
    const state = aState({
      connections: { fleet: live, workloads: live, queue: lost, audit: live },
    });
    const lines = drawn({ state });
    expect(lines[1]).toMatch(
      /^CONNECTION LOST since \d\d:\d\d:46, 14s ago; showing the last state, retrying\.$/,
    );
    expect(lines.join("\n")).toContain("ml/train");
  });

  it("keeps the chosen row on the screen, marks it without colour and says all of it below", () => {
    const nodes = Array.from({ length: 50 }, (_, at) => aNode(`n${String(at).padStart(2, "0")}`));
    const reader = {
      sorts: { ...NEW_READER.sorts, nodes: "name" },
      selected: { ...NEW_READER.selected, nodes: 30 },
    } as const;
    const lines = drawn({ state: aState({ nodes }), reader }, { width: 80, height: 24 });
    expect(lines.filter((each) => each.startsWith(">"))).toEqual([
      expect.stringContaining("> n30 "),
    ]);
    const queue = drawn({ reader: { pane: "queue" } }, { width: 80, height: 24 });
    expect(queue.slice(-3, -1).join(" ")).toBe(
      "ml/train waits for place-1: no node fits: 6 have no gpu. See `berth explain` for details.",
    );
  });

  it("shows only what the filter finds, and says so when that is nothing", () => {
    const found = drawn({ reader: { filter: "CORDON" } }).join("\n");
    expect(found).toContain('1 nodes  1, with "CORDON"');
    expect(found).not.toContain("us-east-a-1");
    expect(found).toContain('No rows match "CORDON": press Esc to show all.');
    expect(drawn({ reader: { filter: "x", isTyping: true } }).at(-1)).toContain("/x_");
  });

  it("tells of a workload what is wrong, and of its replicas stage, node, restarts and cause", () => {
    const reader = { pane: "workloads" } as const;
    const text = drawn({ reader }, { width: 100, height: 40 }).slice(-3, -1).join(" ");
    expect(text).toContain(
      "shop/api: 1 of 2 ready. api.1.1 has failed 4 times in a row: exit code 3",
    );
    const failed = { stage: "failed", restarts: 4, reason: "CrashLoop", cause: "exit code 3" };
    const rows = [aReplica("api.1.1", { ...failed, index: 1, node: "" }), aReplica("api.1.0")];
    const state = aState({ replicas: { rows, isLoading: false, note: "" } });
    const lines = drawn({ state, reader: opened(replicasOfWorkload("shop/api")) });
    expect(lines.slice(3, 7)).toEqual([
      "▶replicas of shop/api  2, by name",
      "  REPLICA                    STAGE     FOR    NODE           RESTARTS CAUSE",
      "> shop/api.1.0               serving   90s    eu-west-a-1           0 Serving",
      "  shop/api.1.1               failed    90s    -                     4 CrashLoop…",
    ]);
    expect(lines.at(-1)).toBe("q quit  ? keys  esc back  ↑↓ rows  enter open  / filter  s sort");
  });

  it("shows the end of a log, without the colours of the process", () => {
    const rows = Array.from({ length: 90 }, (_, at) => `line ${at} \u001B[31mred\u001B[0m\r`);
    const state = aState({ log: { rows, isLoading: false, note: "api.1.0 serves." } });
    const lines = drawn({ state, reader: opened(logOfReplica("shop", "api.1.0")) });
    expect(lines.slice(3, 5)).toEqual(["▶log of shop/api.1.0  90", "  api.1.0 serves."]);
    expect(lines.at(-4)).toBe("> line 89 red");
    const waiting = aState({ log: { rows: [], isLoading: false, note: "api.1.0 is queued." } });
    const empty = drawn({ state: waiting, reader: opened(logOfReplica("shop", "api.1.0")) });
    expect(empty.slice(4, 6)).toEqual(["  api.1.0 is queued.", "  The log is empty."]);
  });

  it("says what each key does", () => {
    const text = drawn({ reader: opened(HELP) }).join("\n");
    expect(text).toMatch(/▶keys {2}\d+\n/);
    expect(text).toMatch(/↑ ↓, j k +the next row/);
  });

  it("sorts nodes by how ill they are, and the queue by how long it waits", () => {
    const byHealth = { ...NEW_READER.sorts, nodes: "health" } as const;
    expect(drawn({ reader: { sorts: byHealth } })[11]).toContain("> us-east-a-1");
    const waits = [aWait("a/one"), aWait("a/two", { position: 2, since: NOW - 900_000 })];
    const byWait = { ...NEW_READER.sorts, queue: "waiting" } as const;
    const text = drawn({ state: aState({ waits }), reader: { sorts: byWait } }).join("\n");
    expect(text.indexOf("a/two")).toBeLessThan(text.indexOf("a/one"));
  });

  it("lets no text of a user steer the terminal", () => {
    const entries = [anEntry(1, "cordoned n1: \u001B[2J\u001B]0;owned\u0007\nforged line")];
    const text = drawn({ state: aState({ entries }) }).join("\n");
    expect(text).toContain("cordoned n1: \\u001b[2J\\u001b]0;owned");
  });

  it("has colours only when they are wanted, and the same words with them", () => {
    const size = { width: 140, height: 40 };
    const coloured = drawn({}, size, true);
    expect(coloured.join("")).toContain("\u001B[36mready");
    const plain = coloured.map((each) => stripVTControlCharacters(each).trimEnd());
    expect(plain).toEqual(drawn({}, size));
  });
});
