import { expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { keyOf } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { argueIsolation } from "./argue-isolation.ts";

function aClass(name: string, value: number): AnyObject {
  const key = keyOf({ kind: "PriorityClass", namespace: "", name });
  return { kind: "PriorityClass", key, meta: aMeta(key), spec: { value }, status: {} };
}

function facts(...objects: readonly AnyObject[]) {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  return argueIsolation(index, "payments");
}

const half = { cpuMillis: 500, memoryMiB: 500, deviceMillis: 0 };
const NODE = aNode({ cpuMillis: 1_000, memoryMiB: 1_000 });
const OTHERS = aWorkload({ tenant: "ads", name: "train" });

test("quotas that fit on the machines together are no other tenant's to take", () => {
  const safe = { protected: "the quota of payments", isSafe: true };
  expect(facts(NODE, OTHERS, aQuota(half), aQuota(half, "ads"))[0]).toMatchObject(safe);
  expect(facts(NODE, OTHERS, aQuota(half), aQuota({ ...half, memoryMiB: 501 }, "ads"))[0]).toEqual({
    protected: "the quota of payments",
    isSafe: false,
    because:
      "Other tenants may hold 501 of 1000 MiB of memory, and 500 are guaranteed to payments.",
  });
});

test("a tenant without a quota takes what is free", () => {
  expect(facts(NODE, OTHERS, aQuota(half))[0]).toMatchObject({
    isSafe: false,
    because: "Tenant ads has no quota, and may hold all that is free.",
  });
});

test("work is safe from classes that no other tenant may use", () => {
  const objects = [NODE, OTHERS, aQuota(half), aWorkload(), aClass("high", 5)];
  expect(facts(...objects, aQuota(half, "ads"))[1]).toEqual({
    protected: "work of payments without a class",
    isSafe: false,
    because: "Work of class high of another tenant may preempt it.",
  });
  const quota = aQuota(half, "ads");
  const nothing = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };
  const bounded = { ...quota, spec: { ...quota.spec, classes: { high: nothing } } };
  expect(facts(...objects, bounded)[1]).toMatchObject({ isSafe: true });
});

test("a reserve that is not whole leaves room to others", () => {
  const recovery = { withinMs: 1_000, replicas: 2, regions: ["eu"] };
  expect(facts(NODE, aQuota(half), aWorkload({ replicas: 2, recovery }))[2]).toEqual({
    protected: "the recovery reserve of payments/api",
    isSafe: false,
    because: "0 of 2 rooms are kept for 2 replicas: others may take the rest.",
  });
});
