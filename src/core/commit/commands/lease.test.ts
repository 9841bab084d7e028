import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import { leaseKey, nodeKey, type ObjectKey } from "../../model/ids.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const renew = (
  plane: Plane,
  of: {
    session?: number;
    seq: number;
    kept?: ObjectKey[];
    role?: Role;
    node?: string;
    notes?: readonly string[];
    inventory?: IntentOf<"lease">["inventory"];
  },
): Outcome =>
  plane.send(
    {
      kind: "lease",
      node: of.node ?? "a-1",
      session: of.session ?? 1,
      seq: of.seq,
      kept: of.kept ?? [],
      ...(of.notes === undefined ? {} : { notes: of.notes }),
      ...(of.inventory === undefined ? {} : { inventory: of.inventory }),
    },
    { role: of.role ?? "agent" },
  );

const silent = (plane: Plane, to: "suspect" | "unknown", seq = 1): void =>
  plane.must({
    kind: "transition",
    key: nodeKey("a-1"),
    session: 1,
    from: "ready",
    to,
    evidence: { kind: "lease-expired", node: "a-1", session: 1, seq },
  });

describe("a renewal", () => {
  test("is written down with the authority's own time and leadership [EV3]", () => {
    const plane = aPlane();
    plane.lead(2);
    plane.nowMs = 4_321;
    expect(codeOf(renew(plane, { seq: 2 }))).toBe("committed");
    expect(plane.get(leaseKey("a-1"))).toMatchObject({
      status: { session: 1, seq: 2, renewedMs: 4_321, epoch: 2 },
    });
  });

  test("of an earlier session is refused and told the present one [LS1]", () => {
    const plane = aPlane();
    plane.renew({ session: 3, seq: 1 });
    expect(renew(plane, { session: 2, seq: 99 })).toMatchObject({
      kind: "refused",
      code: "session-ended",
      expected: 3,
    });
  });

  test("of a fenced session is refused, and a higher session is taken [LS2]", () => {
    const plane = aPlane();
    plane.fallenSilent();
    expect(renew(plane, { seq: 2 })).toMatchObject({ kind: "refused", code: "node-fenced" });
    expect(plane.node().status.health).toBe("fenced");
    expect(codeOf(renew(plane, { session: 2, seq: 1 }))).toBe("committed");
    expect(plane.node().status).toMatchObject({
      health: "ready",
      session: 2,
      evidence: undefined,
    });
  });

  test("that is not newer than the last changes nothing and is told how far we are [LS3]", () => {
    const plane = aPlane();
    plane.renew({ seq: 5 });
    const before = plane.ledger.revision;
    for (const seq of [5, 4, 1]) {
      expect(renew(plane, { seq })).toMatchObject({
        kind: "conflict",
        code: "lease-replayed",
        actual: 5,
      });
    }
    expect(plane.ledger.revision).toBe(before);
    expect(codeOf(renew(plane, { seq: 6 }))).toBe("committed");
  });

  test("of a new session begins its own count [LS3]", () => {
    const plane = aPlane();
    plane.renew({ seq: 500 });
    expect(codeOf(renew(plane, { session: 2, seq: 1 }))).toBe("committed");
    expect(codeOf(renew(plane, { session: 2, seq: 1 }))).toBe("lease-replayed");
  });

  test.each([
    { title: "suspect [LS4]", to: "suspect" as const },
    { title: "unknown [LS4]", to: "unknown" as const },
  ])("makes a node ready again that was $title", ({ to }) => {
    const plane = aPlane();
    silent(plane, to);
    plane.nowMs = 9_000;
    expect(codeOf(renew(plane, { seq: 2 }))).toBe("committed");
    expect(plane.node().status).toMatchObject({
      health: "ready",
      healthSinceMs: 9_000,
      session: 1,
      evidence: undefined,
    });
  });

  test("makes ready a node whose agent had not renewed yet [LS4]", () => {
    const plane = aPlane();
    expect(plane.node().status).toMatchObject({ health: "ready", session: 1 });
  });

  test("goes on with the same lease, and a first one begins it [LS3]", () => {
    const plane = aPlane();
    const first = plane.get(leaseKey("a-1"))?.meta;
    plane.nowMs = 9_000;
    renew(plane, { seq: 2 });
    expect(plane.get(leaseKey("a-1"))?.meta).toEqual({
      ...first,
      revision: plane.ledger.revision,
    });
  });

  test("of a ready node touches the lease alone [LS4]", () => {
    const plane = aPlane();
    renew(plane, { seq: 2 });
    expect(plane.lastCommit.changes.map(({ key }) => key)).toEqual([leaseKey("a-1")]);
  });

  test("writes down what the machine cannot do, once, and takes it back [LS4]", () => {
    const plane = aPlane();
    const node = () => plane.ledger.objects.node(nodeKey("a-1"))!;
    const before = node();
    renew(plane, { seq: 2, notes: ["no limits here", "x".repeat(900), ""] });
    const noted = node();
    expect(noted.status.notes).toEqual(["no limits here", "x".repeat(500)]);
    expect(noted.status).toMatchObject({ ...before.status, notes: expect.anything() });
    renew(plane, { seq: 3, notes: ["no limits here", "x".repeat(900)] });
    expect(node()).toBe(noted);
    silent(plane, "suspect", 3);
    expect(node().status.notes).toHaveLength(2);
    renew(plane, { seq: 4 });
    expect(node().status.notes).toBeUndefined();
  });

  test("writes down what may run replicas, and nothing that is no driver [BD15]", () => {
    const plane = aPlane();
    const node = () => plane.ledger.objects.node(nodeKey("a-1"))!;
    const said = (seq: number, drivers?: unknown) =>
      renew(plane, { seq, inventory: { asOf: 0, replicas: [], drivers } as never });
    const sandbox = { name: "sandbox", lacks: "it lacks bwrap" };
    said(2, [{ name: "process" }, sandbox, { name: "rocket" }, null, "x"]);
    expect(node().status.drivers).toEqual([sandbox, { name: "process" }]);
    const noted = node();
    said(3, [{ name: "process" }, sandbox]);
    renew(plane, { seq: 4 });
    expect(node()).toBe(noted);
    silent(plane, "suspect", 4);
    expect(node().status.drivers).toHaveLength(2);
    // An agent of before drivers.
    said(5);
    expect(node().status.drivers).toBeUndefined();
  });

  test("is an agent's alone [ST1]", () => {
    for (const role of ["user", "node-health", "admit"] as const) {
      expect(renew(aPlane(), { seq: 2, role })).toMatchObject({ code: "not-owner" });
    }
  });

  test("for a node that does not exist is a conflict [OB1]", () => {
    expect(codeOf(renew(aPlane(), { node: "z-9", seq: 1 }))).toBe("no-such-object");
  });
});

describe("a new session", () => {
  test("carries over the processes that were kept on purpose [LS2]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.serving();
    plane.fallenSilent();
    renew(plane, { session: 2, seq: 1, kept: [indexKey()] });
    expect(plane.replica().status).toMatchObject({ session: 2, node: "a-1", stage: "unknown" });
  });

  test("leaves behind what was not kept [LS2]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.serving();
    renew(plane, { session: 2, seq: 1, kept: [] });
    expect(plane.replica().status.session).toBe(1);
  });

  test("is begun once: a later renewal carries nothing over any more [LS2]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.serving();
    renew(plane, { session: 2, seq: 1, kept: [] });
    renew(plane, { session: 2, seq: 2, kept: [indexKey()] });
    expect(plane.replica().status.session).toBe(1);
  });

  test("does not carry over what was not to be kept, whatever the agent says [LS2]", () => {
    const plane = aPlane({ desired: { onDisconnect: "stop" } });
    plane.serving();
    renew(plane, { session: 2, seq: 1, kept: [indexKey()] });
    expect(plane.replica().status.session).toBe(1);
  });

  test("carries nothing over that is on another node [LS2]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.joined("b-1");
    plane.serving({ node: "b-1" });
    renew(plane, { session: 2, seq: 1, kept: [indexKey()] });
    expect(plane.replica().status.session).toBe(1);
  });
});
