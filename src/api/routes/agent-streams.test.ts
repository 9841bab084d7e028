import { describe, expect, test } from "vitest";
import { AgentStreams } from "./agent-streams.ts";

describe("the plane's record of an agent's stream", () => {
  test("says since when it is open, and when it broke", () => {
    const streams = new AgentStreams();
    expect(streams.of("n1", 0)).toBeUndefined();
    const ended = streams.opened("n1", 1_000);
    expect(streams.of("n1", 5_000)).toEqual({ isOpen: true, sinceMs: 1_000 });
    ended(42, 9_000);
    expect(streams.of("n1", 12_000)).toEqual({
      isOpen: false,
      sinceMs: 9_000,
      gap: { fromMs: 9_000, revision: 42 },
    });
  });

  test("keeps the last gap once the agent is back, and takes a new list for none", () => {
    const streams = new AgentStreams();
    streams.opened("n1", 0)(42, 9_000);
    const again = streams.opened("n1", 14_000);
    const gap = { fromMs: 9_000, toMs: 14_000, revision: 42 };
    expect(streams.of("n1", 15_000)).toEqual({ isOpen: true, sinceMs: 14_000, gap });
    again(50, 20_000);
    streams.opened("n1", 20_900);
    expect(streams.of("n1", 30_000)).toEqual({ isOpen: true, sinceMs: 20_900, gap });
  });

  test("is not told off by the late end of an older stream", () => {
    const streams = new AgentStreams();
    const old = streams.opened("n1", 0);
    streams.opened("n1", 1_000);
    old(7, 2_000);
    expect(streams.of("n1", 3_000)).toEqual({ isOpen: true, sinceMs: 1_000 });
  });
});
