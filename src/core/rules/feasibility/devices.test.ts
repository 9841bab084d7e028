import { describe, expect, test } from "vitest";
import { aNode, type NodeParts } from "../../../../test/builders/a-node.ts";
import { aTemplate } from "../../../../test/builders/a-template.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Ask, DeviceAsk } from "../../model/objects.ts";
import { emptyNodeUse } from "../../observe/usage.ts";
import { checkChosenDevices, chooseDevices, devices } from "./devices.ts";
import type { Candidate } from "./misfit.ts";

const OWNER = "Replica/payments/other.1.0" as ObjectKey;

const TWO_MODELS: NodeParts = {
  pools: [
    { class: "gpu", model: "V100", ids: ["v0"] },
    { class: "gpu", model: "A100", ids: ["a0", "a1"] },
    { class: "fpga", model: "", ids: ["f0"] },
  ],
};

const ask = (of: Partial<DeviceAsk>): Ask =>
  aTemplate({ device: { class: "gpu", models: [], count: 1, shareMillis: 1000, ...of } }).ask;

/** `used` says how many thousandths of which device are taken. */
function candidate(used: Readonly<Record<string, number>> = {}, node = TWO_MODELS): Candidate {
  const use = emptyNodeUse();
  for (const [id, usedMillis] of Object.entries(used)) {
    use.devices.set(id, { usedMillis, owners: [OWNER] });
  }
  return { node: aNode(node), use };
}

describe("whole devices", () => {
  test("are of one of the asked models, in the node's order [BD5]", () => {
    expect(chooseDevices(candidate(), ask({ models: ["A100"], count: 2 }))).toEqual(["a0", "a1"]);
    const either = ask({ models: ["A100", "V100"], count: 3 });
    expect(chooseDevices(candidate(), either)).toEqual(["v0", "a0", "a1"]);
  });

  test("of a model the node has too few of do not fit, and the ask is told in full [BD5]", () => {
    expect(devices.check(candidate(), ask({ models: ["A100"], count: 3 }))).toMatchObject({
      code: "device-taken",
      expected: "3 free gpu A100",
      actual: "2",
    });
    expect(devices.check(candidate(), ask({ models: ["H100"] }))).toBeDefined();
  });

  test("are never ones of which another replica has a share [BD5] [BD9]", () => {
    const shared = candidate({ a0: 1, v0: 1 });
    expect(devices.check(shared, ask({ count: 2 }))).toMatchObject({ actual: "1" });
    expect(chooseDevices(shared, ask({ count: 1 }))).toEqual(["a1"]);
    expect(checkChosenDevices(shared, ask({ count: 1 }), ["a0"])).toBeDefined();
  });

  test("that the ask does not name may not be chosen either [BD5]", () => {
    const v100 = ask({ models: ["V100"] });
    expect(checkChosenDevices(candidate(), v100, ["v0"])).toBeUndefined();
    expect(checkChosenDevices(candidate(), v100, ["a0"])).toBeDefined();
    expect(checkChosenDevices(candidate(), v100, ["f0"])).toBeDefined();
  });
});

describe("a share", () => {
  const half = ask({ shareMillis: 500 });

  test("fits on one single device with as much left, to the last thousandth [BD9]", () => {
    const one = { deviceIds: ["g0"] };
    expect(devices.check(candidate({ g0: 500 }, one), half)).toBeUndefined();
    expect(devices.check(candidate({ g0: 501 }, one), half)).toMatchObject({
      expected: "1 free gpu with 500m left",
      actual: "0",
    });
  });

  test("is not put together from what is left on several devices [BD9]", () => {
    const two = candidate({ g0: 600, g1: 600 }, { deviceIds: ["g0", "g1"] });
    expect(devices.check(two, half)).toBeDefined();
  });

  test("goes to the fullest device that has room, so that whole ones stay whole", () => {
    const node = { deviceIds: ["g0", "g1", "g2"] };
    expect(chooseDevices(candidate({ g1: 200, g2: 500 }, node), half)).toEqual(["g2"]);
    expect(chooseDevices(candidate({ g2: 900 }, node), half)).toEqual(["g0"]);
  });

  test("is bound to exactly one device, which has room for it [BD9]", () => {
    const node = { deviceIds: ["g0", "g1"] };
    expect(checkChosenDevices(candidate({ g0: 500 }, node), half, ["g0"])).toBeUndefined();
    expect(checkChosenDevices(candidate({ g0: 501 }, node), half, ["g0"])).toBeDefined();
    expect(checkChosenDevices(candidate({}, node), half, ["g0", "g1"])).toBeDefined();
    expect(checkChosenDevices(candidate({}, node), half, [])).toBeDefined();
  });

  test("never fits on a device that another replica has whole [BD9]", () => {
    const whole = candidate({ g0: 1000 }, { deviceIds: ["g0"] });
    expect(devices.check(whole, ask({ shareMillis: 1 }))).toBeDefined();
  });
});
