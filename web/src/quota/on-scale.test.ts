import { expect, it } from "vitest";
import { onScale } from "./on-scale.ts";

it.each([
  ["within the limit", { limit: 10, used: 4, reserved: 2 }, [10, 4, 2, 0], 1],
  ["reserved beyond it", { limit: 10, used: 8, reserved: 4 }, [12, 8, 2, 2], 10 / 12],
  ["used beyond it", { limit: 10, used: 20, reserved: 0 }, [20, 10, 0, 10], 0.5],
  ["of no limit at all", { limit: 0, used: 5, reserved: 0 }, [5, 0, 0, 5], 0],
  ["nothing of nothing", { limit: 0, used: 0, reserved: 0 }, [Number.MIN_VALUE, 0, 0, 0], 1],
])("shows use %s on the scale of the limit", (_, of, [whole, used, reserved, over], limitAt) => {
  expect(onScale(of)).toEqual({ parts: { whole, used, reserved, over }, limitAt });
});
