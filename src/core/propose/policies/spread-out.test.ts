import { describe, expect, test } from "vitest";
import { aFleet, anAsk, aShare, choose, wholeDevices } from "../../../../test/builders/a-fleet.ts";
import { createSpreadOut } from "./spread-out.ts";

const policy = createSpreadOut();

describe("spread-out", () => {
  test("prefers the node that is left emptiest", () => {
    const fleet = aFleet({
      half: { cpuUsedMillis: 48_000 },
      empty: {},
      little: { cpuUsedMillis: 9_000 },
    });
    expect(choose(policy, fleet, anAsk())).toBe("empty");
  });

  test("counts devices for an ask that wants some", () => {
    const fleet = aFleet({ used: { used: [1000, 0, 0, 0] }, idle: { used: [0, 0, 0, 0] } });
    expect(choose(policy, fleet, wholeDevices(1))).toBe("idle");
  });

  test("prefers a fuller node to an emptier one with free devices for plain work", () => {
    const fleet = aFleet({ devices: { used: [0] }, plain: { cpuUsedMillis: 48_000 } });
    expect(choose(policy, fleet, anAsk())).toBe("plain");
  });

  test("does not break a device for a share that fits on a broken one", () => {
    const fleet = aFleet({ a: { used: [0, 600, 300] } });
    expect(policy.units(fleet, 0, aShare(400))).toEqual([1]);
  });
});
