import { describe, expect, it } from "vitest";
import { readDecision } from "./read-decision.ts";

describe("readDecision()", () => {
  it("shows rules, score, alternatives and what ends a wait", () => {
    const shown = readDecision({
      controller: "place-1",
      viewRevision: 19,
      decision: {
        kind: "wait",
        reason: "no-feasible-node",
        wakes: ["nodes"],
        deadlineMs: 12_000,
        because: {
          summary: "no node can take it",
          rejected: {
            taints: { count: 1, example: "Node//n2" },
            capacity: { count: 3, example: "Node//n1" },
          },
          score: 500,
          parts: { scoring: 500 },
          alternatives: [{ name: "n2", score: 400 }],
          novelty: "kept",
        },
      },
    });
    expect(shown).toMatchObject({
      verdict: "Waits: no node fits",
      summary: "no node can take it",
      parts: [{ name: "scoring", score: 500 }],
      alternatives: [{ name: "n2", score: 400 }],
      wakes: ["nodes"],
    });
    expect(shown?.rejected.map(({ rule }) => rule)).toEqual(["capacity", "taints"]);
    expect(shown?.facts).toContainEqual(["on view revision", "19"]);
    expect(shown?.rest).toContain("novelty");
  });

  it("takes a decision without its record, and nothing for nothing", () => {
    const bare = { kind: "propose", intents: [{ operation: "bind/a" }], because: { summary: "s" } };
    expect(readDecision(bare)?.facts).toEqual([["operation", "bind/a"]]);
    expect(readDecision(undefined)).toBeUndefined();
    expect(readDecision("text")).toBeUndefined();
  });
});
