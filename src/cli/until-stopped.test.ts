import { describe, expect, it } from "vitest";
import { listenForStop } from "./until-stopped.ts";

describe("listenForStop()", () => {
  it("takes two signals at once for one desired, and a later one for impatience", async () => {
    let nowMs = 0;
    let seconds = 0;
    const stopping = listenForStop({ onSecond: () => (seconds += 1), nowMs: () => nowMs });
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

  it("[AU3] does not take SIGHUP for a request to stop where it asks to read files again", async () => {
    const plane = listenForStop({ isReloading: true });
    process.emit("SIGHUP", "SIGHUP");
    process.emit("SIGTERM", "SIGTERM");
    expect(await plane.asked).toBe("SIGTERM");
    plane.ignore();
    const other = listenForStop();
    process.emit("SIGHUP", "SIGHUP");
    expect(await other.asked).toBe("SIGHUP");
    other.ignore();
    expect(process.listeners("SIGHUP")).toEqual([]);
  });
});
