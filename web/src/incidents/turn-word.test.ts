import { describe, expect, it } from "vitest";
import { anIncident } from "./an-incident.ts";
import { turnOfWord, turnWord } from "./turn-word.ts";

const simulated = anIncident();
const recorded = anIncident({ source: { ...simulated.source, kind: "recording", epochMs: 1_000 } });

describe("turnWord()", () => {
  it("names a turn of a simulation by its number", () => {
    expect(turnWord(simulated, 4)).toBe("4");
    expect(turnOfWord(simulated, "4")).toBe(4);
  });

  it("names a recorded turn so that another part of the same recording has it, too", () => {
    expect(turnWord(recorded, 4)).toBe("1013.1");
    const later = {
      ...recorded,
      source: { ...recorded.source, epochMs: 1_010 },
      turns: recorded.turns.slice(2).map((turn) => ({ ...turn, atMs: turn.atMs - 10 })),
    };
    expect(turnOfWord(later, "1013.1")).toBe(2);
    expect(turnOfWord(later, "1000.0")).toBeUndefined();
    expect(turnOfWord(later, "1013.9")).toBeUndefined();
  });

  it("takes no word that is none", () => {
    for (const word of [null, "", "x", "-1", "1e3"])
      expect(turnOfWord(recorded, word)).toBeUndefined();
  });
});
