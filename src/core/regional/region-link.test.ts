import { describe, expect, it } from "vitest";
import { aTurn } from "../../../test/builders/a-turn.ts";
import type { RegionTerms } from "../protocol/region-exchange.ts";
import { RegionLink, type RegionLinkEffect, type RegionLinkInput } from "./region-link.ts";

const termsUpTo = (revision: number, of: Partial<RegionTerms> = {}): RegionTerms => ({
  global: 1,
  region: "eu",
  incarnation: 1,
  heard: { epoch: 1, revision },
  asked: { epoch: 1, ms: 0 },
  termMs: 60_000,
  grants: [],
  objects: [],
  objectsFrom: 0,
  objectsTo: 0,
  ...of,
});

const TAKEN: RegionLinkInput = { kind: "taken", outcome: { kind: "committed", revision: 9 } };
const answer = (terms: RegionTerms): RegionLinkInput => ({
  kind: "answered",
  answer: { kind: "terms", terms },
});

/** A link with its timer: time goes on to whatever comes next. */
class Running {
  readonly link = new RegionLink();
  readonly asks: Extract<RegionLinkEffect, { kind: "ask" }>[] = [];
  nowMs = 0;
  timerMs = Infinity;

  give(input: RegionLinkInput): readonly RegionLinkEffect[] {
    const effects = this.link.receive(input, aTurn(this.nowMs));
    for (const effect of effects) {
      if (effect.kind === "timer") this.timerMs = effect.atMs;
      if (effect.kind === "ask") this.asks.push(effect);
    }
    return effects;
  }

  until(ms: number, answers?: () => RegionLinkInput[]): void {
    while (this.timerMs <= ms) {
      this.nowMs = this.timerMs;
      this.timerMs = Infinity;
      const before = this.asks.length;
      this.give({ kind: "timer" });
      if (this.asks.length > before) for (const input of answers?.() ?? []) this.give(input);
    }
    this.nowMs = ms;
  }
}

function atRest(): Running {
  const running = new Running();
  running.give({ kind: "started", at: 5 });
  running.give(answer(termsUpTo(5)));
  running.give(TAKEN);
  running.until(100_000, () => [answer(termsUpTo(5)), TAKEN]);
  return running;
}

describe("the link of a region", () => {
  it("asks at once when a leadership begins, and reports everything", () => {
    const running = new Running();
    running.give({ kind: "started", at: 5 });
    expect(running.asks).toEqual([{ kind: "ask", askedMs: 0, from: 0, changed: new Set() }]);
  });

  it("slows down to one question per heartbeat when nothing happens", () => {
    const running = atRest();
    const { length } = running.asks;
    running.until(200_000, () => [answer(termsUpTo(5)), TAKEN]);
    expect(running.asks.length - length).toBe(10);
  });

  it("asks more often than its heartbeat when a term is short", () => {
    const running = new Running();
    running.give({ kind: "started", at: 5 });
    running.until(200_000, () => []);
    running.until(400_000, () => [answer(termsUpTo(5, { termMs: 12_000 })), TAKEN]);
    const gaps = running.asks
      .slice(-5)
      .map(({ askedMs }, at, all) => askedMs - (all[at - 1]?.askedMs ?? askedMs));
    expect(gaps).toEqual([0, 3_000, 3_000, 3_000, 3_000]);
  });

  it("reports the tenants that changed, a second after its last question at the earliest", () => {
    const running = atRest();
    const { length } = running.asks;
    running.give({ kind: "published", to: 6, tenants: ["acme"] });
    running.give({ kind: "published", to: 7, tenants: ["acme", "bravo"] });
    running.until(running.nowMs + 1_000);
    expect(running.asks.slice(length)).toMatchObject([
      { from: 5, changed: new Set(["acme", "bravo"]) },
    ]);
  });

  it("never asks twice within a second, however much happens", () => {
    const running = atRest();
    for (let at = 0; at < 400; at++) {
      running.give({ kind: "published", to: 6 + at, tenants: [`t${at % 7}`] });
      running.until(running.nowMs + 50, () => [answer(termsUpTo(6 + at)), TAKEN]);
    }
    const gaps = running.asks.map(
      ({ askedMs }, at, all) => askedMs - (all[at - 1]?.askedMs ?? -1e9),
    );
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  });

  it("tells of a change again until the global plane has heard of it", () => {
    const running = atRest();
    running.give({ kind: "published", to: 6, tenants: ["acme"] });
    // The answer was read before the change.
    running.until(running.nowMs + 1_000, () => [answer(termsUpTo(5)), TAKEN]);
    running.until(running.nowMs + 1_000, () => [answer(termsUpTo(6)), TAKEN]);
    running.until(running.nowMs + 4_000);
    expect(running.asks.slice(-3).map(({ changed }) => [...changed])).toEqual([
      ["acme"],
      ["acme"],
      [],
    ]);
  });

  it("confirms new grants with its next question", () => {
    const running = atRest();
    const askedMs = running.asks.at(-1)?.askedMs ?? 0;
    const amounts = { cpuMillis: 1, memoryMiB: 1, deviceMillis: 0 };
    const terms = termsUpTo(5, { grants: [{ tenant: "acme", version: 2, amounts, quota: {} }] });
    running.until(askedMs + 10_000, () => [answer(terms), TAKEN]);
    running.until(askedMs + 11_000);
    expect(running.asks.at(-1)?.askedMs).toBe(askedMs + 11_000);
  });

  it("backs off while no answer comes, and reports everything when one does", () => {
    const running = atRest();
    const { length } = running.asks;
    running.until(running.nowMs + 3_600_000);
    const { asks } = running;
    // Fifteen seconds at most: the answer is waited for, then the pause.
    expect(asks.length - length).toBeGreaterThan(230);
    expect(asks.length - length).toBeLessThan(400);
    expect(asks.at(-1)).toMatchObject({ from: 0 });
    expect(running.link.trouble).toBe("no answer");
  });

  it("reports everything after a rejection", () => {
    const running = atRest();
    running.until(running.nowMs + 10_000, () => [
      { kind: "answered", answer: { kind: "rejected", code: "report-gap" } },
    ]);
    running.until(running.nowMs + 1_000);
    expect(running.asks.at(-1)).toMatchObject({ from: 0 });
  });

  it("asks again after its own authority rejected the terms", () => {
    const running = new Running();
    running.give({ kind: "started", at: 5 });
    running.give(answer(termsUpTo(5)));
    running.give({ kind: "taken", outcome: undefined });
    running.until(1_000);
    expect(running.asks.at(-1)).toMatchObject({ from: 0 });
    expect(running.asks).toHaveLength(2);
  });

  it("takes the terms of one answer at a time", () => {
    const running = new Running();
    running.give({ kind: "started", at: 5 });
    const first = running.give(answer(termsUpTo(5)));
    const second = running.give(answer(termsUpTo(5)));
    expect(first.map(({ kind }) => kind)).toEqual(["take"]);
    expect(second).toEqual([]);
  });

  it("does not take the answer to an earlier leadership for news of its own changes", () => {
    const running = new Running();
    running.give({ kind: "started", at: 50 });
    running.give(answer(termsUpTo(40)));
    running.give(TAKEN);
    running.until(2_000);
    expect(running.asks.at(-1)).toMatchObject({ from: 0 });
  });
});
