import { describe, expect, it } from "vitest";
import { listenForStop } from "./until-stopped.ts";

describe("listenForStop()", () => {
  it("takes two signals at once for one wish, and a later one for impatience", async () => {
    let nowMs = 0;
    let seconds = 0;
    const stopping = listenForStop(
      () => (seconds += 1),
      () => nowMs,
    );
    process.emit("SIGINT", "SIGINT");
    process.emit("SIGTERM", "SIGTERM");
    expect(await stopping.asked).toBe("SIGINT");
    expect(seconds).toBe(0);
    nowMs = 2_000;
    process.emit("SIGINT", "SIGINT");
    expect(seconds).toBe(1);
    stopping.ignore();
    expect(process.listeners("SIGTERM")).toEqual([]);
  });
});
