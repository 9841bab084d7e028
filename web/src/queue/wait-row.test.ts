import { expect, test } from "vitest";
import {
  byDeadline,
  groupReasons,
  inOrder,
  placeText,
  subjectName,
  type WaitRow,
  waitSentence,
} from "./wait-row.ts";

const aWait = (wait: string, of: Partial<WaitRow> = {}): WaitRow => ({
  wait,
  standing: "waiting",
  subject: `Workload/payments/${wait}`,
  tenant: "payments",
  priority: null,
  position: null,
  of: null,
  ahead: null,
  count: 1,
  since: 1_000,
  reason: "no-feasible-node",
  text: "",
  wakes: [],
  deadline: 5_000,
  owner: "place-1",
  estimateMs: null,
  basis: "",
  upToMs: null,
  ...of,
});

test("the scheduler's own order comes first, then rank, then who has waited longer", () => {
  const rows = [
    aWait("late", { since: 3_000 }),
    aWait("early", { since: 2_000 }),
    aWait("high", { priority: { name: "gold", value: 10 } }),
    aWait("second", { position: 2 }),
    aWait("first", { position: 1 }),
  ];
  expect(inOrder(rows).map(({ wait }) => wait)).toEqual([
    "first",
    "second",
    "high",
    "early",
    "late",
  ]);
});

test("what is owed is ordered by when it is looked at", () => {
  const rows = [
    aWait("b", { deadline: 9 }),
    aWait("a", { deadline: 9 }),
    aWait("c", { deadline: 1 }),
  ];
  expect(byDeadline(rows).map(({ wait }) => wait)).toEqual(["c", "a", "b"]);
});

test("reasons are counted in replicas, the most first", () => {
  const rows = [
    aWait("a", { count: 2 }),
    aWait("b", { count: 5, reason: "quota-exhausted" }),
    aWait("c", { count: 1 }),
  ];
  expect(groupReasons(rows)).toEqual([
    { reason: "quota-exhausted", waits: 1, replicas: 5 },
    { reason: "no-feasible-node", waits: 2, replicas: 3 },
  ]);
});

test("a subject is called by its tenant and name", () => {
  expect(subjectName("Workload/payments/api")).toBe("payments/api");
  expect(subjectName("Node//n1")).toBe("n1");
});

test("a wait is a sentence: how many wait, the cause, and what wakes them", () => {
  const [text, wakes] = ["no node fits this replica.", ["a node joins", "a replica leaves"]];
  expect(waitSentence(aWait("api", { count: 3, text, wakes }))).toBe(
    "3 replicas wait: no node fits this replica. It is tried again when a node joins, or a replica leaves.",
  );
  expect(waitSentence(aWait("api"))).toBe("1 replica waits: no node fits.");
  expect(waitSentence(aWait("n1", { count: null }))).toBe("It waits: no node fits.");
});

test("a place in the queue counts one replica as one", () => {
  const one = aWait("api", { position: 2, of: 9, ahead: 1 });
  expect(placeText(one)).toBe("2 of 9, with 1 replica; 1 replica ahead");
  expect(placeText({ ...one, ahead: 2 })).toBe("2 of 9, with 1 replica; 2 replicas ahead");
});
