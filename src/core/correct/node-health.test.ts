import { describe, expect, test } from "vitest";
import { aLease } from "../../../test/builders/a-lease.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aPolicy, aRevision } from "../../../test/builders/a-policy.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Controller } from "../runner/controller.ts";
import type { Decision } from "../protocol/decision.ts";
import { nodeKey } from "../model/ids.ts";
import type { Evidence } from "../model/evidence.ts";
import type { AnyObject, NodeHealth } from "../model/objects.ts";
import { createNodeHealth } from "./node-health.ts";

const look = (
  controller: Controller,
  objects: readonly AnyObject[],
  now: number,
  name = "a-1",
): Decision => controller.reconcile(nodeKey(name), aView(controller, objects), aLook(now));

/** What the controller concludes about a node it heard at `heardMs`, after so much silence. */
function afterSilence(silentMs: number, health: NodeHealth, heardMs = 1_000): Decision {
  const controller = createNodeHealth();
  const lease = aLease("a-1", { renewedMs: 77_777_777 });
  look(controller, [aNode(), lease], heardMs);
  return look(controller, [aNode({ health }), lease], heardMs + silentMs);
}

const movedTo = (decision: Decision): string | undefined => {
  const intent = decision.kind === "propose" ? decision.intents[0] : undefined;
  return intent?.kind === "transition" ? intent.to : undefined;
};

describe("a node that speaks", () => {
  test("is left alone until it could be late [RN6]", () => {
    expect(afterSilence(7_999, "ready")).toMatchObject({
      kind: "wait",
      reason: "not-silent-long-enough",
      deadlineMs: 9_000,
    });
  });

  test("gets its full time again with every renewal [CL1]", () => {
    const controller = createNodeHealth();
    look(controller, [aNode(), aLease("a-1", { seq: 1 })], 0);
    look(controller, [aNode(), aLease("a-1", { seq: 2 })], 7_000);
    const decision = look(controller, [aNode(), aLease("a-1", { seq: 2 })], 14_999);
    expect(decision).toMatchObject({ kind: "wait", deadlineMs: 15_000 });
  });

  test("is timed by when we saw it, not by the time another clock wrote [CL1]", () => {
    const controller = createNodeHealth();
    const ancient = aLease("a-1", { renewedMs: 0 });
    // The first look, also after a restart of the controller, begins the count.
    expect(look(controller, [aNode(), ancient], 900_000).kind).toBe("wait");
    expect(movedTo(look(controller, [aNode(), ancient], 908_000))).toBe("suspect");
  });
});

describe("a node that falls silent", () => {
  test("becomes suspect, then unknown, then fenced, each in its time [EV3]", () => {
    expect(movedTo(afterSilence(8_000, "ready"))).toBe("suspect");
    expect(movedTo(afterSilence(15_000, "suspect"))).toBe("unknown");
    expect(movedTo(afterSilence(18_499, "unknown"))).toBeUndefined();
    expect(movedTo(afterSilence(18_500, "unknown"))).toBe("fenced");
  });

  test("waits between the steps for exactly the next one [RN6]", () => {
    expect(afterSilence(9_000, "suspect", 1_000)).toMatchObject({
      kind: "wait",
      deadlineMs: 16_000,
    });
    expect(afterSilence(16_000, "unknown", 1_000)).toMatchObject({
      kind: "wait",
      deadlineMs: 19_500,
    });
  });

  test("takes the steps it missed at once [EV3]", () => {
    expect(movedTo(afterSilence(15_000, "ready"))).toBe("unknown");
    expect(movedTo(afterSilence(18_500, "ready"))).toBe("fenced");
  });

  test("is moved on the evidence of its very last renewal [EV1]", () => {
    const controller = createNodeHealth();
    const objects = [aNode({ session: 3 }), aLease("a-1", { session: 3, seq: 9 })];
    look(controller, objects, 0);
    expect(look(controller, objects, 8_000)).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "transition",
          key: "Node//a-1",
          session: 3,
          from: "ready",
          to: "suspect",
          evidence: { kind: "lease-expired", node: "a-1", session: 3, seq: 9 },
        },
      ],
    });
  });
});

describe("a node with nothing to lose", () => {
  test("is left alone: never spoken for, fenced already, or gone", () => {
    const controller = createNodeHealth();
    expect(look(controller, [aNode({ health: "unknown" })], 99_000).kind).toBe("settled");
    expect(look(controller, [aNode({ health: "fenced" }), aLease()], 99_000).kind).toBe("settled");
    expect(look(controller, [], 99_000).kind).toBe("settled");
  });
});

/** What the log says of a silence, as this leadership or another has committed it. */
const told = (node: string, silentMs: number, epoch = 1): Evidence => ({
  kind: "lease-expired",
  node,
  session: 1,
  seq: 1,
  silentMs,
  epoch,
});

/** A region of which `silent` nodes were last heard at 0, and the rest just now. */
function region(of: {
  silent: number;
  talking: number;
  now: number;
  health?: NodeHealth;
}): Decision {
  const controller = createNodeHealth();
  const names = Array.from({ length: of.silent + of.talking }, (_, n) => `n-${n}`);
  const at = (now: number, health: NodeHealth): AnyObject[] =>
    names.flatMap((name, n) => {
      const isSilent = n < of.silent;
      const seq = isSilent || now === 0 ? 1 : 2;
      const evidence = isSilent && now > 0 ? told(name, Math.max(15_000, now - 29_999)) : undefined;
      const node = aNode({ name, health: isSilent ? health : "ready", evidence });
      return [node, aLease(name, { seq })];
    });
  for (const name of names) look(controller, at(0, "ready"), 0, name);
  const objects = at(of.now, of.health ?? "unknown");
  for (const name of names.slice(of.silent)) look(controller, objects, of.now, name);
  return look(controller, objects, of.now, "n-0");
}

const zoneOf = (name: string): string => (name < "d" ? "eu-a" : "eu-b");

describe("correlated silence", () => {
  test("holds fencing back while three nodes and half the region are silent [EV4]", () => {
    expect(region({ silent: 3, talking: 3, now: 20_000 })).toMatchObject({
      kind: "wait",
      reason: "correlated-silence",
      deadlineMs: 25_000,
    });
  });

  test("is checked anew every five seconds, and at the end of the hold [RN6]", () => {
    expect(region({ silent: 3, talking: 3, now: 118_000 })).toMatchObject({
      kind: "wait",
      reason: "correlated-silence",
      deadlineMs: 120_000,
    });
  });

  test("ends after two minutes: then lost is lost [EV4]", () => {
    expect(movedTo(region({ silent: 3, talking: 3, now: 119_999 }))).toBeUndefined();
    expect(movedTo(region({ silent: 3, talking: 3, now: 120_000 }))).toBe("fenced");
  });

  test("is no reason to hold when fewer than half are silent, or fewer than three [EV4]", () => {
    expect(movedTo(region({ silent: 3, talking: 4, now: 20_000 }))).toBe("fenced");
    expect(movedTo(region({ silent: 2, talking: 0, now: 20_000 }))).toBe("fenced");
  });

  test("still lets a silent node be shown as unknown [EV4]", () => {
    const decision = region({ silent: 3, talking: 0, now: 20_000, health: "suspect" });
    expect(movedTo(decision)).toBe("unknown");
  });

  test("of half of all nodes holds each of them back, in every region [EV7]", () => {
    const controller = createNodeHealth();
    const objects = ["a", "b", "c"].flatMap((name) => [
      aNode({ name, region: name === "a" ? "us" : "eu", health: "unknown" }),
      aLease(name),
    ]);
    for (const name of ["a", "b", "c"]) look(controller, objects, 0, name);
    expect(movedTo(look(controller, objects, 300_000, "a"))).toBe("fenced");
    expect(movedTo(look(controller, objects, 20_000, "a"))).toBeUndefined();
  });

  test("of a zone holds its nodes back for one minute [EV6]", () => {
    const controller = createNodeHealth();
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const at = (seq: number): AnyObject[] =>
      names.flatMap((name) => [
        aNode({ name, zone: zoneOf(name), health: "unknown", evidence: told(name, 45_000) }),
        aLease(name, { seq: name < "d" ? 1 : seq }),
      ]);
    for (const name of names) look(controller, at(1), 0, name);
    for (const name of names.slice(3)) look(controller, at(2), 59_000, name);
    expect(look(controller, at(2), 59_000, "a")).toMatchObject({
      reason: "correlated-silence",
      deadlineMs: 60_000,
      because: { summary: expect.stringContaining("3 of 3 nodes of zone eu-a") },
    });
    expect(movedTo(look(controller, at(2), 60_000, "a"))).toBe("fenced");
  });

  test("gives a node whose clock is suspect two minutes [CL3]", () => {
    const controller = createNodeHealth();
    const suspect = aNode({ health: "unknown", clock: { offBy: 60, sinceMs: 0 } });
    look(controller, [suspect, aLease("a-1")], 0);
    expect(movedTo(look(controller, [suspect, aLease("a-1")], 119_999))).toBeUndefined();
    expect(movedTo(look(controller, [suspect, aLease("a-1")], 120_000))).toBe("fenced");
  });
});

/** Three nodes, silent since 0 by this controller's clock; of "a" so much is committed. */
function silentFor(now: number, evidence: Evidence): Decision {
  const controller = createNodeHealth();
  const objects = ["a", "b", "c"].flatMap((name) => [
    aNode({ name, health: "unknown", evidence: { ...evidence, node: name } as Evidence }),
    aLease(name),
  ]);
  for (const name of ["a", "b", "c"]) look(controller, objects, 0, name);
  return look(controller, objects, now, "a");
}

describe("a silence that is held back and goes on", () => {
  test("is told every half minute, each time as an intent of its own [EV11]", () => {
    expect(silentFor(44_999, told("a", 15_000))).toMatchObject({ reason: "correlated-silence" });
    expect(silentFor(45_000, told("a", 15_000))).toMatchObject({
      kind: "propose",
      intents: [
        { from: "unknown", to: "unknown", operation: expect.stringMatching(/unknown\.1$/) },
      ],
    });
  });

  test("goes on under the next leadership, for the hold only [EV11]", () => {
    expect(silentFor(19_999, told("a", 100_000, 0))).toMatchObject({ deadlineMs: 20_000 });
    expect(movedTo(silentFor(20_000, told("a", 100_000, 0)))).toBe("fenced");
    expect(movedTo(silentFor(18_499, told("a", 119_000, 0)))).toBeUndefined();
  });
});

describe("a node that is held for flapping", () => {
  const damped = { sinceMs: 5_000, untilMs: 65_000, times: 4, epoch: 1 };
  const objects = [aNode({ damped }), aLease("a-1", { seq: 9 })];

  test("is let go once its time is over by our own clock and both drifts [FL2]", () => {
    const controller = createNodeHealth();
    look(controller, objects, 100_000);
    const at = (now: number): Decision => {
      const renewed = [aNode({ damped }), aLease("a-1", { seq: now })];
      return look(controller, renewed, now);
    };
    expect(at(161_199).kind).toBe("wait");
    expect(at(161_200)).toMatchObject({
      kind: "propose",
      intents: [
        { kind: "expire", incarnation: 1, evidence: { kind: "damping-over", node: "a-1" } },
      ],
    });
  });

  test("is looked at when that time comes, also when the node keeps speaking [RN6]", () => {
    const controller = createNodeHealth();
    look(controller, objects, 0);
    const later = [aNode({ damped }), aLease("a-1", { seq: 10 })];
    expect(look(controller, later, 60_000)).toMatchObject({ kind: "wait", deadlineMs: 61_200 });
  });

  test("counts those who were late and are just heard again for fifteen seconds more [EV7]", () => {
    const controller = createNodeHealth();
    const names = ["a", "b", "c"];
    const at = (seq: number): AnyObject[] =>
      names.flatMap((name) => [
        aNode({ name, health: "unknown", evidence: told(name, 15_000) }),
        aLease(name, { seq: name === "a" ? 1 : seq }),
      ]);
    for (const now of [0, 20_000]) for (const name of names) look(controller, at(1), now, name);
    for (const name of ["b", "c"]) look(controller, at(2), 20_100, name);
    expect(look(controller, at(2), 35_100, "a")).toMatchObject({ reason: "correlated-silence" });
    for (const name of ["b", "c"]) look(controller, at(3), 28_000, name);
    expect(movedTo(look(controller, at(3), 35_101, "a"))).toBe("fenced");
  });

  test("counts a node as silent once it is late, and not before [EV4]", () => {
    for (const [heardMs, expected] of [
      [10_500, "fenced"],
      [10_499, undefined],
    ] as const) {
      const controller = createNodeHealth();
      const nodes = ["a", "b", "c"].map((name) => aNode({ name, health: "unknown" }));
      const first = [...nodes, ...["a", "b", "c"].map((name) => aLease(name))];
      for (const name of ["a", "b", "c"]) look(controller, first, 0, name);
      const later = [...nodes, aLease("a"), aLease("b", { seq: 2 }), aLease("c", { seq: 2 })];
      for (const name of ["b", "c"]) look(controller, later, heardMs, name);
      expect(movedTo(look(controller, later, 18_500, "a"))).toBe(expected);
    }
  });

  test("does not count nodes that are fenced already [EV4]", () => {
    const controller = createNodeHealth();
    const seen = ["a", "b", "c"].flatMap((name) => [aNode({ name }), aLease(name)]);
    for (const name of ["a", "b", "c"]) look(controller, seen, 0, name);
    const later = ["a", "b", "c"].flatMap((name) => [
      aNode({ name, health: name === "c" ? "fenced" : "unknown" }),
      aLease(name),
    ]);
    expect(movedTo(look(controller, later, 20_000, "a"))).toBe("fenced");
  });
});

test("a renewal and a changed node both concern the node's key", () => {
  const controller = createNodeHealth();
  const view = aView(controller, [aNode()]);
  for (const after of [aNode(), aLease()]) {
    expect(controller.keysFor({ key: after.key, before: undefined, after }, view)).toEqual([
      "Node//a-1",
    ]);
  }
  expect(controller.allKeys(view)).toEqual(["Node//a-1"]);
});

test("the policy in force in its region says when a silent node is suspect and unknown, and not when it is fenced [PY6] [EV3]", () => {
  const slow = aRevision("slow", { health: { suspectAfterMs: 12_000, unknownAfterMs: 17_000 } });
  const rules = [slow, aRevision("usual")];
  const after = (silentMs: number, health: NodeHealth, where: string): string | undefined => {
    const controller = createNodeHealth();
    const policy = aPolicy({ active: "usual", stages: [{ region: "eu", revision: "slow" }] });
    const of = (now: NodeHealth) => [
      aNode({ health: now, region: where }),
      aLease(),
      policy,
      ...rules,
    ];
    look(controller, of("ready"), 0);
    return movedTo(look(controller, of(health), silentMs));
  };
  expect(after(8_000, "ready", "us")).toBe("suspect");
  expect(after(11_999, "ready", "eu")).toBeUndefined();
  expect(after(12_000, "ready", "eu")).toBe("suspect");
  expect(after(16_999, "suspect", "eu")).toBeUndefined();
  expect(after(17_000, "suspect", "eu")).toBe("unknown");
  expect(after(18_499, "unknown", "eu")).toBeUndefined();
  expect(after(18_500, "unknown", "eu")).toBe("fenced");
});
