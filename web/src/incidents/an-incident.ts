/**
 * A small incident for tests: a user asks for a replica, a controller whose view is late binds it a
 * second time, and the checker says so. Every question of the viewer has an answer here that can be
 * worked out by hand.
 */
import type { IncidentDocument, Turn } from "../../../src/incident/incident-document.ts";

export const REPLICA = "Replica/t1/web.1.0";

/** Lanes by number: plane, late controller, prompt controller, agent, user, faults, checker. */
const LANES: IncidentDocument["lanes"] = [
  { name: "plane-1", kind: "plane" },
  { name: "place-1", kind: "controller" },
  { name: "place-2", kind: "controller" },
  { name: "agent n1", kind: "agent" },
  { name: "user", kind: "user" },
  { name: "faults", kind: "fault" },
  { name: "checker", kind: "checker" },
];

const TURNS: readonly Omit<Turn, "turn">[] = [
  { atMs: 0, lane: 0, what: "start", text: "starts", revision: 0 },
  { atMs: 10, lane: 4, what: "send", text: "asks for web", key: "Workload/t1/web" },
  { atMs: 12, lane: 0, what: "commit", text: "commits put", revision: 1, key: REPLICA },
  { atMs: 13, lane: 1, what: "see", text: "sees revision 1", revision: 1 },
  { atMs: 13, lane: 2, what: "see", text: "sees revision 1", revision: 1 },
  { atMs: 14, lane: 5, what: "fault", text: "the watch of place-1 stands still" },
  {
    atMs: 15,
    lane: 2,
    what: "decide",
    text: `${REPLICA}: proposes bind to n1`,
    revision: 1,
    key: REPLICA,
  },
  { atMs: 16, lane: 0, what: "commit", text: "commits bind", revision: 2, key: REPLICA },
  { atMs: 40, lane: 2, what: "see", text: "sees revision 2", revision: 2 },
  {
    atMs: 50,
    lane: 1,
    what: "decide",
    text: `${REPLICA}: proposes bind to n2`,
    revision: 1,
    key: REPLICA,
  },
  { atMs: 52, lane: 0, what: "commit", text: "commits bind again", revision: 3, key: REPLICA },
  { atMs: 52, lane: 6, what: "violate", text: "INV1 is violated", key: REPLICA },
];

const COMMITS: IncidentDocument["commits"] = [
  {
    revision: 1,
    turn: 2,
    operation: "put/web",
    actor: "user",
    changes: [{ key: REPLICA, cells: { stage: "queued", incarnation: 1 } }],
  },
  {
    revision: 2,
    turn: 7,
    operation: "bind/web.1.0",
    actor: "place-2",
    changes: [{ key: REPLICA, cells: { stage: "bound", node: "n1", incarnation: 1 } }],
  },
  {
    revision: 3,
    turn: 10,
    operation: "bind/web.1.0",
    actor: "place-1",
    changes: [{ key: REPLICA, cells: { stage: "bound", node: "n2", incarnation: 1 } }],
  },
];

export function anIncident(change: Partial<IncidentDocument> = {}): IncidentDocument {
  return {
    berthIncident: 1,
    source: {
      kind: "simulation",
      title: "seed 1",
      version: "0.1.0",
      again: "berth simulate --seed 1",
      epochMs: undefined,
      violation: { rule: "INV1", text: "An index holds one live binding." },
    },
    lanes: LANES,
    turns: TURNS.map((turn, at) => ({ turn: at, ...turn })),
    arrows: [
      { from: 1, to: 2, what: "put" },
      { from: 6, to: 7, what: "bind" },
      { from: 7, to: undefined, what: "watch of revision 2" },
      { from: 9, to: 10, what: "bind" },
    ],
    base: [{ key: "Node//n1", cells: { health: "ready" } }],
    commits: COMMITS,
    marks: [
      { turn: 5, kind: "fault", text: "the watch of place-1 stands still" },
      { turn: 11, kind: "violation", text: "INV1" },
    ],
    leftOut: undefined,
    ...change,
  };
}
