import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Decision } from "../decision.ts";
import type { AnyObject, Replica, Spread } from "../model/objects.ts";
import { createPlace } from "./place.ts";

const place = createPlace();
const byZone: readonly Spread[] = [{ by: "zone", maxSkew: 1 }];

const ZONE_A = aNode({ name: "a-1", zone: "eu-a" });
const ZONE_B = aNode({ name: "b-1", zone: "eu-b" });

/** A sibling in another slot that holds a node already. */
const sibling = (slot: number, node: string, of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ slot, stage: "serving", node, ...of });

function decide(objects: readonly AnyObject[], spread: readonly Spread[] = byZone): Decision {
  const replica = aReplica({ stage: "queued", spread });
  return createPlace().reconcile(replica.key, aView(place, [replica, ...objects]), aLook());
}

const chosen = (decision: Decision): string | undefined =>
  decision.kind === "propose" ? decision.because.chosen : undefined;

describe("spreading", () => {
  test("goes to the zone that has fewer, although the other is fuller", () => {
    expect(chosen(decide([ZONE_A, ZONE_B, sibling(1, "a-1")]))).toBe("b-1");
  });

  test("prefers the zone that has fewer also where the skew would allow the other", () => {
    const nodes = ["a", "b"].map((zone) =>
      aNode({ name: `${zone}-1`, zone, cpuMillis: 90_000, memoryMiB: 90_000 }),
    );
    const wide: readonly Spread[] = [{ by: "zone", maxSkew: 5 }];
    expect(chosen(decide([...nodes, sibling(1, "a-1")], wide))).toBe("b-1");
    expect(chosen(decide([...nodes, sibling(1, "b-1")], wide))).toBe("a-1");
  });

  test("waits rather than run ahead of a zone that is full for the moment", () => {
    const full = aNode({ name: "b-1", zone: "eu-b", cpuMillis: 10 });
    const decision = decide([ZONE_A, full, sibling(1, "a-1")]);
    expect(decision).toMatchObject({
      kind: "wait",
      reason: "no-feasible-node",
      because: { rejected: { spread: { count: 1, example: "Node//a-1" }, capacity: { count: 1 } } },
    });
  });

  test("lets a zone run ahead by no more than the skew", () => {
    const full = aNode({ name: "b-1", zone: "eu-b", cpuMillis: 10 });
    const wide: readonly Spread[] = [{ by: "zone", maxSkew: 2 }];
    expect(chosen(decide([ZONE_A, full, sibling(1, "a-1")], wide))).toBe("a-1");
    const two = [sibling(1, "a-1"), sibling(2, "a-1")];
    expect(decide([ZONE_A, full, ...two], wide).kind).toBe("wait");
  });

  test("does not count a zone that could never take the replica", () => {
    const closed = aNode({ name: "b-1", zone: "eu-b", draining: true });
    expect(chosen(decide([ZONE_A, closed, sibling(1, "a-1")]))).toBe("a-1");
  });

  test("does not count replicas of another generation, another workload or no node", () => {
    const others = [
      sibling(1, "a-1", { generation: 2 }),
      sibling(2, "a-1", { workload: "web" }),
      aReplica({ slot: 3, stage: "queued" }),
    ];
    const full = aNode({ name: "b-1", zone: "eu-b", cpuMillis: 10 });
    expect(chosen(decide([ZONE_A, full, ...others]))).toBe("a-1");
  });

  test("by node keeps two replicas off one node", () => {
    const nodes = [ZONE_A, aNode({ name: "a-2", zone: "eu-a" })];
    const byNode: readonly Spread[] = [{ by: "node", maxSkew: 1 }];
    expect(chosen(decide([...nodes, sibling(1, "a-1")], byNode))).toBe("a-2");
  });

  test("by region looks at regions, not at zones", () => {
    const us = aNode({ name: "us-1", region: "us", zone: "us-a" });
    const byRegion: readonly Spread[] = [{ by: "region", maxSkew: 1 }];
    const decision = decide([ZONE_A, ZONE_B, us, sibling(1, "a-1")], byRegion);
    expect(chosen(decision)).toBe("us-1");
    expect(decision).toMatchObject({ because: { rejected: { spread: { count: 2 } } } });
  });
});
