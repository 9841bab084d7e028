import { describe, expect, test } from "vitest";
import { aPolicy, aRevision } from "../../../test/builders/a-policy.ts";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import { type ObjectKey, operationId, type Uid, workloadKey } from "../../core/model/ids.ts";
import type { AnyObject, PriorityClass, Replica, Workload } from "../../core/model/objects.ts";
import { View } from "../../core/observe/view.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import { createFairnessChecker } from "./fairness.ts";
import {
  aRecoveryBudget,
  amounts,
  aNode,
  aQuota,
  aReplica,
  aTemplate,
  aWorkload,
  bound,
} from "../../../test/builders/check/fixtures.ts";

const queued = (tenant: string, workload = "api", index = 0, priorityClass = ""): Replica =>
  aReplica({
    tenant,
    spec: { workload, index, template: aTemplate({ priorityClass }) },
    status: { stage: "queued" },
  });
const running = (tenant: string): Replica => bound(queued(tenant, "old"));

function asksFor(replica: Replica, controller = "place-1", budget?: string): DecisionRecord {
  const on = budget === undefined ? {} : { budget };
  const bind = { replica: replica.key, incarnation: 1, node: "node-1", deviceIds: [], ...on };
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

function aHarness(...objects: readonly AnyObject[]) {
  const ahead: ObjectKey[] = [];
  const harness = new CheckerHarness(createFairnessChecker((key) => void ahead.push(key)));
  // It sees everything.
  const view = new View({ kinds: new Set(), node: undefined });
  view.replace([aNode(), ...REPLICAS, ...objects], 1, 1);
  const decided = (...records: readonly DecisionRecord[]): readonly string[] => {
    harness.checker.decided?.(records, view, harness, harness.report);
    return harness.found;
  };
  return { harness, decided, ahead };
}

const [A, B, MORE] = REPLICAS as [Replica, Replica, Replica];

describe("between tenants", () => {
  test("the one with less before the one with more breaks no rule [INV51]", () => {
    expect(aHarness(running("b")).decided(asksFor(A), asksFor(B))).toEqual([]);
  });

  test("the one with more before the one with less is reported [INV51]", () => {
    expect(aHarness(running("a")).decided(asksFor(A), asksFor(B))).toEqual([
      "INV51 place-1 asked for a place for Workload/a/api, whose tenant has 100000 millionths, before Workload/b/api, whose tenant has 0.",
    ]);
  });

  test("what was asked for in the same turn counts [INV51]", () => {
    expect(aHarness().decided(asksFor(A), asksFor(MORE), asksFor(B))).toHaveLength(1);
    expect(aHarness().decided(asksFor(A), asksFor(B), asksFor(MORE))).toEqual([]);
  });

  test("the tenant with least gets one look after the other, unless a look was in vain [INV51]", () => {
    const harness = () => aHarness(running("b"), bound(queued("b", "older")));
    expect(harness().decided(asksFor(A), asksFor(B), asksFor(MORE))).toHaveLength(1);
    expect(harness().decided(asksFor(A), inVain(queued("c")), asksFor(B), asksFor(MORE))).toEqual(
      [],
    );
  });

  test("what one has counts by its weight [INV51]", () => {
    const quota = aQuota({}, "a");
    const heavy = { ...quota, spec: { ...quota.spec, weight: 200_000 } };
    expect(aHarness(running("a"), heavy).decided(asksFor(A), asksFor(B))).toEqual([]);
  });

  test("a tenant with a look in vain, or with a place on its way, proves no violation [INV51]", () => {
    const vain = aHarness(running("a"), queued("b", "more"));
    expect(vain.decided(inVain(B), asksFor(A), asksFor(queued("b", "more")))).toEqual([]);
    const late = aHarness(running("a"));
    const { intents } = asksFor(B).decision as unknown as { intents: readonly never[] };
    const actor = { role: "place", name: "place-1" } as const;
    const command = { intent: intents[0]!, epoch: 1, basis: 1, actor };
    const request = { kind: "command", attempt: 1, command } as const;
    const { harness } = late;
    harness.checker.requested?.("place-1", operationId("o"), 1, harness, harness.report, request);
    expect(late.decided(asksFor(A), asksFor(B))).toEqual([]);
  });

  test("what two schedulers do is nothing to each other [INV51]", () => {
    expect(aHarness(running("a")).decided(asksFor(A), asksFor(B, "place-2"))).toEqual([]);
  });
});

describe("within a tenant", () => {
  const low = queued("a", "low", 0, "idle");
  const high = queued("a", "high", 0, "urgent");
  const objects = [aClass("idle", 1), aClass("urgent", 9), low, high];

  test("the higher priority first breaks no rule [INV51]", () => {
    expect(aHarness(...objects).decided(inVain(high), asksFor(low))).toEqual([]);
  });

  test("the lower priority first is reported [INV51]", () => {
    expect(aHarness(...objects).decided(asksFor(low), inVain(high))).toHaveLength(1);
  });
});

describe("what recovers", () => {
  const WINDOW_MS = 10_000;
  const reserve = amounts({ cpuMillis: 9_999, memoryMiB: 9_999 });
  const said = [
    aPolicy({ active: "r-1" }),
    aRevision("r-1", { recovery: { reserve, fairnessWindowMs: WINDOW_MS } }),
  ];
  const since = { atMs: 0, epoch: 1 };
  const under = { beganMs: 0, lost: 1, stage: "queued", since, spentMs: {} } as const;
  const api = (of: { readonly inTurn?: true } = {}): Workload => ({
    ...aWorkload({ tenant: "a" }),
    status: { templateGeneration: 1, recovery: { under: { ...under, ...of } } },
  });
  const OURS = asksFor(A, "place-1", "eu-1");

  /** What is found when it is looked at first, although its tenant has more. */
  const early = (objects: readonly AnyObject[], look = OURS, afterMs = 0): readonly string[] => {
    const { harness, decided } = aHarness(running("a"), api(), ...objects);
    harness.commit({ command: "recover", put: [api()] });
    harness.nowMs = afterMs;
    return decided(look, asksFor(B));
  };

  test("goes first, for as long as it takes where recoveries have no budgets [INV51]", () => {
    expect(early([], asksFor(A), 900_000)).toEqual([]);
    const plain = [aPolicy({ active: "r-1" }), aRevision("r-1")];
    expect(early(plain, asksFor(A), 900_000)).toEqual([]);
  });

  test("goes first on a budget, until its window is said to be over, or long is [INV162]", () => {
    expect(early([...said, aRecoveryBudget()])).toEqual([]);
    const over =
      "INV162 place-1 asked for a place for Workload/a/api, whose tenant has 100000 millionths, before Workload/b/api, whose tenant has 0.";
    expect(early([...said, aRecoveryBudget(), api({ inTurn: true })])).toEqual([over]);
    expect(early([...said, aRecoveryBudget()], OURS, 100_000)).toEqual([]);
    expect(early([...said, aRecoveryBudget()], OURS, 150_000)).toEqual([over]);
  });

  test("takes its turn without a budget that is for it and has enough left, or when it names none [INV162]", () => {
    expect(early(said)).toHaveLength(1);
    expect(early([...said, aRecoveryBudget()], asksFor(A))).toHaveLength(1);
    expect(early([...said, aRecoveryBudget({ spec: { tenants: ["b"] } })])).toHaveLength(1);
    expect(early([...said, aRecoveryBudget({ spec: { classes: ["urgent"] } })])).toHaveLength(1);
    const one = aRecoveryBudget({ spec: { amounts: amounts() } });
    expect(early([...said, one])).toEqual([]);
    const spent = bound(queued("c", "spender"), "node-1", { budget: one.meta.name });
    expect(early([...said, one, spent])).toHaveLength(1);
  });

  test("is reported whenever it goes before a tenant that has less, and only then", () => {
    const { decided, ahead } = aHarness(running("a"), api(), ...said, aRecoveryBudget());
    expect(decided(OURS, asksFor(B))).toEqual([]);
    expect(ahead).toEqual(["Workload/a/api"]);
    const fair = aHarness(running("b"), api(), ...said, aRecoveryBudget());
    fair.decided(OURS, asksFor(B));
    expect(fair.ahead).toEqual([]);
  });

  test("is behind who matters more once its window is over [INV162]", () => {
    const high = queued("a", "high", 0, "urgent");
    const look = (of: { readonly inTurn?: true }): readonly string[] =>
      aHarness(api(of), high, aClass("urgent", 9), ...said, aRecoveryBudget()).decided(
        OURS,
        inVain(high),
      );
    expect(look({})).toEqual([]);
    expect(look({ inTurn: true })[0]).toMatch(/^INV162 place-1 looked at Workload\/a\/high/);
  });

  /** What is found when it is said so long after it began. */
  const told = (afterMs: number): readonly string[] => {
    const { harness } = aHarness();
    harness.commit({ put: [...said, api()] });
    harness.nowMs = afterMs;
    harness.commit({ command: "recover", put: [api({ inTurn: true })] });
    return harness.found;
  };

  test("is not told that its window is over before it is [INV162]", () => {
    expect(told(WINDOW_MS)).toEqual([]);
    expect(told(5_000)).toEqual([
      "INV162 the window of Workload/a/api is said to be over after 5000 ms of 10000 ms.",
    ]);
  });
});
