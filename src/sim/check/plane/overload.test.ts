import { expect, test } from "vitest";
import type { Truth, WaitingRequest } from "../checker.ts";
import { createOverloadChecker } from "./overload.ts";

const waiting = (name: string, sinceMs: number, label = "lease/n1/1.2"): WaitingRequest => ({
  message: { client: { name, isHostile: name.startsWith("user:") }, label },
  sinceMs,
});

const crowd = (count: number): readonly WaitingRequest[] =>
  Array.from({ length: count }, () => waiting("user:mallory", 0, "put/x"));

function found(entrance: readonly WaitingRequest[] | undefined, nowMs: number): readonly string[] {
  const said: string[] = [];
  // All that the checker reads of the truth.
  const truth = { entrance, nowMs } as unknown as Truth;
  createOverloadChecker().sampled?.(truth, (rule, message) => said.push(`${rule} ${message}`));
  return said;
}

test("[FS8] a lease that waits for a moment passes, and one that waits for longer than a second is found", () => {
  expect(found([waiting("agent:n1", 0)], 1_000)).toEqual([]);
  expect(found([waiting("agent:n1", 0)], 1_001)).toEqual([
    "FS8 lease/n1/1.2 of agent:n1 has waited 1001 ms for its turn.",
  ]);
  expect(found([waiting("user:mallory", 0, "put/x")], 60_000)).toEqual([]);
  expect(found(undefined, 60_000)).toEqual([]);
});

test("[FS4] a queue of people that is longer than its bound is found", () => {
  expect(found(crowd(96), 1)).toEqual([]);
  expect(found(crowd(97), 1)).toEqual(["FS4 97 requests of people wait, of at most 96."]);
});
