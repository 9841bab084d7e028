import { describe, expect, test } from "vitest";
import { reachOf, tooClose, type Use } from "./margin.ts";

const MINUTE = 60_000;

const timed = (...values: readonly number[]) =>
  values.map((is) => ({ failure: "", use: { is, most: 5 * MINUTE, unit: "ms" } as const }));

const of = (failure: string, ...values: readonly number[]) =>
  timed(...values).map((each) => ({ ...each, failure }));

const all = (count: number, ms: number): readonly number[] =>
  Array.from({ length: count }, () => ms);

const lacking = (is: number): { readonly failure: string; readonly use: Use } => ({
  failure: "",
  use: { is, most: 2, unit: "replicas" },
});

const whyOf = (used: Parameters<typeof reachOf>[0]): string | undefined => {
  const reach = reachOf(used);
  return reach && tooClose(reach);
};

describe("runs that all kept a promise", () => {
  test("show it if the slowest leaves a tenth of the time, and all are alike", () => {
    expect(whyOf(timed(...all(20, 4.5 * MINUTE)))).toBeUndefined();
    expect(whyOf(timed(...all(20, 4.6 * MINUTE)))).toBe(
      "the worst of 20 runs took 4 min 36 s of 5 min, and the worst of 200 may take 5 min 6.7 s; use --seeds 200",
    );
  });

  test("show less the more they differ, and more the more of them there are", () => {
    const slow = 3 * MINUTE;
    const reach = (runs: number, usual: number): number =>
      reachOf(timed(...all(runs - 1, usual), slow))?.reach ?? 0;
    expect(reach(20, MINUTE)).toBeGreaterThan(reach(20, 2 * MINUTE));
    expect(reach(20, MINUTE)).toBeGreaterThan(reach(200, MINUTE));
    expect(reach(4, MINUTE)).toBeGreaterThan(reach(20, MINUTE));
    // Of twenty, the way from the median to the slowest is gone once more.
    expect(reach(20, MINUTE)).toBe(slow + 2 * MINUTE);
  });

  test("are compared failure by failure where each was run often enough", () => {
    const often = [...of("a", ...all(10, MINUTE)), ...of("b", ...all(10, 4 * MINUTE))];
    expect(whyOf(often)).toBeUndefined();
    const seldom = [...of("a", ...all(17, MINUTE)), ...of("b", ...all(3, 4 * MINUTE))];
    expect(whyOf(seldom)).toContain("may take 7 min");
  });

  test("need no margin in whole replicas, unless they differ", () => {
    expect(whyOf(all(20, 2).map(lacking))).toBeUndefined();
    expect(whyOf([...all(19, 1).map(lacking), lacking(2)])).toContain(
      "lacked 2 of the 2 replicas that may be out of service, and the worst of 200 may lack 3",
    );
  });

  test("of commands about one object need a margin as times do", () => {
    const commands = { failure: "", use: { is: 95, most: 100, unit: "commands" } as const };
    expect(whyOf([commands])).toContain("had 95 of 100 commands about one object");
  });
});
