import { describe, expect, test } from "vitest";
import { nodeKey } from "../model/ids.ts";
import { type Owed, OwedLedger } from "./owed-ledger.ts";

const owed = (name: string, deadlineMs: number, ...wakes: readonly string[]): Owed => ({
  key: nodeKey(name),
  reason: "no-feasible-node",
  wakes,
  deadlineMs,
  sinceRevision: 1,
});

describe("what is owed", () => {
  test("is due at its deadline, sorted by key [RN6]", () => {
    const ledger = new OwedLedger();
    for (const entry of [owed("c", 10), owed("a", 10), owed("b", 20)]) ledger.owe(entry);
    expect(ledger.next()).toBe(10);
    expect(ledger.due(9)).toEqual([]);
    expect(ledger.due(10)).toEqual([nodeKey("a"), nodeKey("c")]);
    expect(ledger.due(20)).toEqual([nodeKey("a"), nodeKey("b"), nodeKey("c")]);
  });

  test("is woken by each of its facts until it is settled [RN6]", () => {
    const ledger = new OwedLedger();
    ledger.owe(owed("a", 10, "nodes", "quota:t"));
    ledger.owe(owed("b", 10, "nodes"));
    expect([...ledger.wokenBy("nodes")]).toEqual([nodeKey("a"), nodeKey("b")]);
    expect([...ledger.wokenBy("quota:t")]).toEqual([nodeKey("a")]);
    ledger.settle(nodeKey("a"));
    expect([...ledger.wokenBy("nodes")]).toEqual([nodeKey("b")]);
    expect([...ledger.wokenBy("quota:t")]).toEqual([]);
  });

  test("tells who listens of every entry that comes, changes or goes, and of nothing else", () => {
    const ledger = new OwedLedger();
    const moved: [string, boolean][] = [];
    ledger.onMove = (key) => moved.push([key, ledger.get(key) !== undefined]);
    ledger.owe(owed("a", 10));
    expect(moved.splice(0)).toEqual([[nodeKey("a"), true]]);
    ledger.owe(owed("a", 20));
    expect(moved.splice(0).at(-1)).toEqual([nodeKey("a"), true]);
    ledger.settle(nodeKey("a"));
    ledger.settle(nodeKey("a"));
    expect(moved).toEqual([[nodeKey("a"), false]]);
  });

  test("is counted by reason, each key once", () => {
    const ledger = new OwedLedger();
    for (const entry of [owed("a", 10), owed("b", 10), owed("a", 20)]) ledger.owe(entry);
    expect([...ledger.byReason.values()]).toEqual([2]);
    ledger.settle(owed("a", 10).key);
    ledger.settle(owed("b", 10).key);
    expect(ledger.byReason.size).toBe(0);
  });

  test("is replaced by what is owed to the same key next [RN6]", () => {
    const ledger = new OwedLedger();
    ledger.owe(owed("a", 10, "nodes"));
    ledger.owe(owed("a", 30, "quota:t"));
    expect(ledger.all()).toHaveLength(1);
    expect(ledger.get(nodeKey("a"))?.deadlineMs).toBe(30);
    expect([...ledger.wokenBy("nodes")]).toEqual([]);
    expect(ledger.due(10)).toEqual([]);
    expect(ledger.next()).toBe(30);
  });
});
