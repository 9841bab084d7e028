import { expect, test } from "vitest";
import type { Caller } from "../http/caller.ts";
import { REFUSAL_LIMITS } from "./refusal-limits.ts";
import { Refusals } from "./refusals.ts";

const log = { warn: () => {} };
const caller = (name: string): Caller => ({ kind: "user", name, groups: [], how: "token" });
const request = { verb: "get", path: "/metrics" } as const;

test("a caller that is refused for days leaves the refusals of others in the audit [AZ48]", () => {
  let nowMs = 0;
  const refusals = new Refusals({ nowMs: () => nowMs, log });
  refusals.note(caller("ana"), request);
  for (let minute = 1; minute <= 5_000; minute += 1) {
    nowMs = minute * 60_000;
    refusals.note(caller("mallory"), request);
    refusals.note(caller("mallory"), request);
  }
  const all = refusals.all();
  expect(all.filter(({ user }) => user === "mallory")).toHaveLength(
    REFUSAL_LIMITS.refusalsPerCaller.value,
  );
  expect(all.at(-1)).toMatchObject({ user: "ana", count: 1, first: "get /metrics" });
  expect(all[0]).toMatchObject({ user: "mallory", count: 2 });
});

test("callers of any number fill no more than their bound [AZ48]", () => {
  const refusals = new Refusals({ nowMs: () => 0, log });
  for (let at = 0; at < 10_000; at += 1) refusals.note(caller(`user-${at}`), request);
  expect(refusals.all()).toHaveLength(REFUSAL_LIMITS.refusalsKept.value);
});
