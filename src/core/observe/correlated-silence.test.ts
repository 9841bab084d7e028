import { expect, test } from "vitest";
import { isCorrelated } from "./correlated-silence.ts";

test("three silent nodes and half of the region are needed to call a silence correlated [EV4]", () => {
  expect(isCorrelated({ silent: 3, watched: 6 })).toBe(true);
  expect(isCorrelated({ silent: 3, watched: 7 })).toBe(false);
  expect(isCorrelated({ silent: 2, watched: 2 })).toBe(false);
  expect(isCorrelated({ silent: 50, watched: 100 })).toBe(true);
  expect(isCorrelated({ silent: 49, watched: 100 })).toBe(false);
});
