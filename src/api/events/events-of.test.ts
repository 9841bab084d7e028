import { expect, test } from "vitest";
import { aCommit } from "../../../test/builders/a-commit.ts";
import { aPolicy } from "../../../test/builders/a-policy.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { eventsOf } from "./events-of.ts";

/** As a store gives them back: equal where nothing has changed, and never the same. */
function told(before: AnyObject, after: AnyObject): readonly string[] {
  const change = { key: after.key, before: structuredClone(before), after: structuredClone(after) };
  return eventsOf({ ...aCommit({ revision: 9 }), changes: [change] }).map(({ reason }) => reason);
}

test("a recovery that is over is told once, and not again with what changes later", () => {
  const recovery = { withinMs: 60_000, replicas: 1, regions: [] };
  const last = { beganMs: 5, tookMs: 900, lost: 1, spentMs: { lost: 900 } };
  const lost = aWorkload({ recovery, status: { recovery: { reached: 1 } } });
  const back = aWorkload({ recovery, status: { recovery: { reached: 1, last } } });
  const later = aWorkload({ recovery, status: { recovery: { reached: 1, holds: 2, last } } });
  expect(told(lost, back)).toEqual(["Recovered"]);
  expect(told(back, later)).toEqual([]);
});

test("a probe that took a replica out of ready is told once in its incarnation", () => {
  const unready = { said: "503", sinceMs: 7 };
  const ready = aReplica({ stage: "ready", node: "n1" });
  const out = aReplica({ stage: "starting", node: "n1", unready });
  const bound = aReplica({ stage: "bound", node: "n1", unready });
  expect(told(ready, out)).toEqual(["Unready"]);
  expect(told(bound, out)).toEqual(["Started"]);
});

test("probes that keep failing are told with every report of them [EV10]", () => {
  const probe = { said: "503", times: 9, sinceMs: 7, toldMs: 7 };
  const starting = aReplica({ stage: "starting", node: "n1" });
  const failing = aReplica({ stage: "starting", node: "n1", failingProbe: probe });
  const again = { ...probe, times: 30, toldMs: 20 };
  const later = aReplica({ stage: "starting", node: "n1", failingProbe: again });
  expect(told(starting, failing)).toEqual(["ProbeFailing"]);
  expect(told(failing, later)).toEqual(["ProbeFailing"]);
  expect(told(later, later)).toEqual([]);
});

test("a pointer of a policy that has moved is told once, and a way back as a warning", () => {
  const move = { by: "ana", atMs: 5, from: "r1", to: "r2", reason: "CHG-17" };
  const rollback = { bindings: "drain", reservations: "preserve" } as const;
  const back = { by: "ana", atMs: 6, from: "r2", to: "r1", reason: "latency", rollback };
  const before = aPolicy({ active: "r1" });
  const on = aPolicy({ active: "r2" }, { history: [move] });
  expect(told(before, on)).toEqual(["PolicyActivated"]);
  expect(told(on, on)).toEqual([]);
  expect(told(on, aPolicy({ active: "r1" }, { history: [move, back] }))).toEqual([
    "PolicyRolledBack",
  ]);
});
