import { describe, expect, test } from "vitest";
import { aPolicy, aRevision } from "../../../../test/builders/a-policy.ts";
import type { CommandKind } from "../../../core/protocol/command.ts";
import { recoveryBudgetKey } from "../../../core/model/recovery-budget.ts";
import type { Evidence } from "../../../core/model/evidence.ts";
import { type Uid, workloadKey } from "../../../core/model/ids.ts";
import { overrideKey } from "../../../core/model/override.ts";
import type {
  AnyObject,
  RecoveryBudget,
  Override,
  Replica,
  ReplicaStatus,
} from "../../../core/model/objects.ts";
import type { WaitReason } from "../../../core/protocol/decision.ts";
import type { View } from "../../../core/observe/view.ts";
import type { Owed } from "../../../core/runner/runner.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { createPartitionedRegionsChecker } from "./partitioned-regions.ts";
import {
  aBeliever,
  amounts,
  aNode,
  anAsk,
  aQuota,
  aReplica,
  aReservation,
  aTemplate,
  aWorkload,
  bound,
  withStatus,
} from "../../../../test/builders/check/fixtures.ts";
import { createHonestWaitsChecker } from "../liveness/honest-waits.ts";
import { createProgressChecker } from "../liveness/progress.ts";
import { STALL_MS } from "../liveness/unfinished.ts";

const UNTIL_MS = 50_000;
const WITHIN_MS = 20_000;

const named = (key: string, name: string) => ({
  ...aNode().meta,
  name,
  uid: `uid-of-${key}` as Uid,
});

function aMark(name = "cut"): Override {
  const key = overrideKey(name);
  const spec = {
    action: "mark-partitioned",
    target: { region: "eu" },
    reason: "why",
    ttlMs: UNTIL_MS,
  } as const;
  // What the mark says of itself is what the authority wrote: the checker keeps a list of its own.
  const budgets = ["early", "late"].map((each) => ({ name: each, uid: uidOf(each), untilMs: 1e9 }));
  const status = { owner: "ana", sinceMs: 0, untilMs: UNTIL_MS, extensions: 0, budgets };
  return { kind: "Override", key, meta: named(key, name), spec, status };
}

const uidOf = (name: string): Uid => `uid-of-${recoveryBudgetKey(name)}` as Uid;

function aRecoveryBudget(name: string, more: Partial<RecoveryBudget["spec"]> = {}): RecoveryBudget {
  const key = recoveryBudgetKey(name);
  const all = amounts({ cpuMillis: 1_000, memoryMiB: 1_000 });
  const spec = { region: "eu", amounts: all, ttlMs: 40_000, reason: "why", ...more };
  const status = { owner: "ana", sinceMs: 0, untilMs: 40_000, extensions: 0 };
  return { kind: "RecoveryBudget", key, meta: named(key, name), spec, status };
}

const DEGRADED = { degraded: { lowRisk: [""], confirmWithinMs: WITHIN_MS } };

/** A region with a node, a quota, and a policy that calls work without a class low-risk. */
function begun(checker = createPartitionedRegionsChecker()): CheckerHarness {
  const harness = new CheckerHarness(checker);
  harness.commit({ put: [aNode(), aWorkload({ spec: { replicas: 3 } }), aQuota()] });
  harness.commit({ put: [aRevision("r-1", DEGRADED), aPolicy({ active: "r-1" })] });
  harness.commit({ put: [aRecoveryBudget("early")] });
  return harness;
}

const marked = (checker = createPartitionedRegionsChecker()): CheckerHarness => {
  const harness = begun(checker);
  harness.commit({ put: [aMark()] });
  return harness;
};

const PROVISIONAL = { override: "cut", sinceMs: 0, epoch: 1 };
const ON: Partial<ReplicaStatus> = {
  budget: "early",
  policyRevision: "r-1",
  provisional: PROVISIONAL,
};

const one = bound(aReplica(), "node-1", ON);
const plain = bound(aReplica(), "node-1");

function after(
  harness: CheckerHarness,
  command: CommandKind,
  put: AnyObject,
  evidence?: Evidence,
): void {
  harness.commit({ command, role: "place", put: [put], ...(evidence && { evidence }) });
}

const stopping = (replica: Replica, reason: NonNullable<ReplicaStatus["stopping"]>["reason"]) =>
  withStatus(replica, { stopping: { reason, sinceMs: 1 } });

describe("while a region is partitioned", () => {
  const moves: readonly [title: string, command: CommandKind, is: Replica, found: RegExp][] = [
    [
      "is released",
      "release",
      withStatus(plain, { stage: "released", node: undefined }),
      /released/,
    ],
    [
      "is replaced",
      "release",
      withStatus(plain, { superseded: { sinceMs: 1 } as never }),
      /replaced/,
    ],
    ["is drained", "evict", stopping(plain, "drain"), /asked to stop \(drain\)/],
    ["is preempted", "preempt", stopping(plain, "preempted"), /asked to stop \(preempted\)/],
  ];
  test.each(moves)("nothing there %s [INV170]", (_, command, is, found) => {
    const harness = begun();
    after(harness, "report", plain);
    harness.commit({ put: [aMark()] });
    after(harness, command, is);
    expect(harness.found).toEqual([expect.stringMatching(/^INV170 /)]);
    expect(harness.found[0]).toMatch(found);
    const later = begun();
    after(later, "report", plain);
    later.commit({ put: [aMark()] });
    later.nowMs = UNTIL_MS;
    after(later, command, is);
    expect(later.found).toEqual([]);
  });

  test("unwanted replicas and bindings not confirmed in time go, and no others [INV170]", () => {
    const harness = begun();
    after(harness, "report", plain);
    harness.commit({ put: [aMark()] });
    after(harness, "evict", stopping(plain, "surplus"));
    expect(harness.found).toEqual([]);
    const late = marked();
    after(late, "bind", one);
    late.nowMs = WITHIN_MS;
    after(late, "evict", stopping(one, "unconfirmed"), {
      kind: "confirm-overdue",
      override: "cut",
    });
    expect(late.found).toEqual([]);
    const other = marked();
    after(other, "bind", one);
    const evidence = { kind: "not-confirmed", region: "eu", rule: "quota-exceeded" } as const;
    after(other, "evict", stopping(one, "unconfirmed"), evidence);
    expect(other.found).toEqual([expect.stringMatching(/^INV170 .*unconfirmed/)]);
  });

  test("no room is made there, and none given back [INV170]", () => {
    const room = aReservation(aReplica(), {
      for: "recovery",
      room: { node: "node-1", deviceIds: [], epoch: 1 },
    });
    const harness = marked();
    after(harness, "hold-recovery", room);
    harness.commit({ command: "hold-recovery", role: "keep-recovery", remove: [room.key] });
    expect(harness.found).toEqual([
      expect.stringMatching(/^INV170 .* holds room against/),
      expect.stringMatching(/^INV170 .* was given back against/),
    ]);
  });

  const binds: readonly [title: string, is: Replica, found: RegExp][] = [
    [
      "that names its region",
      made(aTemplate({ ask: anAsk({ regions: ["eu"] }) })),
      /bound to places/,
    ],
    ["that keeps running", made(aTemplate({ onDisconnect: "keep" })), /keeps running/],
    ["that is spread", made(aTemplate({ spread: [{ by: "node", maxSkew: 1 }] })), /is spread/],
    [
      "of another class",
      made(aTemplate({ priorityClass: "high" })),
      /no class that is called low-risk/,
    ],
    ["on no budget", withStatus(one, { budget: undefined }), /on no budget/],
    [
      "on a later budget",
      withStatus(one, { budget: "late" }),
      /RecoveryBudget\/\/late is newer than/,
    ],
    ["that is not provisional", withStatus(one, { provisional: undefined }), /is not provisional/],
  ];
  test.each(binds)("nothing is bound there %s [INV171]", (_, is, found) => {
    const harness = marked();
    harness.commit({ put: [aRecoveryBudget("late")] });
    after(harness, "bind", is);
    expect(harness.found).toEqual([expect.stringMatching(/^INV171 /)]);
    expect(harness.found[0]).toMatch(found);
  });

  test("what is of low risk is bound there on a budget from before until that has ended, for whom it is [INV171]", () => {
    const harness = marked();
    after(harness, "bind", one);
    expect(harness.found).toEqual([]);
    const late = marked();
    late.nowMs = 40_000;
    after(late, "bind", one);
    expect(late.found).toEqual([expect.stringMatching(/^INV171 .* had ended for all/)]);
    const others = begun();
    others.commit({ put: [aRecoveryBudget("early", { tenants: ["ads"], region: "us" })] });
    others.commit({ put: [aMark()] });
    after(others, "bind", one);
    expect(others.found.map((line) => line.slice(0, 6))).toEqual(["INV171", "INV171", "INV171"]);
  });
});

function made(template: Replica["spec"]["template"]): Replica {
  return bound(aReplica({ spec: { template } }), "node-1", ON);
}

const confirmed = withStatus(one, { provisional: undefined, budget: undefined });

/** Bound while the region was marked; it is back. */
function back(
  checker = createPartitionedRegionsChecker(),
  ...more: readonly AnyObject[]
): CheckerHarness {
  const harness = marked(checker);
  after(harness, "bind", one);
  harness.commit({ remove: [overrideKey("cut")] });
  if (more.length > 0) harness.commit({ put: more });
  return harness;
}

describe("a provisional binding", () => {
  test("is confirmed in a region that is back, in time, by a confirmation [INV172]", () => {
    const harness = back();
    after(harness, "confirm", confirmed);
    expect(harness.found).toEqual([]);
    const marks = marked();
    after(marks, "bind", one);
    after(marks, "confirm", confirmed);
    expect(marks.found).toEqual([expect.stringMatching(/^INV172 .* still cuts eu off/)]);
    const late = back();
    late.nowMs = WITHIN_MS;
    after(late, "report", confirmed);
    expect(late.found).toEqual([
      expect.stringMatching(/^INV172 .* only a confirmation may/),
      expect.stringMatching(/^INV172 .* its time was over/),
    ]);
  });

  const broken: readonly [title: string, is: AnyObject, found: RegExp][] = [
    ["quota", aQuota({ cpuMillis: 50 }), /uses 50 more cpuMillis/],
    [
      "a taint",
      aNode({ spec: { taints: [{ key: "a", value: "", effect: "no-schedule" }] } }),
      /taint/,
    ],
    ["room", aNode({ spec: { capacity: amounts({ cpuMillis: 50 }) } }), /too full/],
    ["a silent node", aNode({ status: { health: "suspect" } }), /silent/],
    ["a policy", aPolicy({ active: "r-2" }), /another policy revision/],
  ];
  test.each(broken)("is not confirmed against %s [INV172]", (_, is, found) => {
    const harness = back(createPartitionedRegionsChecker(), aRevision("r-2", DEGRADED), is);
    after(harness, "confirm", confirmed);
    expect(harness.found).toEqual([expect.stringMatching(/^INV172 /)]);
    expect(harness.found[0]).toMatch(found);
  });

  test("is not sent away for its time before that is over [INV172]", () => {
    const harness = back();
    harness.nowMs = WITHIN_MS - 1;
    after(harness, "evict", stopping(one, "unconfirmed"), {
      kind: "confirm-overdue",
      override: "cut",
    });
    expect(harness.found).toEqual([expect.stringMatching(/^INV172 .* of 20000 ms it had/)]);
  });

  test("comes of a bind in a region that is marked, and of nothing else [INV173]", () => {
    const harness = begun();
    after(harness, "bind", one);
    expect(harness.found).toEqual([
      expect.stringMatching(/^INV173 .* no override marks eu as partitioned/),
    ]);
    const other = marked();
    after(other, "report", plain);
    after(other, "report", withStatus(plain, { provisional: PROVISIONAL }));
    expect(other.found).toEqual([
      expect.stringMatching(/^INV173 .* came to be provisional by report/),
    ]);
  });

  test("does not stay one once its region is back [LIV66]", () => {
    const harness = back(createProgressChecker());
    harness.sample();
    harness.nowMs = STALL_MS;
    harness.sample();
    harness.finish();
    const found = harness.found.filter((line) => line.startsWith("LIV66"));
    expect(found).toEqual([expect.stringMatching(/is provisional, and eu is back/)]);
  });
});

const owed = (reason: WaitReason, wakes: readonly string[]): Owed => ({
  key: workloadKey("payments", "api"),
  reason,
  wakes,
  deadlineMs: 1e9,
  sinceRevision: 1,
});

const foundOf = (replica: Replica, ...more: readonly AnyObject[]): readonly string[] => {
  const harness = begun(createHonestWaitsChecker());
  harness.commit({ put: [...more, replica] });
  const view = { objects: harness.objects } as View;
  harness.everyClient = [aBeliever({ view, owed: [owed("no-feasible-node", [])] })];
  harness.sample();
  return harness.found;
};

describe("who waits", () => {
  const queued = aReplica({
    spec: { template: aTemplate({ ask: anAsk({ regions: ["eu"] }) }) },
    status: { stage: "queued" },
  });

  test("for a region that is back does not do so for ever [LIV67]", () => {
    const harness = new CheckerHarness(createPartitionedRegionsChecker());
    harness.everyClient = [aBeliever({ owed: [owed("region-partitioned", [overrideKey("cut")])] })];
    harness.commit({ put: [aMark()] });
    harness.sample();
    harness.nowMs = 200_000;
    harness.sample();
    harness.commit({ remove: [overrideKey("cut")] });
    harness.sample();
    expect(harness.found).toEqual([]);
    harness.nowMs = 320_000;
    harness.sample();
    expect(harness.found).toEqual([expect.stringMatching(/^LIV67 place-1 still lets .* wait/)]);
  });

  test("for room is right to while all that has some is partitioned, and is not where it pays for it [INV18]", () => {
    const free = aReplica({ status: { stage: "queued" } });
    expect(foundOf(queued)).toHaveLength(1);
    expect(foundOf(queued, aMark())).toEqual([]);
    expect(foundOf(free, aMark())).toHaveLength(1);
    const spent = aRecoveryBudget("early", { amounts: amounts({ cpuMillis: 50 }) });
    expect(foundOf(free, spent, aMark())).toEqual([]);
  });
});
