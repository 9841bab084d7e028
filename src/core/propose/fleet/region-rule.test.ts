import { describe, expect, test } from "vitest";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aQuota } from "../../../../test/builders/a-quota.ts";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { aLook } from "../../../../test/builders/a-turn.ts";
import { aView } from "../../../../test/builders/a-view.ts";
import { amounts } from "../../../../test/builders/amounts.ts";
import type { Decision } from "../../protocol/decision.ts";
import { workloadKey } from "../../model/ids.ts";
import type { AnyObject, Quota, Replica } from "../../model/objects.ts";
import { createPlace } from "../place.ts";

const API = workloadKey("payments", "api");

const granting = (regions: Readonly<Record<string, number>>): Quota => {
  const quota = aQuota();
  const bounds = Object.entries(regions).map(([name, cpuMillis]) => [
    name,
    amounts({ cpuMillis, memoryMiB: 9_000, deviceMillis: 0 }),
  ]);
  return { ...quota, spec: { ...quota.spec, regions: Object.fromEntries(bounds) } };
};

const queued = (index = 0): Replica => aReplica({ index, stage: "queued" });
const EU = aNode({ name: "a-1", region: "eu", cpuMillis: 5_000, memoryMiB: 5_000 });
const US = aNode({ name: "b-1", region: "us", cpuMillis: 5_000, memoryMiB: 5_000 });

function scheduler(objects: readonly AnyObject[]): () => Decision {
  const controller = createPlace();
  const view = aView(controller, objects);
  for (const after of objects) {
    controller.follow?.({ key: after.key, before: undefined, after }, view);
  }
  return () => controller.reconcile(API, view, aLook(1_000));
}

/** The nodes of the binds that were proposed, in the order of their indexes. */
function nodes(decision: Decision): readonly string[] {
  const intent = decision.kind === "propose" ? decision.intents[0] : undefined;
  if (intent?.kind === "bind") return [intent.node];
  return intent?.kind === "bind-all" ? intent.bindings.map(({ node }) => node) : [];
}

describe("a scheduler", () => {
  test("passes over a region in which the tenant's quota is used up [QT7]", () => {
    const held = aReplica({ index: 9, stage: "serving", node: "a-1" });
    const objects = [EU, US, held, queued()];
    expect(nodes(scheduler([...objects, granting({ eu: 150 })])())).toEqual(["b-1"]);
    expect(nodes(scheduler([...objects, granting({ us: 50 })])())).toEqual(["a-1"]);
  });

  test("counts the binds that it has only asked for [QT7]", () => {
    const indexes = [0, 1, 2, 3].map(queued);
    const found = nodes(scheduler([EU, US, ...indexes, granting({ eu: 200, us: 100 })])());
    expect(found.toSorted()).toEqual(["a-1", "a-1", "b-1"]);
  });

  test("says that the region's quota is in the way, and is woken when some is given back [QT7] [RN6]", () => {
    const decision = scheduler([EU, US, queued(), granting({ eu: 0, us: 50 })])();
    expect(decision).toMatchObject({
      kind: "wait",
      reason: "no-feasible-node",
      wakes: expect.arrayContaining(["quota:payments"]),
      because: {
        rejected: {
          "region-quota": { count: 2, example: "Quota/payments/default regions.eu.cpuMillis: 0" },
        },
      },
    });
  });

  test("minds each tenant's own quota, for replicas that are alike [QT7]", () => {
    const other = aReplica({ tenant: "web", stage: "queued" });
    const controller = createPlace();
    const objects = [EU, queued(), other, granting({ eu: 0 }), aQuota({}, "web")];
    const view = aView(controller, objects);
    for (const after of objects) {
      controller.follow?.({ key: after.key, before: undefined, after }, view);
    }
    const placed = (tenant: string) =>
      nodes(controller.reconcile(workloadKey(tenant, "api"), view, aLook(1_000)));
    expect(placed("payments")).toEqual([]);
    expect(placed("web")).toEqual(["a-1"]);
  });
});
