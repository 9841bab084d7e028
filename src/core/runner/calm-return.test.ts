import { expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { anOverride } from "../../../test/builders/an-override.ts";
import { KeyedTurn } from "../kernel/keyed-turn.ts";
import { nodeKey, type ObjectKey } from "../model/ids.ts";
import { RECOVERY_BUDGETS_FACT, NODES_FACT } from "../observe/facts.ts";
import { wake } from "./calm-return.ts";
import { CALM_RETURN_MS } from "../rules/override/calm-delay.ts";
import { OwedLedger } from "./owed-ledger.ts";

const TURN = Object.assign(new KeyedTurn(1, "place-1"), { now: 5_000 });
const ENDED = anOverride();
const KEYS = Array.from({ length: 200 }, (_, at) => nodeKey(`n-${at}`));

function held(deadlineMs = 3_600_000): OwedLedger {
  const waits = new OwedLedger();
  for (const key of KEYS) {
    waits.owe({
      key,
      reason: "override",
      wakes: [ENDED.key, NODES_FACT],
      deadlineMs,
      sinceRevision: 1,
    });
  }
  return waits;
}

test("what an override held back is looked at within a window, and not at one moment [OV12]", () => {
  const waits = held();
  const touched = new Set<ObjectKey>();
  const change = { key: ENDED.key, before: ENDED, after: undefined };
  wake(waits, change, { touched, turn: TURN });
  expect(touched.size).toBe(0);
  expect(waits.due(5_000 + CALM_RETURN_MS)).toHaveLength(KEYS.length);
  const seconds = new Map<number, number>();
  for (const { deadlineMs } of waits.all()) {
    const second = Math.floor((deadlineMs - 5_000) / 1_000);
    seconds.set(second, (seconds.get(second) ?? 0) + 1);
  }
  // Of ten seconds each gets its part, give or take: none of them gets a third of all.
  expect(seconds.size).toBe(CALM_RETURN_MS / 1_000);
  for (const count of seconds.values()) expect(count).toBeLessThan(KEYS.length / 3);
});

test("the same end gives each key the same time, and a deadline that is nearer stands [OV12]", () => {
  const change = { key: ENDED.key, before: ENDED, after: undefined };
  const times = [held(), held()].map((waits) => {
    wake(waits, change, { touched: new Set(), turn: TURN });
    return waits.all().map(({ deadlineMs }) => deadlineMs);
  });
  expect(times[0]).toEqual(times[1]);
  const near = held(5_001);
  wake(near, change, { touched: new Set(), turn: TURN });
  for (const { deadlineMs } of near.all()) expect(deadlineMs).toBeLessThanOrEqual(5_001);
});

test("everything else wakes at once, as ever [OV12]", () => {
  const waits = held();
  const touched = new Set<ObjectKey>();
  const node = aNode();
  wake(waits, { key: node.key, before: node, after: node }, { touched, turn: TURN });
  expect(touched.size).toBe(KEYS.length);
});

test("who waits for a budget is woken at once when one is raised, and who waits for the override still is not [BU9] [OV12]", () => {
  const raise = anOverride({
    action: "raise-budget",
    target: { region: "eu-west" },
    amount: 100,
  });
  const [unpaid, stopped] = KEYS as [ObjectKey, ObjectKey];
  const waits = new OwedLedger();
  const terms = { deadlineMs: 3_600_000, sinceRevision: 1 };
  waits.owe({ key: unpaid, reason: "recovery-budget", wakes: [RECOVERY_BUDGETS_FACT], ...terms });
  waits.owe({ key: stopped, reason: "override", wakes: [raise.key], ...terms });
  const touched = new Set<ObjectKey>();
  wake(waits, { key: raise.key, before: undefined, after: raise }, { touched, turn: TURN });
  expect([...touched]).toEqual([unpaid]);
  expect(waits.due(5_000 + CALM_RETURN_MS)).toEqual([stopped]);
});
