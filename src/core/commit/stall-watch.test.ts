import { expect, test } from "vitest";
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import { StallWatch } from "./stall-watch.ts";

const { value: STALL_MS } = LOAD_LIMITS.stallMs;

test("looks that come in time show no stall, and neither does the first [LB7]", () => {
  const watch = new StallWatch();
  expect(watch.look(1_000_000)).toBeUndefined();
  for (let at = 1; at <= 40; at += 1) expect(watch.look(1_000_000 + at * 250)).toBeUndefined();
  expect(watch.look(1_010_000 + STALL_MS)).toBeUndefined();
});

test("a look that comes far too late says how long the process stood still, once [LB7]", () => {
  const watch = new StallWatch();
  watch.look(1_000);
  expect(watch.look(1_001 + STALL_MS)).toBe(STALL_MS + 1);
  expect(watch.look(1_002 + STALL_MS)).toBeUndefined();
});
