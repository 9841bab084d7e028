import { expect, test } from "vitest";
import { aLook } from "../../../../test/builders/a-turn.ts";
import { anOverride } from "../../../../test/builders/an-override.ts";
import { KeyedTurn } from "../../kernel/keyed-turn.ts";
import { type ObjectKey, workloadKey } from "../../model/ids.ts";
import { wake } from "../../runner/calm-return.ts";
import { CALM_RETURN_MS } from "./calm-delay.ts";
import { OwedLedger } from "../../runner/owed-ledger.ts";
import { waitForOverride } from "./wait-for-override.ts";

const FREEZE = anOverride({ action: "freeze-tenant", target: { tenant: "payments" } });
const { untilMs } = FREEZE.status;
const KEYS = Array.from({ length: 200 }, (_, at) => workloadKey("payments", `w-${at}`));
const TURN = new KeyedTurn(1, "place-1");

/** All of them are looked at in one moment, and are held back. */
function held(atMs: number): OwedLedger {
  const waits = new OwedLedger();
  const look = { ...aLook(atMs), random: TURN.random.bind(TURN) };
  for (const key of KEYS) {
    const decision = waitForOverride(key, look, { holders: [FREEZE], count: 1, what: "no place" });
    if (decision.kind === "wait") waits.owe({ ...decision, key, sinceRevision: 1 });
  }
  return waits;
}

/** How many look in the second in which most of them do. */
function mostAtOnce(waits: OwedLedger): number {
  const seconds = waits.all().map(({ deadlineMs }) => Math.floor(deadlineMs / 1_000));
  return Math.max(...seconds.map((each) => seconds.filter((other) => other === each).length));
}

test("those that are held back shortly before its end look for it within ten seconds of it, and not at one moment [OV11] [OV12]", () => {
  const waits = held(untilMs - 1_000);
  for (const { deadlineMs } of waits.all()) {
    expect(deadlineMs).toBeGreaterThanOrEqual(untilMs);
    expect(deadlineMs).toBeLessThan(untilMs + CALM_RETURN_MS);
  }
  expect(waits.all()).toHaveLength(KEYS.length);
  expect(mostAtOnce(waits)).toBeLessThan(KEYS.length / 3);
});

test("one that is released shortly before its time is over does not bring all of them back when it would have been [OV12]", () => {
  const waits = held(untilMs - 4_000);
  const touched = new Set<ObjectKey>();
  TURN.now = untilMs - 2_000;
  wake(waits, { key: FREEZE.key, before: FREEZE, after: undefined }, { touched, turn: TURN });
  expect(touched.size).toBe(0);
  expect(mostAtOnce(waits)).toBeLessThan(KEYS.length / 3);
  expect(waits.due(TURN.now + CALM_RETURN_MS)).toHaveLength(KEYS.length);
});

test("whatever else is due is not put off until an end that is far away [OV11]", () => {
  for (const { deadlineMs } of held(0).all()) expect(deadlineMs).toBeLessThan(15_000);
});
