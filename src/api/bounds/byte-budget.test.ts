import { describe, expect, it } from "vitest";
import { ByteBudget } from "./byte-budget.ts";

describe("ByteBudget", () => {
  it("[HB7] a caller has its own bound, and all together have one", () => {
    const budget = new ByteBudget({ total: 100, perCaller: 60 });
    const ana = budget.take({ caller: "ana", bytes: 50 });
    expect(ana).toBeDefined();
    expect(budget.take({ caller: "ana", bytes: 11 })).toBeUndefined();
    expect(budget.take({ caller: "bo", bytes: 51 })).toBeUndefined();
    expect(budget.take({ caller: "bo", bytes: 50 })).toBeDefined();
    expect([budget.held, budget.turnedAway]).toEqual([100, 2]);
    ana?.();
    ana?.();
    expect([budget.held, budget.of("ana"), budget.of("bo")]).toEqual([50, 0, 50]);
  });

  it("[HB2] agents have their own bound and none with users", () => {
    const budget = new ByteBudget({ total: 100, perCaller: 100 });
    budget.take({ caller: "ana", bytes: 100 });
    expect(budget.take({ caller: "bo", bytes: 1 })).toBeUndefined();
    const agent = { caller: "agent n1", isReserved: true };
    expect(budget.take({ ...agent, bytes: 60 })).toBeDefined();
    expect(budget.take({ ...agent, bytes: 60 })).toBeUndefined();
  });

  it("[HB7] a caller that holds nothing may hold one thing of any size", () => {
    const budget = new ByteBudget({ total: 100, perCaller: 60 });
    expect(budget.take({ caller: "ana", bytes: 500 })).toBeDefined();
    expect(budget.take({ caller: "ana", bytes: 1 })).toBeUndefined();
  });

  it("[HB7] a waiting request is served when bytes are given back, or leaves with nothing", async () => {
    const budget = new ByteBudget({ total: 10, perCaller: 10 });
    const first = budget.take({ caller: "ana", bytes: 10 });
    let hasLeft = false;
    const later = budget.takeLater({ caller: "bo", bytes: 10 }, () => false);
    const never = budget.takeLater({ caller: "cy", bytes: 10 }, () => hasLeft);
    first?.();
    expect(await later).toBeDefined();
    expect(budget.of("bo")).toBe(10);
    hasLeft = true;
    budget.wakeAll();
    expect(await never).toBeUndefined();
  });
});
