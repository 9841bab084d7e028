import { expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { keyOf, workloadKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { argueCapacity, CapacityArguer } from "../capacity/argue-capacity.ts";
import type { CapacityQuestion } from "../capacity/capacity-question.ts";
import { findFix, type FixSearch } from "./find-fix.ts";

const API = workloadKey("payments", "api");

function indexed(objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const after of objects) {
    index.fold({ key: after.key, before: index.get(after.key), after });
  }
  return index;
}

/** The fix, which is argued once more on a fleet that was made with it from the beginning. */
function fixFor(objects: readonly AnyObject[], question: CapacityQuestion): FixSearch {
  const arguer = new CapacityArguer(indexed(objects));
  const search = findFix(arguer, question, arguer.argue(question));
  const fixed = indexed([...objects, ...(search.fix?.changed ?? [])]);
  expect(argueCapacity(fixed, question).broken > 0).toBe(search.fix === undefined);
  return search;
}

const node = (name: string, zone: string, cpuMillis = 1_000) =>
  aNode({ name, zone, region: "eu", cpuMillis, memoryMiB: 1_000 });

const on = (at: string, index: number, parts: Parameters<typeof aReplica>[0] = {}) =>
  aReplica({ node: at, index, stage: "serving", cpuMillis: 600, memoryMiB: 10, ...parts });

const api = { cpuMillis: 600, memoryMiB: 10 };

test("the fewest nodes of a shape that is there make the loss of any zone hold", () => {
  const objects = [
    node("a-1", "a"),
    node("b-1", "b"),
    node("c-1", "c"),
    aWorkload({ replicas: 3, ...api }),
    on("a-1", 0),
    on("b-1", 1),
    on("c-1", 2),
  ];
  const { fix } = fixFor(objects, { lose: "zone", counted: "hard" });
  // One node alone would be lost with its zone.
  expect(fix).toMatchObject({ verdict: "holds", argument: { broken: 0, failures: 3 } });
  expect(fix?.change).toBe("add 1 node like b-1 in zone b and 1 node like c-1 in zone c");
});

test("a spread that insists on a full zone is loosened before machines are added", () => {
  const spread = [{ by: "zone", maxSkew: 1 }];
  const objects = [
    node("a-1", "a"),
    node("b-1", "b", 700),
    node("c-1", "c", 2_000),
    aWorkload({ replicas: 4, ...api, spread }),
    on("a-1", 0, { spread }),
    on("b-1", 1, { spread }),
    on("c-1", 2, { spread }),
    on("c-1", 3, { spread }),
  ];
  const { fix } = fixFor(objects, { lose: "zone", which: "a", counted: "hard" });
  expect(fix).toMatchObject({
    change: "raise maxSkew of the spread of payments/api over zones to 2",
    verdict: "holds",
  });
});

test("a reserve keeps the room that others would take, and a class takes what others have", () => {
  const key = keyOf({ kind: "PriorityClass", namespace: "", name: "high" });
  const high: AnyObject = {
    kind: "PriorityClass",
    key,
    meta: aMeta(key),
    spec: { value: 9 },
    status: {},
  };
  const busy = { workload: "busy", cpuMillis: 600, memoryMiB: 10 };
  const objects = [
    high,
    node("a-1", "a", 1_200),
    node("b-1", "b", 700),
    aWorkload({ ...api }),
    aWorkload({ name: "busy", cpuMillis: 600, memoryMiB: 10 }),
    on("a-1", 0),
    on("a-1", 0, busy),
  ];
  const question = { lose: "zone", which: "a", onlyWorkload: API } as const;
  const { fix } = fixFor(objects, { ...question, counted: "hard" });
  expect(fix?.change).toBe("set the recovery reserve of payments/api to 1 in eu");
  const full = [...objects, on("b-1", 1, busy)];
  expect(fixFor(full, { ...question, counted: "reclaimable" }).fix?.change).toBe(
    "give payments/api the priority class high",
  );
});

test("without a change that suffices, it says what it tried", () => {
  const objects = [
    node("a-1", "a"),
    aWorkload({ ...api, zones: ["a"] }),
    on("a-1", 0, { zones: ["a"] }),
  ];
  const search = fixFor(objects, { lose: "zone", counted: "hard" });
  expect(search.fix).toBeUndefined();
  expect(search.tried).toMatch(/^\d+ changes of quotas, reserves, .* were tried, one at a time/);
});
