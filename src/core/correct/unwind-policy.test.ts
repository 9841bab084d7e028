import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aPolicy, aRevision } from "../../../test/builders/a-policy.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Decision } from "../protocol/decision.ts";
import { policyKey } from "../model/ids.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import type { RollbackWay } from "../model/policy.ts";
import { createUnwindPolicy } from "./unwind-policy.ts";

/** A serving replica on a-1 that was bound under the revision. */
function under(revision: string | undefined, index: number): Replica {
  const replica = aReplica({ stage: "serving", node: "a-1", index });
  return { ...replica, status: { ...replica.status, policyRevision: revision } };
}

function decide(
  bindings: RollbackWay,
  objects: readonly AnyObject[],
  places: readonly { readonly region?: string }[] = [{}],
): Decision {
  const controller = createUnwindPolicy();
  const plan = { bindings, reservations: "preserve" } as const;
  const left = places.map((place) => ({ revision: "r-2", ...place, plan }));
  const all = [
    aNode(),
    aRevision("r-1"),
    aRevision("r-2"),
    aPolicy({ active: "r-1" }, { left }),
    ...objects,
  ];
  const view = aView(controller, all);
  for (const after of all) controller.follow?.({ key: after.key, before: undefined, after }, view);
  return controller.reconcile(policyKey("default"), view, aLook(1_000));
}

describe("a policy that was rolled back", () => {
  test("has what came of the revision that was left asked to move, and nothing else [PY8]", () => {
    const replicas = [under("r-2", 0), under("r-1", 1), under(undefined, 2)];
    const decision = decide("drain", [aWorkload({ replicas: 3 }), ...replicas]);
    expect(decision).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "evict",
          replica: replicas[0]?.key,
          evidence: { kind: "policy-rollback", policy: "Policy//default", revision: "r-2" },
        },
      ],
    });
  });

  test("moves no more at once than its workload can spare, and waits for the rest [PY8] [PE4]", () => {
    const all = Array.from({ length: 20 }, (_, index) => under("r-2", index));
    const decision = decide("drain", [aWorkload({ replicas: 20 }), ...all]);
    expect(decision.kind === "propose" && decision.intents).toHaveLength(2);
    const missing = decide("drain", [aWorkload({ replicas: 22 }), ...all]);
    expect(missing).toMatchObject({ kind: "wait", reason: "disruption-budget", deadlineMs: 6_000 });
  });

  test("that was left in a region and then everywhere asks each once [PY8]", () => {
    const replica = { ...under("r-2", 0) };
    const starting = { ...replica, status: { ...replica.status, stage: "starting" as const } };
    const decision = decide(
      "drain",
      [aWorkload({ replicas: 1 }), starting],
      [{ region: "eu" }, {}],
    );
    expect(decision.kind === "propose" && decision.intents).toHaveLength(1);
  });

  test("under preserve has nothing to do [PY8]", () => {
    expect(decide("preserve", [aWorkload(), under("r-2", 0)])).toEqual({ kind: "settled" });
  });
});
