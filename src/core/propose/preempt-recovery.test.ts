import { describe, expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aPolicy, aRevision } from "../../../test/builders/a-policy.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Decision } from "../protocol/decision.ts";
import { recoveryBudgetKey } from "../model/recovery-budget.ts";
import type { AnyObject, RecoveryBudget, PriorityClass, Reservation } from "../model/objects.ts";
import { priorityClassKey } from "../model/preemption.ts";
import { createPreempt } from "./preempt.ts";

const aClass = (name: string, value: number): PriorityClass => {
  const key = priorityClassKey(name);
  return { kind: "PriorityClass", key, meta: aMeta(key), spec: { value }, status: {} };
};

const size = { cpuMillis: 500, memoryMiB: 1 };
const AMOUNTS = { ...size, deviceMillis: 0 };

/**
 * It has lost its only replica, and room is kept for it on `a-1`, beside somebody who matters less.
 */
const under = {
  beganMs: 0,
  lost: 1,
  stage: "queued",
  since: { atMs: 0, epoch: 1 },
  spentMs: {},
} as const;
const api = aWorkload({
  ...size,
  priorityClass: "high",
  recovery: { withinMs: 60_000, replicas: 1, regions: ["eu"] },
  status: { recovery: { reached: 1, under } },
});
const lost = aReplica({ ...size, stage: "queued", incarnation: 2, priorityClass: "high" });
const other = aReplica({
  ...size,
  workload: "other",
  stage: "serving",
  node: "a-1",
  priorityClass: "low",
});

const kept: Reservation = {
  ...aReservation(lost),
  spec: {
    ...aReservation(lost).spec,
    owner: api.key,
    ownerUid: api.meta.uid,
    incarnation: 1,
    for: "recovery",
    room: { node: "a-1", deviceIds: [], epoch: 1 },
  },
};

const budget: RecoveryBudget = {
  kind: "RecoveryBudget",
  key: recoveryBudgetKey("eu-1"),
  meta: aMeta(recoveryBudgetKey("eu-1")),
  spec: { region: "eu", amounts: AMOUNTS, ttlMs: 60_000, reason: "eu is dark" },
  status: { owner: "ana", sinceMs: 0, untilMs: 60_000, extensions: 0 },
};

const BUDGETED = [aPolicy({ active: "r-1" }), aRevision("r-1", { recovery: { reserve: AMOUNTS } })];

function decide(...more: readonly AnyObject[]): Decision {
  const controller = createPreempt();
  const all = [aClass("low", 1), aClass("high", 9), aNode(), api, lost, other, kept, ...more];
  const view = aView(controller, all);
  for (const after of all) controller.follow?.({ key: after.key, before: undefined, after }, view);
  return controller.reconcile(api.key, view, aLook(1_000));
}

describe("for what was lost", () => {
  test("no replica is asked to leave while room is reserved for it", () => {
    expect(decide().kind).not.toBe("propose");
  });

  test("no replica is asked to leave while a budget pays for the reserved room [BU4]", () => {
    expect(decide(...BUDGETED, budget).kind).not.toBe("propose");
  });

  test("others make room where nothing pays for what is kept [PE3]", () => {
    expect(decide(...BUDGETED)).toMatchObject({
      kind: "propose",
      intents: [{ kind: "preempt", victims: [{ replica: other.key }] }],
    });
  });
});
