import { describe, expect, test } from "vitest";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import type { Outcome } from "../protocol/outcome.ts";
import { LeaseKeeper } from "./lease-keeper.ts";

const COMMITTED: Outcome = { kind: "committed", revision: 1 };

function aKeeper(session = 1): LeaseKeeper {
  const keeper = new LeaseKeeper("a-1");
  keeper.session = session;
  return keeper;
}

const renew = (keeper: LeaseKeeper, call: number, nowMs: number) =>
  keeper.renew({ call, nowMs, epoch: 1, basis: 0, kept: [], notes: [] });

const reply = (keeper: LeaseKeeper, call: number, outcome: Outcome, nowMs: number): boolean =>
  keeper.replied(call, { kind: "outcome", outcome, epoch: 1 }, nowMs);

describe("a lease", () => {
  test("is held for fifteen seconds from when its renewal was sent [AG2]", () => {
    const keeper = aKeeper();
    renew(keeper, 1, 100);
    reply(keeper, 1, COMMITTED, 900);
    expect(keeper.isHeld(15_099)).toBe(true);
    expect(keeper.isHeld(15_100)).toBe(false);
    expect(keeper.dueMs()).toBe(5_100);
  });

  test("is not held by a renewal that was not answered [AG2]", () => {
    const keeper = aKeeper();
    renew(keeper, 1, 100);
    keeper.replied(1, { kind: "unavailable" }, 200);
    expect(keeper.isHeld(200)).toBe(false);
    expect(keeper.dueMs()).toBe(1_100);
  });

  test("is not shortened by the late answer to an earlier renewal [AG2]", () => {
    const keeper = aKeeper();
    renew(keeper, 1, 0);
    renew(keeper, 2, 1_000);
    reply(keeper, 2, COMMITTED, 1_100);
    reply(keeper, 1, COMMITTED, 1_200);
    expect(keeper.heldUntilMs).toBe(16_000);
  });

  test("is renewed in an order that only grows [LS3]", () => {
    const keeper = aKeeper();
    renew(keeper, 1, 0);
    expect(renew(keeper, 2, 1_000)).toMatchObject({
      request: { command: { intent: { kind: "lease", node: "a-1", session: 1, seq: 2 } } },
    });
  });

  test("tells what the machine cannot do, and no more of it than is read", () => {
    const keeper = aKeeper();
    const notes = ["no limits", "x".repeat(900)];
    const effect = keeper.renew({ call: 1, nowMs: 0, epoch: 1, basis: 0, kept: [], notes });
    expect(effect).toMatchObject({
      request: { command: { intent: { notes: ["no limits", "x".repeat(500)] } } },
    });
    expect(JSON.stringify(renew(keeper, 2, 1_000))).not.toContain("notes");
  });

  test("goes on from where an earlier incarnation of the agent had counted to [LS3]", () => {
    const keeper = aKeeper();
    renew(keeper, 1, 0);
    reply(keeper, 1, aRefusal("lease-replayed", { actual: 41 }), 10);
    expect(keeper.dueMs()).toBe(60);
    expect(renew(keeper, 2, 60)).toMatchObject({ request: { command: { intent: { seq: 42 } } } });
  });

  test("is renewed at once, in the right leadership, when it was sent in the wrong one [EP1]", () => {
    const keeper = aKeeper();
    renew(keeper, 1, 0);
    reply(keeper, 1, aRefusal("stale-epoch"), 10);
    expect(keeper.dueMs()).toBe(60);
  });

  test("tells the time by its own clock, and when this incarnation began to [CL2]", () => {
    const keeper = aKeeper();
    renew(keeper, 1, 700);
    expect(renew(keeper, 2, 5_700)).toMatchObject({
      request: { command: { intent: { clock: { startedMs: 700, nowMs: 5_700 } } } },
    });
  });

  test("may have killed what ends while it is not held, or shortly after it is held again [ST4]", () => {
    const keeper = aKeeper();
    renew(keeper, 1, 0);
    reply(keeper, 1, COMMITTED, 10);
    expect(keeper.hasLapsed(14_999)).toBe(false);
    expect(keeper.hasLapsed(15_000)).toBe(true);
    renew(keeper, 2, 15_500);
    reply(keeper, 2, COMMITTED, 15_510);
    expect(keeper.isHeld(15_510)).toBe(true);
    expect(keeper.hasLapsed(18_510)).toBe(true);
    expect(keeper.hasLapsed(18_511)).toBe(false);
  });

  test("ignores answers to the calls of others", () => {
    expect(reply(aKeeper(), 7, COMMITTED, 0)).toBe(false);
  });
});

describe("a session that has ended", () => {
  test("is not renewed and holds nothing [LS2]", () => {
    const keeper = aKeeper();
    renew(keeper, 1, 0);
    reply(keeper, 1, COMMITTED, 10);
    renew(keeper, 2, 5_000);
    reply(keeper, 2, aRefusal("node-fenced", { expected: "session after 1" }), 5_010);
    expect(keeper.isFenced).toBe(true);
    expect(keeper.isHeld(5_010)).toBe(false);
    expect(keeper.dueMs()).toBe(Number.POSITIVE_INFINITY);
  });

  test("is followed by one that is higher than any the authority knows [LS1]", () => {
    const keeper = aKeeper(2);
    renew(keeper, 1, 0);
    reply(keeper, 1, aRefusal("session-ended", { expected: 7, actual: 2 }), 10);
    keeper.beginSession(20);
    expect(keeper.session).toBe(8);
    expect(keeper.isFenced).toBe(false);
    expect(keeper.dueMs()).toBe(20);
    expect(renew(keeper, 2, 20)).toMatchObject({
      request: { command: { intent: { session: 8, seq: 1 } } },
    });
  });

  test("grants nothing to the next one by a late answer [LS2]", () => {
    const keeper = aKeeper();
    renew(keeper, 1, 0);
    renew(keeper, 2, 1_000);
    reply(keeper, 2, aRefusal("node-fenced", { expected: "session after 1" }), 1_010);
    keeper.beginSession(1_020);
    expect(reply(keeper, 1, COMMITTED, 1_030)).toBe(false);
    expect(keeper.isHeld(1_030)).toBe(false);
  });
});
