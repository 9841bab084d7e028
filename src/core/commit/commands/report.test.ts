import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import { nodeKey, type Uid } from "../../model/ids.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Outcome } from "../../protocol/outcome.ts";

type ReportedStage = IntentOf<"report">["stage"];

const report = (
  plane: Plane,
  stage: ReportedStage,
  of: {
    uid?: string;
    incarnation?: number;
    node?: string;
    session?: number;
    role?: Role;
    reason?: string;
    probe?: { said: string; times: number; forMs?: number };
    wasStable?: true;
  } = {},
): Outcome =>
  plane.send(
    {
      kind: "report",
      replica: indexKey(),
      ...(of.uid === undefined ? {} : { uid: of.uid as Uid }),
      incarnation: of.incarnation ?? 1,
      node: of.node ?? "a-1",
      session: of.session ?? 1,
      stage,
      ...(of.reason === undefined ? {} : { reason: of.reason }),
      ...(of.probe === undefined ? {} : { probe: of.probe }),
      ...(of.wasStable === undefined ? {} : { wasStable: of.wasStable }),
    },
    { role: of.role ?? "agent" },
  );

/** The index's next incarnation, on a node again. */
const livesAgain = (plane: Plane): void =>
  void plane.bound({ incarnation: plane.replica().status.incarnation + 1 });

const evict = (plane: Plane): void => {
  plane.putDesired({ replicas: 0 });
  plane.must({
    kind: "evict",
    replica: indexKey(),
    incarnation: 1,
    evidence: { kind: "surplus", workload: WORKLOAD },
  });
};

describe("report", () => {
  test("of a start that was long under way takes nothing out of serving [EV9]", () => {
    const plane = aPlane();
    plane.bound();
    for (const stage of ["starting", "ready", "serving"] as const) report(plane, stage);
    expect(codeOf(report(plane, "starting"))).toBe("wrong-stage");
    expect(plane.replica().status.stage).toBe("serving");
  });

  test("keeps what a probe found that took a replica out of ready, until its next incarnation [EV9]", () => {
    const plane = aPlane();
    plane.bound();
    for (const stage of ["starting", "ready", "serving"] as const) report(plane, stage);
    plane.nowMs = 4_000;
    report(plane, "starting", { reason: "GET / is 503" });
    const unready = { said: "GET / is 503", sinceMs: 4_000 };
    expect(plane.replica().status).toMatchObject({ stage: "starting", unready });
    expect(plane.replica().status.lastEnd).toBeUndefined();
    report(plane, "ready");
    expect(plane.replica().status).toMatchObject({ stage: "ready", unready });
    report(plane, "failed", { reason: "it ended with 3" });
    expect(plane.replica().status).toMatchObject({ unready, lastEnd: "it ended with 3" });
    livesAgain(plane);
    report(plane, "starting", { incarnation: 2 });
    expect(plane.replica().status.unready).toBeUndefined();
  });

  test("keeps the failing probe of a replica that is starting, and since when, until it is ready [EV10]", () => {
    const plane = aPlane();
    plane.bound();
    report(plane, "starting");
    plane.nowMs = 5_000;
    report(plane, "starting", { probe: { said: "refused", times: 10 } });
    const first = { said: "refused", times: 10, sinceMs: 5_000, toldMs: 5_000 };
    expect(plane.replica().status).toMatchObject({ stage: "starting", failingProbe: first });
    expect(plane.replica().status.unready).toBeUndefined();
    plane.nowMs = 20_000;
    report(plane, "starting", { probe: { said: "it is 503".padEnd(9_000, "!"), times: 40 } });
    const { failingProbe } = plane.replica().status;
    expect(failingProbe).toMatchObject({ times: 40, sinceMs: 5_000, toldMs: 20_000 });
    expect(failingProbe?.said).toHaveLength(500);
    report(plane, "ready");
    expect(plane.replica().status.failingProbe).toBeUndefined();
  });

  test.each([
    { forMs: 4_500, sinceMs: 5_500, from: "the first failure, as the agent has counted" },
    { forMs: 90_000, sinceMs: 1_000, from: "the start at the earliest, if the agent says more" },
  ])("says that a probe fails since $from [EV10]", ({ forMs, sinceMs }) => {
    const plane = aPlane();
    plane.bound();
    plane.nowMs = 1_000;
    report(plane, "starting");
    plane.nowMs = 10_000;
    report(plane, "starting", { probe: { said: "refused", times: 11, forMs } });
    const first = { said: "refused", times: 11, sinceMs, toldMs: 10_000 };
    expect(plane.replica().status.failingProbe).toEqual(first);
    plane.nowMs = 20_000;
    report(plane, "starting", { probe: { said: "refused", times: 31, forMs: 14_500 } });
    expect(plane.replica().status.failingProbe).toMatchObject({ times: 31, sinceMs });
  });

  test("forgets the failing probe when another process starts [EV10]", () => {
    const plane = aPlane();
    plane.bound();
    report(plane, "starting");
    report(plane, "starting", { probe: { said: "refused", times: 10 } });
    report(plane, "failed", { reason: "it ended with 3" });
    livesAgain(plane);
    report(plane, "starting", { incarnation: 2 });
    expect(plane.replica().status.failingProbe).toBeUndefined();
  });

  test("moves a replica through the stages its agent sees [ST1]", () => {
    const plane = aPlane();
    plane.bound();
    for (const stage of ["starting", "ready", "serving", "starting", "running"] as const) {
      expect(codeOf(report(plane, stage, { reason: "it is 503" }))).toBe("committed");
      expect(plane.replica().status).toMatchObject({ stage, node: "a-1" });
    }
  });

  test.each([
    { title: "released [ST1]", stage: "released" as const, failures: 0 },
    { title: "succeeded [ST1]", stage: "succeeded" as const, failures: 0 },
    { title: "failed [ST1]", stage: "failed" as const, failures: 1 },
  ])("gives everything back when the process is gone: $title", ({ stage, failures }) => {
    const plane = aPlane({ desired: { cpuMillis: 300 } });
    plane.serving();
    expect(codeOf(report(plane, stage))).toBe("committed");
    expect(plane.replica().status).toMatchObject({ stage, node: undefined, failures });
    expect(plane.ledger.objects.useOf("a-1").cpuMillis).toBe(0);
    expect(plane.account()).toMatchObject({ free: { cpuMillis: 1000 } });
  });

  test("brings an unknown replica back when its agent speaks again [ST1]", () => {
    const plane = aPlane();
    plane.serving();
    plane.must({
      kind: "transition",
      key: nodeKey("a-1"),
      session: 1,
      from: "ready",
      to: "unknown",
      evidence: { kind: "lease-expired", node: "a-1", session: 1, seq: 1 },
    });
    expect(codeOf(report(plane, "serving"))).toBe("committed");
    expect(plane.replica().status.stage).toBe("serving");
  });

  test("tells where the process is reached, which is forgotten when it is gone [ST1]", () => {
    const plane = aPlane();
    plane.bound();
    const address = { host: "10.0.0.7", ports: { http: 8080 } };
    const about = { replica: indexKey(), incarnation: 1, node: "a-1", session: 1 };
    plane.must({ kind: "report", ...about, stage: "starting", address });
    report(plane, "ready");
    expect(plane.replica().status).toMatchObject({ stage: "ready", address });
    report(plane, "failed");
    expect(plane.replica().status.address).toBeUndefined();
  });

  test("counts failures, and begins again after one that ran well for long [ST4]", () => {
    const plane = aPlane();
    plane.serving();
    report(plane, "failed");
    livesAgain(plane);
    report(plane, "failed", { incarnation: 2 });
    expect(plane.replica().status.failures).toBe(2);
    livesAgain(plane);
    report(plane, "failed", { incarnation: 3, wasStable: true });
    expect(plane.replica().status.failures).toBe(1);
  });

  test("keeps how the process ended through the next incarnation, and no more of it than a sentence", () => {
    const plane = aPlane();
    plane.serving();
    report(plane, "failed", { reason: "x".repeat(2_000) });
    expect(plane.replica().status.lastEnd).toBe("x".repeat(500));
    livesAgain(plane);
    expect(plane.replica().status.lastEnd).toBe("x".repeat(500));
    report(plane, "released", { incarnation: 2, reason: 7 as unknown as string });
    expect(plane.replica().status.lastEnd).toBeUndefined();
  });

  test("is an agent's, and the agent's of that node [ST1]", () => {
    const plane = aPlane();
    plane.joined("b-1");
    plane.bound();
    for (const role of ["user", "admit", "place", "release-lost"] as const) {
      expect(report(plane, "starting", { role })).toMatchObject({
        kind: "refused",
        code: "not-owner",
      });
    }
    expect(codeOf(report(plane, "starting", { node: "b-1" }))).toBe("not-owner");
  });

  test("is a conflict once the replica has given its node back [ST1]", () => {
    const plane = aPlane();
    plane.serving();
    report(plane, "released");
    expect(codeOf(report(plane, "serving"))).toBe("not-owner");
    expect(plane.replica().status.stage).toBe("released");
  });

  test("moves nothing that holds no node, whatever its status says [ST2]", () => {
    const plane = aPlane();
    const bound = plane.bound();
    plane.plant({ ...bound, status: { ...bound.status, stage: "queued" } });
    expect(report(plane, "starting")).toMatchObject({ kind: "conflict", code: "wrong-stage" });
  });

  test("does not begin a replica that was asked to stop [ST2]", () => {
    const plane = aPlane();
    plane.bound();
    evict(plane);
    expect(report(plane, "starting")).toMatchObject({ kind: "conflict", code: "wrong-stage" });
    expect(codeOf(report(plane, "released"))).toBe("committed");
  });

  test("speaks of the replica's present incarnation [ST3]", () => {
    const plane = aPlane();
    plane.bound();
    expect(report(plane, "starting", { incarnation: 2 })).toMatchObject({
      kind: "conflict",
      code: "wrong-incarnation",
    });
  });

  test("speaks of the replica itself, not of one of its name that is gone [ST3]", () => {
    const plane = aPlane();
    plane.bound();
    const namesake = report(plane, "starting", { uid: "u1.0" });
    expect(namesake).toMatchObject({ kind: "conflict", code: "wrong-incarnation", actual: "u1.0" });
    expect(plane.replica().status.stage).toBe("bound");
    const { uid } = plane.replica().meta;
    expect(report(plane, "starting", { uid })).toMatchObject({ kind: "committed" });
  });

  test("from another session than the replica was bound in is refused [LS1]", () => {
    const plane = aPlane();
    plane.renew({ session: 3, seq: 1 });
    plane.bound();
    expect(report(plane, "starting", { session: 2 })).toMatchObject({
      kind: "refused",
      code: "session-ended",
    });
    expect(codeOf(report(plane, "starting", { session: 3 }))).toBe("committed");
  });

  test("from a fenced session is refused, whatever it says [LS2]", () => {
    const plane = aPlane();
    plane.serving();
    plane.fallenSilent();
    for (const stage of ["serving", "released", "failed"] as const) {
      expect(report(plane, stage)).toMatchObject({ kind: "refused", code: "node-fenced" });
    }
    expect(plane.replica().status.stage).toBe("unknown");
  });

  test("of a replica that does not exist is a conflict [OB1]", () => {
    expect(codeOf(report(aPlane(), "starting"))).toBe("no-such-object");
  });
});
