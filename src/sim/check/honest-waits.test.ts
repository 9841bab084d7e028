import { expect, test } from "vitest";
import type { AnyObject } from "../../core/model/objects.ts";
import { View } from "../../core/observe/view.ts";
import type { Owed } from "../../core/runner.ts";
import { CheckerBench } from "./checker-bench.ts";
import {
  aBeliever,
  amounts,
  aNode,
  aQuota,
  aReplica,
  aReservation,
  aWorkload,
  bound,
  withStatus,
} from "./fixtures.ts";
import { createHonestWaitsChecker } from "./honest-waits.ts";

const replica = aReplica();
const queued = withStatus(replica, { stage: "queued" });
const forRoom: Owed = {
  key: aWorkload().key,
  reason: "no-feasible-node",
  wakes: [],
  deadlineMs: 1,
  sinceRevision: 1,
};
const forQuota: Owed = { ...forRoom, reason: "quota-exhausted" };

function wait(owed: Owed, ...seen: readonly AnyObject[]): string[] {
  const bench = new CheckerBench(createHonestWaitsChecker());
  const view = new View({ kinds: new Set(), node: undefined });
  view.replace(seen, 1, 1);
  bench.everyClient = [aBeliever({ view, owed: [owed] })];
  bench.finish();
  return bench.found;
}

test("a wait for what the view does not show is fine [INV18]", () => {
  expect(wait(forRoom, queued, aNode({ spec: { capacity: amounts({ cpuMillis: 1 }) } }))).toEqual(
    [],
  );
  expect(wait(forRoom, replica, aNode())).toEqual([]);
  expect(wait(forQuota, replica, aQuota({ cpuMillis: 1 }))).toEqual([]);
  expect(wait(forQuota, replica)).toEqual([]);
  expect(wait({ ...forRoom, reason: "backing-off" }, queued, aNode())).toEqual([]);
});

test("a wait for room that the view shows is reported [INV18]", () => {
  expect(wait(forRoom, queued, aNode())).toEqual([
    "INV18 place-1 lets Workload/payments/api wait for no-feasible-node, but in its own view node-1 can take Replica/payments/api.1.0.",
  ]);
  // Whatever the first one's fate: the others of its generation are waited for, too.
  const second = withStatus(aReplica({ spec: { slot: 1 } }), { stage: "queued" });
  expect(wait(forRoom, bound(replica), second, aNode())).toHaveLength(1);
});

test("a wait for quota that is free, or held already, is reported [INV18]", () => {
  expect(wait(forQuota, replica, aQuota())).toEqual([
    "INV18 place-1 lets Workload/payments/api wait for quota-exhausted, but in its own view there is quota for Replica/payments/api.1.0.",
  ]);
  expect(wait(forQuota, replica, aQuota({ cpuMillis: 100 }), aReservation(replica))).toHaveLength(
    1,
  );
});
