import { describe, expect, test } from "vitest";
import { aPlane, putting } from "../../../test/builders/a-plane.ts";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { codeOf } from "../../../test/builders/code-of.ts";
import { CONTENTS_FINALIZER, REPLICAS_FINALIZER } from "../model/finalizers.ts";
import type { Decision } from "../protocol/decision.ts";
import { tenantKey } from "../model/ids.ts";
import type { Meta, Tenant } from "../model/objects.ts";
import { createLiftFinalizer } from "./lift-finalizer.ts";

const KEY = tenantKey("shop");

const aTenant = (of: Partial<Meta>): Tenant => ({
  kind: "Tenant",
  key: KEY,
  meta: aMeta(KEY, { deletingMs: 1, revision: 7, ...of }),
  spec: { displayName: "Shop" },
  status: {},
});

/** What it concludes about the tenant at each of these times. */
function concludes(tenant: Tenant, ...times: readonly number[]): readonly Decision[] {
  const controller = createLiftFinalizer();
  const view = aView(controller, [tenant]);
  controller.follow?.({ key: KEY, before: undefined, after: tenant }, view);
  return times.map((nowMs) => controller.reconcile(KEY, view, aLook(nowMs)));
}

describe("an object that is being deleted", () => {
  test("loses a finalizer of the plane's own that guards nothing there, and keeps all others [RP2]", () => {
    const finalizers = ["example.com/backup", REPLICAS_FINALIZER, CONTENTS_FINALIZER];
    const [decision] = concludes(aTenant({ finalizers }), 0);
    expect(decision).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "put",
          finalizers: ["example.com/backup", CONTENTS_FINALIZER],
          expect: { revision: 7 },
        },
      ],
    });
  });

  test("is its owner's business while the finalizer guards it [RP2]", () => {
    const finalizers = [CONTENTS_FINALIZER, "example.com/backup"];
    expect(concludes(aTenant({ finalizers }), 0)).toEqual([{ kind: "settled" }]);
  });

  test("is shown with the holder of its finalizer and for how long, when that is a client [RP3]", () => {
    const finalizers = ["example.com/backup"];
    const [first, later] = concludes(aTenant({ finalizers }), 5_000, 190_000);
    expect(first).toMatchObject({
      kind: "wait",
      reason: "foreign-finalizer",
      deadlineMs: 65_000,
      because: { summary: expect.stringMatching(/finalizers: example\.com\/backup$/) as string },
    });
    expect(later).toMatchObject({
      kind: "wait",
      deadlineMs: 245_000,
      because: { summary: expect.stringMatching(/for 3 min so far$/) as string },
    });
  });

  test("keeps a finalizer of the plane that only another version knows [RP3]", () => {
    const [decision] = concludes(aTenant({ finalizers: ["berth.dev/later"] }), 0);
    expect(decision).toMatchObject({ kind: "wait", reason: "foreign-finalizer" });
  });
});

describe("an object that is not being deleted", () => {
  test("is not looked at, whatever finalizers it has [RP2]", () => {
    const kept = aTenant({ deletingMs: undefined, finalizers: [REPLICAS_FINALIZER] });
    expect(concludes(kept, 0)).toEqual([{ kind: "settled" }]);
  });
});

describe("the authority", () => {
  const finalizers = [REPLICAS_FINALIZER, "example.com/backup"];
  const tenant = { kind: "Tenant", spec: { displayName: "shop" } } as const;

  test("lets the repairer take off what guards nothing, and never what others have put there [RP2] [RP3]", () => {
    const plane = aPlane();
    plane.must(putting(KEY, tenant, { finalizers }));
    plane.must({ kind: "delete", key: KEY, expect: {} });
    plane.must(putting(KEY, tenant), { role: "lift-finalizer" });
    expect(plane.get(KEY)?.meta.finalizers).toEqual(["example.com/backup"]);
    // A person could not have taken off the first, and does take off the second.
    plane.must(putting(KEY, tenant));
    expect(plane.get(KEY)).toBeUndefined();
  });

  test("lets the repairer write nothing that is not on its way out [RP2]", () => {
    const plane = aPlane();
    plane.must(putting(KEY, tenant, { finalizers }));
    expect(codeOf(plane.send(putting(KEY, tenant), { role: "lift-finalizer" }))).toBe("not-owner");
  });
});
