import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RENEW_EVERY_MS, SUSPECT_AFTER_MS } from "../../src/core/model/timing.ts";
import { RenewalRound } from "./renewal-round.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("RenewalRound", () => {
  it("renews every node before the plane could suspect it, each time with the next number", async () => {
    const heard = new Map<string, { seq: number; atMs: number }[]>();
    const round = new RenewalRound(
      async (node, seq) => {
        const all = heard.get(node) ?? [];
        heard.set(node, [...all, { seq, atMs: performance.now() }]);
      },
      () => expect.unreachable("every renewal was taken"),
    );
    // Joining takes longer than two rounds: those who came first must not wait for those who come
    // last.
    for (let at = 0; at < 100; at += 1) {
      await round.add(`node-${at}`);
      await vi.advanceTimersByTimeAsync(RENEW_EVERY_MS / 40);
    }
    await vi.advanceTimersByTimeAsync(4 * RENEW_EVERY_MS);
    round.stop();
    expect(heard.size).toBe(100);
    for (const renewals of heard.values()) {
      expect(renewals.map(({ seq }) => seq)).toEqual(renewals.map((_, at) => at + 1));
      const gaps = renewals.slice(1).map(({ atMs }, at) => atMs - (renewals[at]?.atMs ?? 0));
      expect(gaps.length).toBeGreaterThanOrEqual(3);
      expect(Math.max(...gaps)).toBeLessThan(SUSPECT_AFTER_MS);
      expect(Math.min(...gaps)).toBeGreaterThan(RENEW_EVERY_MS / 2);
    }
    expect(round.longestGapMs).toBeGreaterThanOrEqual(RENEW_EVERY_MS);
    expect(round.longestGapMs).toBeLessThan(SUSPECT_AFTER_MS);
    expect(round.renewals).toBe([...heard.values()].flat().length - 100);
  });

  it("goes on with the others when one renewal fails, and says so", async () => {
    const failures: unknown[] = [];
    const round = new RenewalRound(
      async (node, seq) => {
        if (node === "bad" && seq > 1) throw new Error("refused");
      },
      (error) => failures.push(error),
    );
    await round.add("bad");
    await round.add("good");
    await vi.advanceTimersByTimeAsync(RENEW_EVERY_MS + 100);
    round.stop();
    expect(round.renewals).toBe(2);
    expect(failures.map(String)).toEqual(["Error: refused"]);
  });
});
