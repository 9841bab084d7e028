import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica, type ReplicaParts } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Decision } from "../protocol/decision.ts";
import { workloadKey } from "../model/ids.ts";
import type { Affinity, AffinityTerm, Labels, Replica, Spread } from "../model/objects.ts";
import type { Taint } from "../model/node/taint.ts";
import { createPlace } from "./place.ts";

const API = workloadKey("payments", "api");
const WEB = { app: "web" };
const NONE: Affinity = { required: [], preferred: [], antiRequired: [], antiPreferred: [] };
const near = (term: AffinityTerm): Affinity => ({ ...NONE, required: [term] });

const ZONE_A = aNode({ name: "a-1", zone: "eu-a", labels: { rack: "1", disk: "hdd" } });
const ZONE_B = aNode({ name: "b-1", zone: "eu-b", labels: { disk: "ssd" } });
const NODES = [ZONE_A, ZONE_B];

function replica(labels: Labels, of: ReplicaParts): Replica {
  const made = aReplica(of);
  return { ...made, meta: { ...made.meta, labels } };
}

const other = (node: string, labels: Labels, index = 0): Replica =>
  replica(labels, { workload: "other", index, stage: "serving", node });

function decide(
  of: ReplicaParts,
  there: readonly Replica[] = [],
  nodes = NODES,
  labels: Labels = {},
): Decision {
  const objects = [...nodes, ...there, replica(labels, { stage: "queued", ...of })];
  const place = createPlace();
  const view = aView(place, objects);
  for (const after of objects) place.follow?.({ key: after.key, before: undefined, after }, view);
  return place.reconcile(API, view, aLook());
}

const chosen = (decision: Decision): string | undefined =>
  decision.kind === "propose" ? decision.because.chosen : undefined;

describe("required affinity", () => {
  test("goes where one of the kind is, and waits while there is none [PR2]", () => {
    const affinity = near({ by: "zone", labels: WEB });
    expect(chosen(decide({ affinity }, [other("a-1", WEB)]))).toBe("a-1");
    expect(chosen(decide({ affinity }, [other("b-1", WEB)]))).toBe("b-1");
    expect(decide({ affinity })).toMatchObject({
      kind: "wait",
      reason: "no-feasible-node",
      because: { rejected: { affinity: { count: 2 } } },
    });
  });

  test("lets the first of a kind begin a place, but none where the label is missing [PR2]", () => {
    const affinity = near({ by: "rack", labels: WEB });
    expect(chosen(decide({ affinity }, [], NODES, WEB))).toBe("a-1");
    expect(decide({ affinity }, [], [ZONE_B], WEB).kind).toBe("wait");
  });
});

describe("required anti-affinity", () => {
  const anti = { ...NONE, antiRequired: [{ by: "zone", labels: WEB }] };

  test("stays out of places, whichever of the two has the term [BD13]", () => {
    expect(chosen(decide({ affinity: anti }, [other("a-1", WEB)]))).toBe("b-1");
    const guard = replica({}, { workload: "db", stage: "serving", node: "a-1", affinity: anti });
    expect(chosen(decide({}, [guard], NODES, WEB))).toBe("b-1");
  });
});

describe("hard spread", () => {
  test("by a label turns away nodes that do not have it [PR1]", () => {
    const spread: readonly Spread[] = [{ by: "rack", maxSkew: 1 }];
    expect(chosen(decide({ spread }))).toBe("a-1");
    expect(decide({ spread }, [], [ZONE_B]).kind).toBe("wait");
  });
});

const disk = (value: string): ReplicaParts => ({
  preferredNodes: [
    { weight: 100, expressions: [{ key: "disk", operator: "in", values: [value] }] },
  ],
});

describe("preferences move the choice and reject no node [PR3]:", () => {
  test("preferred nodes [PR3]", () => {
    expect(chosen(decide(disk("ssd")))).toBe("b-1");
    expect(chosen(decide(disk("hdd")))).toBe("a-1");
    expect(chosen(decide(disk("tape")))).toBeDefined();
  });

  test("preferred affinity and anti-affinity [PR3]", () => {
    const term = { weight: 100, by: "zone", labels: WEB };
    const there = [other("b-1", WEB)];
    expect(chosen(decide({ affinity: { ...NONE, preferred: [term] } }, there))).toBe("b-1");
    const away = { ...NONE, antiPreferred: [{ ...term, by: "zone" }] };
    expect(chosen(decide({ affinity: away }, there))).toBe("a-1");
    expect(chosen(decide({ affinity: away }, there, [ZONE_B]))).toBe("b-1");
  });

  test("a taint that only asks for others [PR3]", () => {
    const spot: Taint = { key: "spot", value: "", effect: "prefer-no-schedule" };
    const shunned = aNode({ name: "a-0", taints: [spot] });
    expect(chosen(decide({}, [], [shunned, ZONE_B]))).toBe("b-1");
    expect(chosen(decide({}, [], [shunned]))).toBe("a-0");
    const tolerations = [{ key: "spot", value: "" }];
    expect(chosen(decide({ tolerations }, [], [shunned, ZONE_B]))).toBe("a-0");
  });

  test("a soft spread [PR3]", () => {
    const spread: readonly Spread[] = [{ by: "zone", maxSkew: 1, soft: true }];
    const sibling = replica({}, { index: 1, stage: "serving", node: "a-1", spread });
    // Wide enough that how full they are hardly counts.
    const wide = ["a", "b"].map((zone) =>
      aNode({ name: `${zone}-1`, zone, cpuMillis: 90_000, memoryMiB: 90_000 }),
    );
    expect(chosen(decide({ spread }, [sibling], wide))).toBe("b-1");
    const full = aNode({ name: "b-1", zone: "eu-b", cpuMillis: 1 });
    expect(chosen(decide({ spread }, [sibling], [ZONE_A, full]))).toBe("a-1");
  });
});
