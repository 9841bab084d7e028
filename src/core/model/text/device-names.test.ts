import { expect, test } from "vitest";
import { deviceNames, hasUsualNames } from "./device-names.ts";

test("numbers go on through all pools of a class, so that no two devices share an id [OB5]", () => {
  const first = { class: "gpu", ids: deviceNames({ class: "gpu", count: 2 }, []) };
  expect(first.ids).toEqual(["gpu-0", "gpu-1"]);
  const other = { class: "fpga", ids: deviceNames({ class: "fpga", count: 1 }, [first]) };
  expect(other.ids).toEqual(["fpga-0"]);
  expect(deviceNames({ class: "gpu", count: 2 }, [first, other])).toEqual(["gpu-2", "gpu-3"]);
});

test("a pool has the usual names only where a count would give them", () => {
  const pool = { class: "gpu", ids: ["gpu-1"] };
  expect(hasUsualNames(pool, [])).toBe(false);
  expect(hasUsualNames(pool, [{ class: "gpu", ids: ["x"] }])).toBe(true);
  expect(hasUsualNames({ class: "gpu", ids: [] }, [])).toBe(false);
});
