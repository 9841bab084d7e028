import { describe, expect, test } from "vitest";
import {
  aPlane,
  type Plane,
  putting,
  type UnnamedIntent,
  WORKLOAD,
} from "../../../../test/builders/a-plane.ts";
import { anOverrideSpec } from "../../../../test/builders/an-override.ts";
import type { Role } from "../../model/actor.ts";
import { nodeKey, operationId } from "../../model/ids.ts";
import { OVERRIDES_MAX, type OverrideSpec, overrideKey } from "../../model/override.ts";
import type { Override } from "../../model/objects.ts";
import { apply } from "../apply.ts";

const KEY = overrideKey("ov-1");
let asked = 0;

/** Sends it in somebody's name, and says how that ended. */
function sendAs(plane: Plane, name: string, ask: UnnamedIntent, role: Role = "user"): string {
  asked += 1;
  const { ledger, nowMs } = plane;
  const intent = { ...ask, operation: operationId(`override-test/${asked}`) };
  const command = { intent, epoch: ledger.epoch, basis: 0, actor: { role, name } } as const;
  const { outcome, commit } = apply(ledger, command, nowMs);
  if (commit !== undefined) {
    ledger.fold(commit);
    plane.commits.push(commit);
  }
  return "code" in outcome ? outcome.code : outcome.kind;
}

const putAs = (plane: Plane, name: string, of: Partial<OverrideSpec> = {}, key = KEY): string =>
  sendAs(plane, name, putting(key, { kind: "Override", spec: anOverrideSpec(of) }));

const deleting = (key = KEY): UnnamedIntent => ({ kind: "delete", key, expect: {} });
const held = (plane: Plane): Override => plane.get(KEY) as Override;

const admitting = (index: number, incarnation: number): UnnamedIntent => ({
  kind: "admit",
  workload: WORKLOAD,
  generation: 1,
  index,
  incarnation,
});

const expiring = (plane: Plane): UnnamedIntent => ({
  kind: "expire",
  key: KEY,
  incarnation: held(plane).meta.generation,
  evidence: { kind: "override-over", override: KEY, untilMs: held(plane).status.untilMs },
});

describe("what an override has to say", () => {
  const cases: readonly [title: string, spec: Partial<OverrideSpec>][] = [
    ["no reason", { reason: " " }],
    ["a reason that nobody reads to its end", { reason: "x".repeat(501) }],
    ["no time", { ttlMs: 0 }],
    ["more than a week", { ttlMs: 7 * 86_400_000 + 1 }],
    ["a target of another action", { target: { node: "a-1" } }],
    ["nothing to avoid", { target: {} }],
    ["a workload without its tenant", { action: "pin", target: { workload: "api" } }],
    ["a name that cannot be one", { target: { zone: "Eu A" } }],
    ["an amount that it has no use for", { amount: 1 }],
    [
      "no amount where it needs one",
      { action: "raise-budget", target: { tenant: "a", workload: "b" } },
    ],
    [
      "a postcondition about nobody",
      { postcondition: { tenant: "", workload: "api", serving: 1 } },
    ],
  ];
  test.each(cases)("%s is refused [OV1]", (_, spec) => {
    expect(putAs(aPlane(), "ana", spec)).toBe("bad-object");
  });

  test("a zone without nodes may be avoided, and everything may be paused [OV1]", () => {
    const plane = aPlane();
    expect(putAs(plane, "ana", { target: { region: "mars", zone: "m-1" } })).toBe("committed");
    const pause = { action: "pause-repair", target: {} } as const;
    expect(putAs(plane, "ana", pause, overrideKey("ov-2"))).toBe("committed");
  });

  test("no more hold at once than may [OV1]", () => {
    const plane = aPlane();
    for (let at = 0; at < OVERRIDES_MAX; at += 1) {
      expect(putAs(plane, "ana", {}, overrideKey(`ov-${at}`))).toBe("committed");
    }
    expect(putAs(plane, "ana", {}, overrideKey("one-more"))).toBe("too-many-overrides");
  });
});

describe("whose it is", () => {
  test("only its owner extends and releases it [OV2]", () => {
    const plane = aPlane();
    putAs(plane, "ana");
    expect(held(plane).status).toMatchObject({ owner: "ana", extensions: 0 });
    expect(putAs(plane, "bob", { ttlMs: 90_000 })).toBe("override-owned");
    expect(putAs(plane, "bob")).toBe("override-owned");
    expect(sendAs(plane, "bob", deleting())).toBe("override-owned");
    expect(sendAs(plane, "ana", deleting(), "admit")).toBe("override-owned");
    expect(putAs(plane, "ana", { ttlMs: 90_000 })).toBe("committed");
    expect(sendAs(plane, "ana", deleting())).toBe("committed");
    expect(held(plane)).toBeUndefined();
  });

  test("controllers make none [OV2]", () => {
    const desired = putting(KEY, { kind: "Override", spec: anOverrideSpec() });
    expect(sendAs(aPlane(), "admit", desired, "admit")).toBe("not-owner");
  });
});

describe("how long it holds", () => {
  test("from its commit for as long as it says, and longer when its owner says so [OV3]", () => {
    const plane = aPlane();
    plane.nowMs = 10_000;
    putAs(plane, "ana", { ttlMs: 60_000 });
    expect(held(plane).status).toMatchObject({ sinceMs: 10_000, untilMs: 70_000 });
    plane.nowMs = 50_000;
    putAs(plane, "ana", { ttlMs: 60_000 });
    expect(held(plane).status).toMatchObject({ untilMs: 70_000, extensions: 0 });
    putAs(plane, "ana", { ttlMs: 100_000 });
    expect(held(plane).status).toMatchObject({ sinceMs: 10_000, untilMs: 110_000, extensions: 1 });
  });

  test("what it does and to what stays, and what is over is not brought back [OV3]", () => {
    const plane = aPlane();
    putAs(plane, "ana");
    expect(putAs(plane, "ana", { target: { zone: "eu-b" } })).toBe("override-fixed");
    plane.nowMs = 60_000;
    expect(putAs(plane, "ana", { ttlMs: 90_000 })).toBe("override-over");
  });

  test("its end is never put before now [OV3]", () => {
    const plane = aPlane();
    putAs(plane, "ana", { ttlMs: 60_000 });
    plane.nowMs = 30_000;
    expect(putAs(plane, "ana", { ttlMs: 20_000 })).toBe("override-over");
    expect(putAs(plane, "ana", { ttlMs: 40_000 })).toBe("committed");
    expect(held(plane).status).toMatchObject({ untilMs: 40_000, extensions: 0 });
  });

  test("it is not removed before its end, and one controller removes it after [OV4]", () => {
    const plane = aPlane();
    putAs(plane, "ana");
    plane.nowMs = 59_999;
    expect(sendAs(plane, "x", expiring(plane), "expire-override")).toBe("override-not-over");
    plane.nowMs = 60_000;
    expect(sendAs(plane, "x", expiring(plane), "reclaim-leak")).toBe("not-owner");
    expect(sendAs(plane, "x", expiring(plane), "expire-override")).toBe("committed");
    expect(plane.lastCommit.evidence).toEqual({
      kind: "override-over",
      override: KEY,
      untilMs: 60_000,
    });
    expect(held(plane)).toBeUndefined();
  });

  test("a command that cites an end which was moved is refused [OV4]", () => {
    const plane = aPlane();
    putAs(plane, "ana");
    const early = expiring(plane);
    putAs(plane, "ana", { ttlMs: 90_000 });
    plane.nowMs = 90_000;
    expect(sendAs(plane, "x", early, "expire-override")).toBe("generation-changed");
  });

  test("once its time has passed it holds nothing back, although it is still there [OV4]", () => {
    const plane = aPlane();
    putAs(plane, "ana", { action: "avoid-node", target: { node: "a-1" } });
    const { key } = plane.queued();
    const bind = {
      kind: "bind",
      replica: key,
      incarnation: 1,
      node: "a-1",
      deviceIds: [],
    } as const;
    plane.nowMs = 59_999;
    expect(sendAs(plane, "place", bind, "place")).toBe("held-by-override");
    plane.nowMs = 60_000;
    expect(held(plane)).toBeDefined();
    expect(sendAs(plane, "place", bind, "place")).toBe("committed");
  });
});

describe("what each of them holds back", () => {
  test("binds into an avoided zone, alone or with others; who is there stays [OV5]", () => {
    const plane = aPlane({ desired: { replicas: 3 } });
    plane.joined("b-1", { zone: "eu-b" });
    plane.serving({ index: 0, node: "a-1" });
    putAs(plane, "ana", { target: { zone: plane.node("a-1").spec.zone } });
    const replicas = [plane.queued(1), plane.queued(2)];
    const binding = (at: number, node: string) => ({
      replica: replicas[at]!.key,
      incarnation: 1,
      node,
      deviceIds: [],
    });
    expect(sendAs(plane, "p", { kind: "bind", ...binding(0, "a-1") }, "place")).toBe(
      "held-by-override",
    );
    const both = { kind: "bind-all", bindings: [binding(0, "b-1"), binding(1, "a-1")] } as const;
    expect(sendAs(plane, "p", both, "place")).toBe("held-by-override");
    expect(sendAs(plane, "p", { kind: "bind", ...binding(0, "b-1") }, "place")).toBe("committed");
    expect(plane.replica(0).status).toMatchObject({ stage: "serving", stopping: undefined });
  });

  test("first incarnations while expansion is paused, and no later ones [OV6]", () => {
    const plane = aPlane({ desired: { replicas: 2 } });
    plane.bound({ index: 0 });
    putAs(plane, "ana", { action: "pause-expansion", target: { tenant: "payments" } });
    expect(sendAs(plane, "admit", admitting(1, 1), "admit")).toBe("held-by-override");
    const many = {
      kind: "enqueue",
      workload: WORKLOAD,
      generation: 1,
      indexes: [{ index: 1, incarnation: 1 }],
    };
    expect(sendAs(plane, "admit", many as UnnamedIntent, "admit")).toBe("held-by-override");
    plane.vouchedGone();
    const { key, status } = plane.replica(0);
    const evidence = { kind: "node-fenced", node: "a-1", session: status.session } as const;
    plane.must({ kind: "release", key, incarnation: 1, evidence });
    expect(sendAs(plane, "admit", admitting(0, 2), "admit")).toBe("committed");
  });

  test("the release of what was lost while repair is paused there, and not elsewhere [OV7]", () => {
    const plane = aPlane();
    const { key, status } = plane.bound();
    putAs(plane, "ana", { action: "pause-repair", target: { node: "a-1" } });
    // That the node is gone is still found out and written down.
    plane.vouchedGone();
    expect(plane.replica().status.stage).toBe("unknown");
    const evidence = { kind: "node-fenced", node: "a-1", session: status.session } as const;
    const release = { kind: "release", key, incarnation: 1, evidence } as const;
    expect(sendAs(plane, "r", release, "release-lost")).toBe("held-by-override");
    sendAs(plane, "ana", deleting());
    putAs(plane, "ana", { action: "pause-repair", target: { node: "b-1" } });
    expect(sendAs(plane, "r", release, "release-lost")).toBe("committed");
  });

  test("drains of what is pinned [OV8]", () => {
    const plane = aPlane();
    const { key } = plane.serving();
    plane.must(
      putting(nodeKey("a-1"), { kind: "Node", spec: { ...plane.node().spec, draining: true } }),
    );
    const evict = {
      kind: "evict",
      replica: key,
      incarnation: 1,
      evidence: { kind: "drain", node: "a-1" },
    } as const;
    putAs(plane, "ana", { action: "pin", target: { tenant: "payments", workload: "other" } });
    putAs(
      plane,
      "bob",
      { action: "pin", target: { tenant: "payments", workload: "api" } },
      overrideKey("b"),
    );
    expect(sendAs(plane, "d", evict, "drain-node")).toBe("held-by-override");
    // Each counts by itself: that another's was released changes nothing.
    sendAs(plane, "ana", deleting());
    expect(sendAs(plane, "d", evict, "drain-node")).toBe("held-by-override");
    sendAs(plane, "bob", deleting(overrideKey("b")));
    expect(sendAs(plane, "d", evict, "drain-node")).toBe("committed");
  });

  test("nothing by raise-budget, which lets more go until it is over [OV9]", () => {
    const plane = aPlane({ desired: { replicas: 1, disruption: { maxUnavailable: 0 } } });
    const { key } = plane.serving();
    plane.must(
      putting(nodeKey("a-1"), { kind: "Node", spec: { ...plane.node().spec, draining: true } }),
    );
    const evict = {
      kind: "evict",
      replica: key,
      incarnation: 1,
      evidence: { kind: "drain", node: "a-1" },
    } as const;
    const target = { tenant: "payments", workload: "api" };
    putAs(plane, "ana", { action: "raise-budget", target, amount: 1, ttlMs: 5_000 });
    plane.nowMs = 5_000;
    expect(sendAs(plane, "d", evict, "drain-node")).toBe("disruption-budget");
    putAs(plane, "ana", { action: "raise-budget", target, amount: 1 }, overrideKey("again"));
    expect(sendAs(plane, "d", evict, "drain-node")).toBe("committed");
  });

  test("every step of a frozen tenant's replicas, but not what their agents report [OV10]", () => {
    const plane = aPlane({ desired: { replicas: 3 } });
    const { key: bound, status } = plane.bound({ index: 0 });
    const { key: queued } = plane.queued(1);
    putAs(plane, "ana", { action: "freeze-tenant", target: { tenant: "payments" } });
    const bind = {
      kind: "bind",
      replica: queued,
      incarnation: 1,
      node: "a-1",
      deviceIds: [],
    } as const;
    expect(sendAs(plane, "p", bind, "place")).toBe("held-by-override");
    const admit = {
      kind: "admit",
      workload: WORKLOAD,
      generation: 1,
      index: 2,
      incarnation: 1,
    } as const;
    expect(sendAs(plane, "a", admit, "admit")).toBe("held-by-override");
    const { session } = status;
    const report = {
      kind: "report",
      replica: bound,
      incarnation: 1,
      node: "a-1",
      session,
      stage: "starting",
    } as const;
    expect(sendAs(plane, "agent:a-1", report, "agent")).toBe("committed");
  });
});
