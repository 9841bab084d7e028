import { describe, expect, test } from "vitest";
import {
  aFleet,
  anAsk,
  aShare,
  choose,
  teach,
  wholeDevices,
} from "../../../../test/builders/a-fleet.ts";
import { createFragmentation } from "./fragmentation.ts";

/** Twelve processors with each of eight devices, or fifty-two with each of two. */
const BALANCED = { cpuMillis: 96_000, used: [0, 0, 0, 0, 0, 0, 0, 0] };
const MANY_PROCESSORS = { cpuMillis: 104_000, used: [0, 0] };

describe("fragmentation, on processors", () => {
  test("sends an ask for many processors where devices have them to spare", () => {
    const policy = createFragmentation();
    teach(policy, 60, wholeDevices(1, { cpuMillis: 11_000 }));
    teach(policy, 4, wholeDevices(1, { cpuMillis: 24_000 }));
    const fleet = aFleet({ balanced: BALANCED, spare: MANY_PROCESSORS });
    expect(choose(policy, fleet, wholeDevices(1, { cpuMillis: 24_000 }))).toBe("spare");
  });

  test("sends an ask for few processors where they are about to run short", () => {
    const policy = createFragmentation();
    teach(policy, 60, wholeDevices(1, { cpuMillis: 11_000 }));
    teach(policy, 4, wholeDevices(1, { cpuMillis: 3_000 }));
    const short = { cpuMillis: 96_000, cpuUsedMillis: 40_000, used: [1000, 0, 0, 0, 0, 0, 0, 0] };
    const fleet = aFleet({ spare: MANY_PROCESSORS, short });
    expect(choose(policy, fleet, wholeDevices(1, { cpuMillis: 3_000 }))).toBe("short");
  });

  test("puts plain work where its processors are missed least", () => {
    const policy = createFragmentation();
    teach(policy, 8, wholeDevices(1, { cpuMillis: 11_000 }));
    const fleet = aFleet({ balanced: BALANCED, spare: MANY_PROCESSORS });
    expect(choose(policy, fleet, anAsk({ cpuMillis: 12_000 }))).toBe("spare");
    const full = { cpuMillis: 96_000, cpuUsedMillis: 20_000, used: [1000, 1000] };
    const withFull = aFleet({ spare: MANY_PROCESSORS, full });
    expect(choose(policy, withFull, anAsk({ cpuMillis: 12_000 }))).toBe("full");
  });

  test("is best fit where there are no devices", () => {
    const policy = createFragmentation();
    const fleet = aFleet({ empty: {}, half: { cpuUsedMillis: 48_000 } });
    expect(choose(policy, fleet, anAsk())).toBe("half");
  });

  test("counts memory as it counts processors", () => {
    const policy = createFragmentation();
    teach(policy, 16, wholeDevices(1, { memoryMiB: 40_000 }));
    teach(policy, 16, wholeDevices(1, { memoryMiB: 100_000 }));
    const fleet = aFleet({ tight: { used: [0, 0, 0, 0, 0, 0, 0, 0] }, roomy: { used: [0, 0] } });
    expect(choose(policy, fleet, wholeDevices(1, { memoryMiB: 100_000 }))).toBe("roomy");
  });
});

describe("fragmentation, on devices", () => {
  test("keeps a hole for the share that fills it, once it has seen that such shares come", () => {
    const policy = createFragmentation();
    teach(policy, 32, aShare(470));
    teach(policy, 16, aShare(650));
    teach(policy, 16, aShare(320));
    const fleet = aFleet({ beside470: { used: [470] }, beside650: { used: [650] } });
    expect(choose(policy, fleet, aShare(320))).toBe("beside650");
    expect(choose(policy, fleet, aShare(470))).toBe("beside470");
  });

  test("chooses the device of a node by the same measure", () => {
    const policy = createFragmentation();
    teach(policy, 32, aShare(470));
    teach(policy, 16, aShare(650));
    teach(policy, 16, aShare(320));
    const fleet = aFleet({ a: { used: [0, 470, 650] } });
    expect(policy.units(fleet, 0, aShare(320))).toEqual([2]);
    expect(policy.units(fleet, 0, aShare(470))).toEqual([1]);
    expect(policy.units(fleet, 0, aShare(650))).toEqual([0]);
  });

  test("breaks a node whose devices are wanted together last", () => {
    const policy = createFragmentation();
    teach(policy, 16, wholeDevices(8));
    teach(policy, 16, wholeDevices(1));
    const fleet = aFleet({
      whole: { used: Array<number>(8).fill(0) },
      broken: { used: [1000, ...Array<number>(7).fill(0)] },
    });
    expect(choose(policy, fleet, wholeDevices(1))).toBe("broken");
  });

  test("leaves the kind that others insist on to them", () => {
    const policy = createFragmentation();
    const insists = Uint8Array.of(1, 0);
    teach(policy, 16, wholeDevices(1, { kinds: insists }));
    teach(policy, 16, wholeDevices(1));
    const fleet = aFleet({ sought: { used: [0, 0], kind: 0 }, other: { used: [0, 0], kind: 1 } });
    expect(choose(policy, fleet, wholeDevices(1))).toBe("other");
    expect(choose(policy, fleet, aShare(500))).toBe("other");
    expect(choose(policy, fleet, wholeDevices(1, { kinds: insists }))).toBe("sought");
  });

  test("fills the fuller of two nodes that lose the same", () => {
    const policy = createFragmentation();
    teach(policy, 4, wholeDevices(1));
    const fleet = aFleet({ idle: { used: [0, 0, 0, 0] }, used: { used: [1000, 1000, 0, 0] } });
    expect(choose(policy, fleet, wholeDevices(1))).toBe("used");
  });
});

describe("fragmentation, learning", () => {
  test("takes what it learned into account at every doubling, and only of asks with devices", () => {
    const policy = createFragmentation();
    const versions: number[] = [];
    for (let at = 0; at < 9; at += 1) {
      teach(policy, 1, aShare(500));
      versions.push(policy.version);
    }
    expect(versions).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4]);
    teach(policy, 100, anAsk());
    expect(policy.version).toBe(4);
  });

  test("forgets the demand of long ago", () => {
    const policy = createFragmentation();
    const fleet = aFleet({
      whole: { used: Array<number>(8).fill(0) },
      broken: { used: [1000, ...Array<number>(7).fill(0)] },
    });
    const lost = (): number =>
      policy.score(fleet, 1, wholeDevices(1)) - policy.score(fleet, 0, wholeDevices(1));
    teach(policy, 8_192, wholeDevices(8));
    const atFirst = lost();
    teach(policy, 200_000, wholeDevices(1));
    expect(atFirst).toBeGreaterThan(100);
    expect(lost()).toBeLessThan(atFirst / 10);
  });

  test("changes its version seldom, however many asks have come", () => {
    const policy = createFragmentation();
    teach(policy, 100_000, aShare(500));
    expect(policy.version).toBeLessThan(30);
  });
});
