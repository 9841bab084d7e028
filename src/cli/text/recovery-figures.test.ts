import { describe, expect, it } from "vitest";
import type { RecoveryBudgetUse } from "../../sim/report/recovery-budget-tally.ts";
import type { TimedRecovery } from "../../sim/report/recovery-tally.ts";
import { describeRecoveries, recoveryFigures } from "./recovery-figures.ts";

const aRecovery = (tookMs: number, more: Partial<TimedRecovery> = {}): TimedRecovery => ({
  workload: "payments/risk-api",
  withinMs: 300_000,
  tookMs,
  silentMs: 15_000,
  spentMs: { lost: tookMs - 2_000, starting: 2_000 },
  aheadMs: 0,
  isOver: true,
  ...more,
});

const aUse = (
  name: string,
  spentMillis: number,
  more: Partial<RecoveryBudgetUse> = {},
): RecoveryBudgetUse => ({
  name,
  granted: { cpuMillis: 6_000, memoryMiB: 8_192, deviceMillis: 0 },
  mostSpent: { cpuMillis: spentMillis, memoryMiB: spentMillis, deviceMillis: 0 },
  isGone: false,
  ...more,
});

const figuresOf = (...runs: readonly (readonly TimedRecovery[])[]) =>
  recoveryFigures(runs.map((timed) => ({ timed, budgets: [] })));

describe("recoveryFigures()", () => {
  it("says nothing of runs that lost nothing", () => {
    expect(recoveryFigures([])).toBeUndefined();
  });

  it("gives percentiles that were really measured, whatever order the runs ended in", () => {
    const hundred = Array.from({ length: 100 }, (_, at) => [aRecovery((at + 1) * 1_000)]);
    const figures = figuresOf(...hundred);
    expect(figures?.tookMs).toEqual({ p50: 50_000, p90: 90_000, p99: 99_000, max: 100_000 });
    expect(figuresOf(...hundred.toReversed())).toEqual(figures);
    expect(figuresOf([aRecovery(7_000)])?.tookMs).toEqual({
      p50: 7_000,
      p90: 7_000,
      p99: 7_000,
      max: 7_000,
    });
  });

  it("counts as missed what took too long, over or not, and leaves out of the times what is not over yet", () => {
    const figures = figuresOf([
      aRecovery(100_000),
      aRecovery(300_001),
      aRecovery(400_000, { isOver: false }),
      aRecovery(5_000, { isOver: false }),
    ]);
    expect(figures).toMatchObject({ count: 4, missed: 2, open: 1 });
    expect(figures?.tookMs).toMatchObject({ p50: 300_001, max: 400_000 });
  });

  it("says where the time went, in thousandths that come to a thousand", () => {
    const figures = figuresOf([aRecovery(10_000)], [aRecovery(30_000)]);
    expect(figures?.stages).toMatchObject({
      lost: { perThousand: 900, maxMs: 28_000 },
      starting: { perThousand: 100, maxMs: 2_000 },
      queued: { perThousand: 0, maxMs: 0 },
    });
  });
});

describe("recoveryFigures() of fairness", () => {
  it.each([
    {
      aheadMs: 90_000,
      windowMs: 300_000,
      beyond: 0,
      says: "90.0s after a recovery began, never after a fairness window",
    },
    {
      aheadMs: 301_500,
      windowMs: 300_000,
      beyond: 1_500,
      says: "301.5s after a recovery began, up to 1.5s after its window",
    },
    {
      aheadMs: 90_000,
      windowMs: undefined,
      beyond: 0,
      says: "90.0s after a recovery began, never after a fairness window",
    },
  ])("passed over until $aheadMs ms, with a window of $windowMs ms", (of) => {
    const { aheadMs, windowMs, beyond, says } = of;
    const window = windowMs === undefined ? {} : { windowMs };
    const figures = figuresOf([aRecovery(400_000, { aheadMs, ...window })], [aRecovery(1_000)]);
    expect(figures?.fairness).toEqual({ aheadMs, beyondWindowMs: beyond });
    expect(describeRecoveries(figures!)).toContain(`passed over until ${says}\n`);
  });
});

describe("recoveryFigures() of budgets", () => {
  it("counts them, and says where most was spent of what one grants", () => {
    const timed = [aRecovery(10_000)];
    const figures = recoveryFigures([
      { timed, budgets: [aUse("a", 4_000), aUse("b", 0, { isGone: true })] },
      { timed, budgets: [aUse("c", 2_000)] },
    ]);
    expect(figures?.budgets).toEqual({
      granted: 3,
      unspent: 1,
      gone: 1,
      most: { amount: "cpuMillis", spent: 4_000, granted: 6_000, perThousand: 666 },
    });
    expect(describeRecoveries(figures!)).toContain(
      "budgets: 3 granted, 1 never used, 1 ended; at most 4 cpu of 6 cpu (66.6%) of one used\n",
    );
  });

  it("says nothing of them where there were none", () => {
    expect(figuresOf([aRecovery(10_000)])).not.toHaveProperty("budgets");
  });
});

describe("describeRecoveries()", () => {
  it("tells all of it in a few lines", () => {
    const figures = figuresOf([aRecovery(108_240), aRecovery(5_000, { isOver: false })]);
    expect(describeRecoveries(figures!)).toBe(
      [
        "recoveries: 2, 0 missed, 1 unfinished at the end of their run",
        "  duration p50 108.2s, p90 108.2s, p99 108.2s, max 108.2s, from detection of the loss",
        "  detection p50 15.0s, p90 15.0s, p99 15.0s, max 15.0s, of silence before it",
        "  spent in lost 98.2% (max 106.2s), queued 0.0% (max 0.0s), bound 0.0% (max 0.0s), starting 1.8% (max 2.0s), ready 0.0% (max 0.0s)",
        "  fairness: no tenant with a smaller share was passed over",
        "",
      ].join("\n"),
    );
  });
});
