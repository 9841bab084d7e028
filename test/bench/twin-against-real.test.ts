/**
 * `berth bench twin --against-real` with one real loss: that it measures a recovery of real processes, simulates the same and leaves
 * nothing behind. How close the two times are depends on the speed of the machine, so it is not asked here.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BuiltBerth } from "./a-built-berth.ts";

const berth = new BuiltBerth();
beforeAll(() => berth.build());
afterAll(() => berth.remove());

interface Took {
  readonly lost: number;
  readonly tookMs: number;
  readonly stages: Readonly<Record<string, number>>;
}

interface Report {
  readonly losses: readonly { readonly ratio: number }[];
  readonly rounds: readonly {
    readonly real: Took;
    readonly simulated: readonly Took[];
    readonly violations: readonly string[];
  }[];
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

describe("berth bench twin --against-real", () => {
  it("measures the real loss of a node, simulates it, and says whether they agree", async () => {
    const few = ["--losses", "node", "--runs", "1", "--seeds", "2"];
    const { code, out, err } = await berth.run("bench", "twin", "--against-real", ...few, "--json");
    expect(err).toBe("");
    const { losses, rounds } = JSON.parse(out) as Report;
    const [round] = rounds;
    expect(rounds).toHaveLength(1);
    expect(round?.violations).toEqual([]);
    expect(round?.simulated).toHaveLength(2);
    for (const { lost, tookMs, stages } of [round?.real, ...(round?.simulated ?? [])].flatMap(
      (took) => took ?? [],
    )) {
      expect(lost).toBe(round?.real.lost);
      // The slowest replica was lost a moment after the agent, and came back as the last one.
      expect(sum(Object.values(stages))).toBeGreaterThan(0);
      expect(sum(Object.values(stages))).toBeLessThanOrEqual(tookMs);
    }
    const ratio = losses[0]?.ratio ?? 0;
    expect(code).toBe(ratio >= 0.8 && ratio <= 1.25 ? 0 : 1);
    expect(berth.processes()).toEqual([]);
  });

  it.each([
    [["--runs", "2"], "--runs is about real losses. Add --against-real, or leave it out."],
    [["--against-real", "--nodes", "9"], "--nodes is about a made fleet"],
    [["--against-real", "--losses", "node,moon"], '--losses: found "moon", expected node, zone,'],
  ])("rejects %j with the reason", async (options, reason) => {
    const { code, err } = await berth.run("bench", "twin", ...options);
    expect(code).toBe(2);
    expect(err).toContain(reason);
  });
});
