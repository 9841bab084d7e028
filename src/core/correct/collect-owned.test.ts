import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { ObjectKey, Uid } from "../model/ids.ts";
import type { AnyObject, Meta, PriorityClass } from "../model/objects.ts";
import { priorityClassKey } from "../model/preemption.ts";
import type { Decision } from "../protocol/decision.ts";
import { createCollectOwned } from "./collect-owned.ts";

const OWNER = priorityClassKey("owner");
const OWNED = priorityClassKey("owned");

const aClass = (key: ObjectKey, of: Partial<Meta> = {}): PriorityClass => ({
  kind: "PriorityClass",
  key,
  meta: aMeta(key, of),
  spec: { value: 1, preempts: "lower" },
  status: {},
});

const owner = aClass(OWNER, { uid: "u1" as Uid });
const owned = aClass(OWNED, { uid: "u2" as Uid, owners: [{ key: OWNER, uid: "u1" as Uid }] });

function concludes(...objects: readonly AnyObject[]): Decision {
  const controller = createCollectOwned();
  return controller.reconcile(OWNED, aView(controller, objects), aLook(0));
}

describe("an object with owners", () => {
  test("is deleted once none of them exists, with their uids as evidence [OB11, OB12]", () => {
    expect(concludes(owned)).toMatchObject({
      kind: "propose",
      intents: [{ kind: "delete", key: OWNED, evidence: { kind: "owners-gone", owners: ["u1"] } }],
    });
  });

  test("stays while one exists, and a namesake of another uid is none [OB11]", () => {
    expect(concludes(owned, owner)).toEqual({ kind: "settled" });
    const namesake = aClass(OWNER, { uid: "u3" as Uid });
    expect(concludes(owned, namesake)).toMatchObject({ kind: "propose" });
  });

  test("is left alone without owners, and while it is being deleted [OB12]", () => {
    expect(concludes(aClass(OWNED))).toEqual({ kind: "settled" });
    expect(concludes(aClass(OWNED, { owners: [] }))).toEqual({ kind: "settled" });
    expect(concludes(aClass(OWNED, { ...owned.meta, deletingMs: 1 }))).toEqual({ kind: "settled" });
  });

  test("waits while others use it, and names one of them [OB11]", () => {
    const node = aNode({ name: "a-1" });
    const { owners } = owned.meta;
    const machine = { ...node, meta: { ...node.meta, owners: owners! } };
    const user = aReplica({ stage: "serving", node: "a-1" });
    const controller = createCollectOwned();
    const view = aView(controller, [machine, user]);
    expect(controller.reconcile(machine.key, view, aLook(0))).toMatchObject({
      kind: "wait",
      reason: "in-use",
      because: { summary: expect.stringContaining(user.key) as string },
    });
  });
});

describe("the keys that a change concerns", () => {
  const end = { key: OWNER, before: owner, after: undefined };

  test("are the objects that name a deleted owner, as long as they do [OB11]", () => {
    const controller = createCollectOwned();
    const view = aView(controller, []);
    controller.follow?.({ key: OWNED, before: undefined, after: owned }, view);
    expect(controller.keysFor(end, view)).toEqual([OWNED]);
    expect([...controller.allKeys(view)]).toEqual([OWNED]);
    const free = { ...owned, meta: { ...owned.meta, owners: [] } };
    controller.follow?.({ key: OWNED, before: owned, after: free }, view);
    expect(controller.keysFor(end, view)).toEqual([]);
    expect([...controller.allKeys(view)]).toEqual([]);
  });

  test("do not include those of an owner that only changes [OB11]", () => {
    const controller = createCollectOwned();
    const view = aView(controller, []);
    controller.follow?.({ key: OWNED, before: undefined, after: owned }, view);
    expect(controller.keysFor({ key: OWNER, before: owner, after: owner }, view)).toEqual([]);
  });
});
