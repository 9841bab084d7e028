import { describe, expect, test } from "vitest";
import { aFleet, anAsk, aShare, choose, wholeDevices } from "../../../../test/builders/a-fleet.ts";
import { createBestFit } from "./best-fit.ts";

const policy = createBestFit();

describe("best-fit", () => {
  test("prefers the node that is left fullest", () => {
    const fleet = aFleet({
      empty: {},
      half: { cpuUsedMillis: 48_000 },
      little: { cpuUsedMillis: 9_000 },
    });
    expect(choose(policy, fleet, anAsk())).toBe("half");
  });

  test("counts devices for an ask that wants some", () => {
    const fleet = aFleet({ idle: { used: [0, 0, 0, 0] }, used: { used: [1000, 1000, 0, 0] } });
    expect(choose(policy, fleet, wholeDevices(2))).toBe("used");
  });

  test("keeps plain work off a node with free devices until the others are half fuller", () => {
    const fleet = aFleet({ plain: {}, devices: { used: [0], cpuUsedMillis: 48_000 } });
    expect(choose(policy, fleet, anAsk())).toBe("plain");
    const apart = aFleet({
      plain: {},
      devices: { used: [0], cpuUsedMillis: 95_000, memoryUsedMiB: 390_000 },
    });
    expect(choose(policy, apart, anAsk())).toBe("devices");
  });

  test("puts a share on the device that it fits most tightly", () => {
    const fleet = aFleet({ a: { used: [0, 600, 300] } });
    expect(policy.units(fleet, 0, aShare(400))).toEqual([1]);
  });
});
