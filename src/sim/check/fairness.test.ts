import { describe, expect, test } from "vitest";
import type { DecisionRecord } from "../../core/decision.ts";
import { type ObjectKey, operationId, type Uid, workloadKey } from "../../core/model/ids.ts";
import type { AnyObject, PriorityClass, Replica } from "../../core/model/objects.ts";
import { View } from "../../core/observe/view.ts";
import { CheckerBench } from "./checker-bench.ts";
import { createFairnessChecker } from "./fairness.ts";
import { aNode, aQuota, aReplica, aTemplate, bound } from "./fixtures.ts";

const queued = (tenant: string, workload = "api", slot = 0, priorityClass = ""): Replica =>
  aReplica({
    tenant,
    spec: { workload, slot, template: aTemplate({ priorityClass }) },
    status: { stage: "queued" },
  });
const running = (tenant: string): Replica => bound(queued(tenant, "old"));

function asksFor(replica: Replica, controller = "place-1"): DecisionRecord {
  const bind = { replica: replica.key, life: 1, node: "node-1", deviceIds: [] };
  const intent = { kind: "bind", operation: operationId(`bind/${replica.key}`), ...bind } as const;
  const decision = { kind: "propose", intents: [intent], because: { summary: "" } } as const;
  return { ...about(replica, controller), decision };
}

function inVain(replica: Replica): DecisionRecord {
  const wait = { reason: "no-feasible-node", wakes: [], deadlineMs: 1 } as const;
  return { ...about(replica), decision: { kind: "wait", ...wait, because: { summary: "" } } };
}

const about = ({ meta, spec }: Replica, controller = "place-1") => ({
  controller,
  key: workloadKey(meta.namespace, spec.workload),
  atMs: 0,
  viewRevision: 1,
});

const aClass = (name: string, value: number): PriorityClass => ({
  kind: "PriorityClass",
  key: `PriorityClass//${name}` as ObjectKey,
  meta: { ...aNode().meta, name, uid: name as Uid },
  spec: { value },
  status: {},
});

const REPLICAS = [queued("a"), queued("b"), queued("a", "more")];

function aBench(...objects: readonly AnyObject[]) {
  const bench = new CheckerBench(createFairnessChecker());
  const kinds = ["Node", "Replica", "Quota", "PriorityClass"] as const;
  const view = new View({ kinds: new Set(kinds), node: undefined });
  view.replace([aNode(), ...REPLICAS, ...objects], 1, 1);
  const decided = (...records: readonly DecisionRecord[]): readonly string[] => {
    bench.checker.decided?.(records, view, bench, bench.report);
    return bench.found;
  };
  return { bench, decided };
}

const [A, B, MORE] = REPLICAS as [Replica, Replica, Replica];

describe("between tenants", () => {
  test("the one with less before the one with more breaks no rule [INV51]", () => {
    expect(aBench(running("b")).decided(asksFor(A), asksFor(B))).toEqual([]);
  });

  test("the one with more before the one with less is reported [INV51]", () => {
    expect(aBench(running("a")).decided(asksFor(A), asksFor(B))).toEqual([
      "INV51 place-1 asked for a place for Workload/a/api, whose tenant has 100000 millionths, before Workload/b/api, whose tenant has 0.",
    ]);
  });

  test("what was asked for in the same turn counts [INV51]", () => {
    expect(aBench().decided(asksFor(A), asksFor(MORE), asksFor(B))).toHaveLength(1);
    expect(aBench().decided(asksFor(A), asksFor(B), asksFor(MORE))).toEqual([]);
  });

  test("who has least gets one look after the other, unless somebody was looked at in vain [INV51]", () => {
    const bench = () => aBench(running("b"), bound(queued("b", "older")));
    expect(bench().decided(asksFor(A), asksFor(B), asksFor(MORE))).toHaveLength(1);
    expect(bench().decided(asksFor(A), inVain(queued("c")), asksFor(B), asksFor(MORE))).toEqual([]);
  });

  test("what one has counts by its weight [INV51]", () => {
    const quota = aQuota({}, "a");
    const heavy = { ...quota, spec: { ...quota.spec, weight: 200_000 } };
    expect(aBench(running("a"), heavy).decided(asksFor(A), asksFor(B))).toEqual([]);
  });

  test("who was looked at in vain, or has a place on its way, is held up against nobody [INV51]", () => {
    const vain = aBench(running("a"), queued("b", "more"));
    expect(vain.decided(inVain(B), asksFor(A), asksFor(queued("b", "more")))).toEqual([]);
    const late = aBench(running("a"));
    const { intents } = asksFor(B).decision as unknown as { intents: readonly never[] };
    const actor = { role: "place", name: "place-1" } as const;
    const command = { intent: intents[0]!, epoch: 1, basis: 1, actor };
    const request = { kind: "command", attempt: 1, command } as const;
    const { bench } = late;
    bench.checker.requested?.("place-1", operationId("o"), 1, bench, bench.report, request);
    expect(late.decided(asksFor(A), asksFor(B))).toEqual([]);
  });

  test("what two schedulers do is nothing to each other [INV51]", () => {
    expect(aBench(running("a")).decided(asksFor(A), asksFor(B, "place-2"))).toEqual([]);
  });
});

describe("within a tenant", () => {
  const low = queued("a", "low", 0, "idle");
  const high = queued("a", "high", 0, "urgent");
  const objects = [aClass("idle", 1), aClass("urgent", 9), low, high];

  test("the higher priority first breaks no rule [INV51]", () => {
    expect(aBench(...objects).decided(inVain(high), asksFor(low))).toEqual([]);
  });

  test("the lower priority first is reported [INV51]", () => {
    expect(aBench(...objects).decided(asksFor(low), inVain(high))).toHaveLength(1);
  });
});
