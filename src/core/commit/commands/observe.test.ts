import { describe, expect, test } from "vitest";
import { aScaledPlane } from "../../../../test/builders/a-scaled-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";

describe("an observation", () => {
  test("is numbered, timed by the authority, and leaves the spec alone [AS2]", () => {
    const plane = aScaledPlane();
    plane.observed(370, { afterMs: 7_000 });
    expect(plane.status.observed).toEqual({
      seq: 1,
      atMs: 7_000,
      epoch: 1,
      sumMillis: 370_000,
      covered: 4,
      of: 4,
      windowMs: 5_000,
    });
    expect(plane.autoscaler.meta.generation).toBe(1);
    expect(plane.status.least).toEqual([{ atMs: 7_000, epoch: 1, replicas: 4 }]);
  });

  test("comes from the gauge, and no more often than the log takes it [AS2]", () => {
    const plane = aScaledPlane();
    plane.observed(370);
    plane.nowMs += 4_999;
    expect(codeOf(plane.observe(380))).toBe("observed-lately");
    plane.nowMs += 1;
    expect(plane.observe(380).kind).toBe("committed");
    const reading = { sumMillis: 1, covered: 1, of: 1, windowMs: 1 };
    const asked = { kind: "observe", autoscaler: plane.autoscaler.key, reading } as const;
    expect(codeOf(plane.send(asked, { role: "user" }))).toBe("not-owner");
  });

  test.each([
    ["covers more than there are", { covered: 5 }],
    ["is negative", { sumMillis: -1 }],
    ["is no whole number", { of: 4.5 }],
    ["is beyond what can be added up", { sumMillis: 2 ** 52 }],
    ["says more than a sentence", { missing: "x".repeat(513) }],
  ])("is refused where it %s [AS2]", (_, of) => {
    expect(codeOf(aScaledPlane().observe(370, of))).toBe("bad-reading");
  });

  test("carries why something was not measured, and decides nothing by it [AS10]", () => {
    const missing = "api.1.3: GET /metrics at 127.0.0.1:8080 answered 404";
    const plane = aScaledPlane();
    plane.observed(100, { covered: 3, missing });
    const told = aScaledPlane();
    told.observed(100, { covered: 3 });
    expect(plane.status.observed?.missing).toBe(missing);
    expect(plane.status.most).toEqual(told.status.most);
    // The next observation says what was so by then.
    plane.observed(100);
    expect(plane.status.observed).not.toHaveProperty("missing");
  });

  test("keeps the recommendations of a window in at most so many parts, for no shorter than it lasts [AS5]", () => {
    const plane = aScaledPlane({ down: { windowMs: 160_000 } });
    plane.observed(900);
    for (let at = 0; at < 31; at += 1) plane.observed(100);
    // 155 s later the high load still counts, in a part of the window of its own.
    expect(plane.status.most?.[0]).toMatchObject({ replicas: 9 });
    expect(plane.status.most?.length).toBeLessThanOrEqual(18);
    for (let at = 0; at < 4; at += 1) plane.observed(100);
    expect(plane.status.most?.every(({ replicas }) => replicas === 1)).toBe(true);
  });

  test("remembers that something was not measured, which is no recommendation for fewer [AS3]", () => {
    const plane = aScaledPlane({ down: { windowMs: 160_000 } });
    plane.observed(100, { covered: 3 });
    plane.observed(100);
    expect(plane.status.most).toEqual([{ atMs: 5_000, epoch: 1 }]);
  });

  test("counts times of an earlier leadership from the beginning of its own [AS3]", () => {
    const plane = aScaledPlane({ down: { windowMs: 60_000, replicas: 1, periodMs: 30_000 } });
    for (let at = 0; at < 13; at += 1) plane.observed(100);
    expect(plane.scale(3).kind).toBe("committed");
    plane.nowMs = 1_000_000;
    plane.lead(2);
    plane.observed(100, { of: 3, covered: 3 });
    expect(plane.status.lastDown).toMatchObject({ atMs: 1_000_000, epoch: 2 });
    expect(plane.status.most?.[0]).toMatchObject({ atMs: 1_000_000, epoch: 2 });
    expect(plane.status.mostSince).toEqual({ atMs: 1_000_000, epoch: 2 });
  });

  test("finds a number that another actor wrote, and since when [AS7]", () => {
    const plane = aScaledPlane();
    plane.observed(400);
    expect(plane.status.manual).toBeUndefined();
    plane.replicas(6);
    plane.observed(400);
    expect(plane.status).toMatchObject({ replicas: 6, manual: { atMs: 10_000, epoch: 1 } });
  });
});
