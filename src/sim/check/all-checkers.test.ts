/** The checkers together against the real check of the authority: what it commits, they accept. */
import { expect, test } from "vitest";
import { apply } from "../../core/commit/apply.ts";
import type { Command, Intent } from "../../core/protocol/command.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { Ledger } from "../../core/commit/ledger.ts";
import type { Role } from "../../core/model/actor.ts";
import {
  nodeKey,
  type ObjectKey,
  operationId,
  quotaKey,
  tenantKey,
  workloadKey,
} from "../../core/model/ids.ts";
import { createCheckers } from "./all-checkers.ts";
import type { Checker } from "./checker.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  aNode,
  aProcess,
  aQuota,
  aReplica,
  aWorkload,
  aWorld,
} from "../../../test/builders/check/fixtures.ts";

const KEY = aReplica().key;

/** All checkers as one, so that one harness can feed them. */
function together(): Checker {
  const all = createCheckers(aWorld());
  return {
    name: "all",
    beforeCommit: (...of) => all.forEach((one) => one.beforeCommit?.(...of)),
    afterCommit: (...of) => all.forEach((one) => one.afterCommit?.(...of)),
    processStarted: (...of) => all.forEach((one) => one.processStarted?.(...of)),
    processEnded: (...of) => all.forEach((one) => one.processEnded?.(...of)),
    sampled: (...of) => all.forEach((one) => one.sampled?.(...of)),
    atEnd: (...of) => all.forEach((one) => one.atEnd?.(...of)),
  };
}

class Plane {
  readonly harness = new CheckerHarness(together());
  private readonly ledger = new Ledger();
  private operations = 0;

  constructor() {
    this.land({
      revision: 1,
      epoch: 1,
      atMs: 0,
      operation: operationId("lead/1"),
      actor: { role: "user", name: "plane-1" },
      command: "lead",
      basis: 0,
      evidence: undefined,
      changes: [],
    });
  }

  /** Checks and commits; a refusal fails the test. */
  do(role: Role, intent: DistributiveOmit<Intent, "operation">): void {
    this.operations += 1;
    const operation = operationId(`operation-${this.operations}`);
    const command = {
      intent: { operation, ...intent } as Intent,
      epoch: 1,
      basis: 0,
      actor: { role, name: role === "agent" && "node" in intent ? `agent:${intent.node}` : role },
    } satisfies Command;
    const { outcome, commit } = apply(this.ledger, command, this.harness.nowMs);
    if (commit === undefined)
      throw new Error(`${intent.kind} was refused: ${JSON.stringify(outcome)}`);
    this.land(commit);
  }

  put(key: ObjectKey, object: { kind: string; spec: unknown }): void {
    const desired = { kind: object.kind, spec: object.spec } as Extract<
      Intent,
      { kind: "put" }
    >["desired"];
    this.do("user", { kind: "put", key, desired, labels: {}, finalizers: [], expect: {} });
  }

  renew(seq: number, session = 1): void {
    this.harness.leasesSentMs.set("node-1", this.harness.nowMs);
    this.do("agent", { kind: "lease", node: "node-1", session, seq, kept: [] });
  }

  report(
    incarnation: number,
    stage: Extract<Intent, { kind: "report" }>["stage"],
    session = 1,
  ): void {
    this.do("agent", { kind: "report", replica: KEY, incarnation, node: "node-1", session, stage });
  }

  /** Takes the index from nothing to bound. */
  place(incarnation: number): void {
    const reservation = `Reservation/payments/api.1.0.${incarnation}` as ObjectKey;
    this.do("admit", {
      kind: "admit",
      workload: aWorkload().key,
      generation: 1,
      index: 0,
      incarnation,
    });
    this.do("admit", { kind: "reserve", replica: KEY, incarnation, deadlineMs: 0 });
    this.do("admit", {
      kind: "transition",
      key: KEY,
      incarnation,
      from: "admitted",
      to: "queued",
      reservation,
    });
    this.do("place", { kind: "bind", replica: KEY, incarnation, node: "node-1", deviceIds: [] });
  }

  private land(commit: Commit): void {
    this.ledger.fold(commit);
    this.harness.commit({ ...commit, role: commit.actor.role } as Parameters<
      CheckerHarness["commit"]
    >[0]);
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function aPlaneServing(): { plane: Plane; process: ReturnType<typeof aProcess> } {
  const plane = new Plane();
  const process = aProcess();
  plane.put(tenantKey("payments"), { kind: "Tenant", spec: { displayName: "" } });
  plane.put(quotaKey("payments"), aQuota());
  plane.put(nodeKey("node-1"), aNode());
  plane.put(workloadKey("payments", "api"), aWorkload());
  plane.renew(1);
  plane.place(1);
  plane.report(1, "starting");
  plane.harness.start(process);
  plane.report(1, "serving");
  return { plane, process };
}

test("a service that is placed, scaled away and deleted breaks no rule", () => {
  const { plane, process } = aPlaneServing();
  const { harness } = plane;
  plane.do("user", { kind: "delete", key: aWorkload().key, expect: {} });
  plane.do("admit", {
    kind: "evict",
    replica: KEY,
    incarnation: 1,
    evidence: { kind: "surplus", workload: aWorkload().key },
  });
  harness.end(process);
  plane.report(1, "released");
  plane.do("admit", { kind: "delete", key: KEY, expect: {} });
  plane.harness.sample();
  expect(harness.found).toEqual([]);
});

test("a node that falls silent, is fenced and comes back breaks no rule", () => {
  const { plane, process } = aPlaneServing();
  const { harness } = plane;
  const evidence = { kind: "lease-expired", node: "node-1", session: 1, seq: 1 } as const;
  const key = nodeKey("node-1");
  plane.do("node-health", {
    kind: "transition",
    key,
    session: 1,
    from: "ready",
    to: "suspect",
    evidence,
  });
  harness.nowMs = 15_000;
  harness.end(process);
  plane.do("node-health", {
    kind: "transition",
    key,
    session: 1,
    from: "suspect",
    to: "unknown",
    evidence,
  });
  harness.nowMs = 20_000;
  plane.do("node-health", {
    kind: "transition",
    key,
    session: 1,
    from: "unknown",
    to: "fenced",
    evidence,
  });
  plane.do("release-lost", {
    kind: "release",
    key: KEY,
    incarnation: 1,
    evidence: { kind: "node-fenced", node: "node-1", session: 1 },
  });
  plane.renew(1, 2);
  plane.place(2);
  plane.report(2, "starting", 2);
  harness.start(aProcess({ incarnation: 2, startedMs: harness.nowMs }));
  plane.report(2, "serving", 2);
  harness.sample();
  harness.nowMs += 600_000;
  harness.finish();
  expect(harness.found).toEqual([]);
});

test("every checker has a name of its own", () => {
  const names = createCheckers(aWorld()).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
