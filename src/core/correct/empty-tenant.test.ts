import { describe, expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { CONTENTS_FINALIZER, RESERVED_FINALIZER } from "../model/finalizers.ts";
import type { Decision } from "../protocol/decision.ts";
import { tenantKey } from "../model/ids.ts";
import type { AnyObject, Meta, Tenant, Workload } from "../model/objects.ts";
import { deleteOperation, finalizeOperation } from "../protocol/operations.ts";
import { createEmptyTenant } from "./empty-tenant.ts";

const controller = createEmptyTenant();
const KEY = tenantKey("payments");

const aTenant = (of: Partial<Meta> = {}): Tenant => ({
  kind: "Tenant",
  key: KEY,
  meta: aMeta(KEY, { deletingMs: 1, finalizers: [CONTENTS_FINALIZER], revision: 7, ...of }),
  spec: { displayName: "Payments" },
  status: {},
});

const named = (name: string, of: Partial<Meta> = {}): Workload => {
  const workload = aWorkload();
  const key = `Workload/payments/${name}` as Workload["key"];
  return { ...workload, key, meta: { ...workload.meta, name, ...of } };
};

const decide = (...objects: readonly AnyObject[]): Decision =>
  controller.reconcile(KEY, aView(controller, objects), aLook(1_000));

describe("a tenant that is being deleted", () => {
  test("takes only its own workloads with it [OB8]", () => {
    const [b, a, gone] = [named("b"), named("a"), named("c", { deletingMs: 1 })];
    const foreign = named("d", { namespace: "search" });
    expect(decide(aTenant(), b, a, gone, foreign, aQuota())).toMatchObject({
      kind: "propose",
      intents: [
        { kind: "delete", operation: deleteOperation(a), key: a.key },
        { kind: "delete", operation: deleteOperation(b), key: b.key },
      ],
    });
  });

  test("is emptied in steps [OB8]", () => {
    const many = Array.from({ length: 40 }, (_, at) => named(`w${at}`));
    const decision = decide(aTenant(), ...many);
    expect(decision.kind === "propose" && decision.intents).toHaveLength(32);
  });

  test("waits for workloads that are on their way, with a deadline [RN6]", () => {
    expect(decide(aTenant(), named("a", { deletingMs: 1 }), aQuota())).toMatchObject({
      kind: "wait",
      reason: "stopping",
      deadlineMs: 16_000,
    });
  });

  test("gives up its quota once nothing can use it any more [OB8]", () => {
    const quota = aQuota();
    expect(decide(aTenant(), quota)).toMatchObject({
      kind: "propose",
      intents: [{ kind: "delete", operation: deleteOperation(quota), key: quota.key }],
    });
  });

  test("is let go when it owns nothing, and keeps the finalizers of others [OB8]", () => {
    const tenant = aTenant({ finalizers: [CONTENTS_FINALIZER, "x/y"], labels: { a: "b" } });
    expect(decide(tenant)).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "put",
          operation: finalizeOperation(tenant),
          key: KEY,
          desired: { kind: "Tenant", spec: { displayName: "Payments" } },
          labels: { a: "b" },
          finalizers: ["x/y"],
          expect: { revision: 7 },
        },
      ],
    });
    expect(decide(aTenant({ finalizers: ["x/y"] })).kind).toBe("settled");
  });
});

describe("a quota that is being deleted", () => {
  const quota = aQuota();
  const going = {
    ...quota,
    meta: { ...quota.meta, deletingMs: 1, finalizers: [RESERVED_FINALIZER] },
  };
  const lets = {
    kind: "propose",
    intents: [{ kind: "put", operation: finalizeOperation(going), key: quota.key, finalizers: [] }],
  };

  test("stays while its tenant has a workload, and goes after the last [QT4]", () => {
    const tenant = aTenant({ deletingMs: undefined });
    expect(decide(tenant, going, named("a")).kind).toBe("settled");
    expect(decide(tenant, going)).toMatchObject(lets);
  });

  test("goes with its tenant and is not deleted twice [OB8]", () => {
    expect(decide(aTenant(), going)).toMatchObject(lets);
  });
});

test("a tenant that is not being deleted keeps its objects, and one that is gone has none [OB8]", () => {
  expect(decide(aTenant({ deletingMs: undefined }), named("a"), aQuota()).kind).toBe("settled");
  expect(decide(named("a")).kind).toBe("settled");
});

test("a changed tenant, workload or quota concerns the tenant's key", () => {
  const view = aView(controller, [aTenant()]);
  for (const after of [aTenant(), named("a"), aQuota()]) {
    expect(controller.keysFor({ key: after.key, before: undefined, after }, view)).toEqual([KEY]);
  }
  expect(controller.allKeys(view)).toEqual([KEY]);
});
