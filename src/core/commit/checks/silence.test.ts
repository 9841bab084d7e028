import { describe, expect, test } from "vitest";
import { aPlane, Plane } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { leaseKey, nodeKey } from "../../model/ids.ts";
import type { Outcome } from "../../protocol/outcome.ts";
import { silenceMs } from "./silence.ts";

function fence(plane: Plane, name = "a-1", operation = `fence ${name} at ${plane.nowMs}`): Outcome {
  const { health: from, session } = plane.node(name).status;
  const seq = plane.ledger.objects.lease(leaseKey(name))!.status.seq;
  const evidence = { kind: "lease-expired", node: name, session, seq } as const;
  const key = nodeKey(name);
  return plane.send(
    { kind: "transition", key, session, from, to: "fenced", evidence },
    { operation },
  );
}

/** Nodes n-0, n-1, … of one region, all heard at time 0. */
function aRegion(count: number): Plane {
  const plane = new Plane();
  for (let n = 0; n < count; n += 1) plane.joined(`n-${n}`);
  return plane;
}

/** Time passes, in which these renew every five seconds and nobody else does. */
function talk(plane: Plane, names: readonly string[], untilMs: number): void {
  while (plane.nowMs < untilMs) {
    plane.nowMs = Math.min(plane.nowMs + 5_000, untilMs);
    for (const node of names) {
      const { seq } = plane.ledger.objects.lease(leaseKey(node))!.status;
      plane.renew({ node, seq: seq + 1 });
    }
  }
}

describe("fencing for silence", () => {
  test("[EV3] a node is not fenced before its lease, the kill time and the clock bound have passed", () => {
    const plane = aPlane();
    plane.nowMs = 18_499;
    expect(fence(plane)).toMatchObject({
      kind: "conflict",
      code: "lease-not-over",
      expected: 18_500,
      actual: 18_499,
    });
    plane.nowMs = 18_500;
    expect(codeOf(fence(plane))).toBe("committed");
  });

  test("[EV3] the time counts from the last renewal the authority committed", () => {
    const plane = aPlane();
    plane.nowMs = 10_000;
    plane.renew({ seq: 2 });
    plane.nowMs = 28_499;
    expect(codeOf(fence(plane))).toBe("lease-not-over");
    plane.nowMs = 28_500;
    expect(codeOf(fence(plane))).toBe("committed");
  });

  test("[EV3] a new leadership counts from its own beginning when an earlier one heard the node", () => {
    const plane = aPlane();
    plane.nowMs = 10_000;
    plane.lead(2);
    plane.nowMs = 28_499;
    expect(codeOf(fence(plane))).toBe("lease-not-over");
    plane.nowMs = 28_500;
    expect(codeOf(fence(plane))).toBe("committed");
  });

  test("[CL1] a time that an earlier leadership wrote on its clock is not compared with ours", () => {
    const plane = aPlane();
    plane.nowMs = 5_000_000;
    plane.renew({ seq: 2 });
    plane.nowMs = 40;
    plane.lead(2);
    const lease = plane.ledger.objects.lease(leaseKey("a-1"))!;
    expect(silenceMs(plane.ledger, lease, 1_040)).toBe(1_000);
  });

  test("[EV3] a renewal under the new leadership counts from that renewal", () => {
    const plane = aPlane();
    plane.nowMs = 10_000;
    plane.lead(2);
    plane.nowMs = 15_000;
    plane.renew({ seq: 2 });
    plane.nowMs = 30_000;
    expect(codeOf(fence(plane))).toBe("lease-not-over");
  });
});

describe("correlated silence", () => {
  test("[EV4] three of six silent nodes are not fenced until they were silent for two minutes", () => {
    const plane = aRegion(6);
    talk(plane, ["n-3", "n-4", "n-5"], 100_000);
    plane.nowMs = 100_001;
    expect(fence(plane, "n-0")).toMatchObject({
      kind: "conflict",
      code: "correlated-silence",
      actual: "3 of 6 nodes silent",
    });
    talk(plane, ["n-3", "n-4", "n-5"], 119_999);
    expect(codeOf(fence(plane, "n-0"))).toBe("correlated-silence");
    plane.nowMs = 120_000;
    expect(codeOf(fence(plane, "n-0"))).toBe("committed");
  });

  test("[EV4] three of seven silent nodes are fewer than half, so they are fenced as usual", () => {
    const plane = aRegion(7);
    talk(plane, ["n-3", "n-4", "n-5", "n-6"], 18_500);
    expect(codeOf(fence(plane, "n-0"))).toBe("committed");
  });

  test("[EV4] two silent nodes are too few to be correlated, even when they are all there is", () => {
    const plane = aRegion(2);
    plane.nowMs = 18_500;
    expect(codeOf(fence(plane, "n-0"))).toBe("committed");
  });

  test("[EV4] another region's silence holds nothing back", () => {
    const plane = aRegion(3);
    const us = ["us-1", "us-2", "us-3", "us-4", "us-5", "us-6"];
    for (const name of us) plane.joined(name, { region: "us", zone: "us-a" });
    talk(plane, us.slice(1), 18_500);
    expect(codeOf(fence(plane, "us-1"))).toBe("committed");
    expect(codeOf(fence(plane, "n-0"))).toBe("correlated-silence");
  });

  test("[EV6] half of a zone holds its nodes back for one minute, though the region is heard", () => {
    const plane = aRegion(3);
    const others = ["b-1", "b-2", "b-3", "b-4"];
    for (const name of others) plane.joined(name, { zone: "eu-b" });
    talk(plane, others, 59_999);
    expect(fence(plane, "n-0")).toMatchObject({
      code: "correlated-silence",
      field: "zone eu-a",
      expected: "silent for 60000 ms",
      actual: "3 of 3 nodes silent",
    });
    plane.nowMs = 60_000;
    expect(codeOf(fence(plane, "n-0"))).toBe("committed");
  });

  test("[EV7] half of all nodes in more than one region hold every silent node back for five minutes", () => {
    const plane = aRegion(2);
    for (const name of ["us-1", "us-2"]) plane.joined(name, { region: "us", zone: "us-a" });
    talk(plane, ["us-2"], 299_999);
    expect(fence(plane, "n-0")).toMatchObject({
      code: "correlated-silence",
      field: "plane plane",
      actual: "3 of 4 nodes silent",
    });
    plane.nowMs = 300_000;
    expect(codeOf(fence(plane, "n-0"))).toBe("committed");
  });

  test("[EV7] who was just heard again counts as silent for fifteen seconds more", () => {
    const plane = aRegion(3);
    plane.nowMs = 40_000;
    for (const node of ["n-1", "n-2"]) plane.renew({ node, seq: 2 });
    expect(codeOf(fence(plane, "n-0"))).toBe("correlated-silence");
    talk(plane, ["n-1", "n-2"], 55_000);
    expect(codeOf(fence(plane, "n-0"))).toBe("correlated-silence");
    plane.nowMs = 55_001;
    expect(codeOf(fence(plane, "n-0"))).toBe("committed");
  });

  test("[LB7] a plane that stood still counts every silence from when it went on", () => {
    const plane = aPlane();
    plane.nowMs = 40_000;
    plane.ledger.woke(40_000);
    expect(fence(plane)).toMatchObject({ code: "lease-not-over" });
    plane.nowMs = 58_499;
    expect(fence(plane)).toMatchObject({ code: "lease-not-over", actual: 18_499 });
    plane.nowMs = 58_500;
    expect(codeOf(fence(plane))).toBe("committed");
  });

  test("[LB7] and shows no node as suspect or unknown for what it did not hear meanwhile", () => {
    const plane = aPlane();
    plane.nowMs = 40_000;
    plane.ledger.woke(40_000);
    const evidence = { kind: "lease-expired", node: "a-1", session: 1, seq: 1 } as const;
    const worse = {
      kind: "transition",
      key: nodeKey("a-1"),
      session: 1,
      from: "ready",
      evidence,
    } as const;
    for (const to of ["suspect", "unknown"] as const) {
      expect(codeOf(plane.send({ ...worse, to }))).toBe("lease-not-over");
    }
    plane.nowMs = 48_000;
    const suspect = plane.send({ ...worse, to: "suspect" }, { operation: "later" });
    expect(codeOf(suspect)).toBe("committed");
  });

  test("[CL3] a node whose clock is suspect is fenced only after two minutes", () => {
    const plane = aPlane();
    const node = plane.node();
    plane.plant({ ...node, status: { ...node.status, clock: { offBy: -50, sinceMs: 0 } } });
    plane.nowMs = 119_999;
    expect(fence(plane)).toMatchObject({ code: "lease-not-over", expected: 120_000 });
    plane.nowMs = 120_000;
    expect(codeOf(fence(plane))).toBe("committed");
  });

  test("[EV8] what is kept of a silence is how long the authority measured it", () => {
    const plane = aPlane();
    plane.nowMs = 19_234;
    fence(plane);
    expect(plane.node().status.evidence).toMatchObject({ kind: "lease-expired", silentMs: 19_234 });
  });

  test("[EV4] nodes that are hardly late do not count as silent", () => {
    const plane = aRegion(3);
    talk(plane, ["n-1", "n-2"], 10_500);
    plane.nowMs = 18_500;
    expect(codeOf(fence(plane, "n-0"))).toBe("committed");
  });

  test("[EV4] nodes that are late by more than a renewal count as silent", () => {
    const plane = aRegion(3);
    talk(plane, ["n-1", "n-2"], 10_499);
    plane.nowMs = 18_500;
    expect(codeOf(fence(plane, "n-0"))).toBe("correlated-silence");
  });

  test("[EV4] nodes that are fenced already count neither as silent nor as watched", () => {
    const plane = aRegion(4);
    plane.vouchedGone("n-2");
    plane.vouchedGone("n-3");
    plane.nowMs = 18_500;
    expect(codeOf(fence(plane, "n-0"))).toBe("committed");
  });
});

/** Says for how long the node is silent by now, as the controller does while it is held back. */
const tell = (plane: Plane, name: string): Outcome => {
  const { health: from, session } = plane.node(name).status;
  const seq = plane.ledger.objects.lease(leaseKey(name))!.status.seq;
  const evidence = { kind: "lease-expired", node: name, session, seq } as const;
  return plane.send(
    { kind: "transition", key: nodeKey(name), session, from, to: "unknown", evidence },
    { operation: `unknown ${name} at ${plane.nowMs}` },
  );
};

/** Four nodes that fell silent at 0; n-0 has been told at each of these times. */
function silentRegion(...toldMs: readonly number[]): Plane {
  const plane = aRegion(4);
  for (const at of toldMs) {
    plane.nowMs = at;
    expect(codeOf(tell(plane, "n-0"))).toBe("committed");
  }
  return plane;
}

describe("a change of leadership in the middle of a silence", () => {
  test("[EV11] the hold goes on from what the earlier leadership has committed of the silence", () => {
    const plane = silentRegion(20_000, 50_000, 80_000);
    plane.nowMs = 5_000;
    plane.lead(plane.ledger.epoch + 1);
    plane.nowMs = 5_000 + 39_999;
    expect(fence(plane, "n-0")).toMatchObject({ code: "correlated-silence" });
    plane.nowMs = 5_000 + 40_000;
    expect(codeOf(fence(plane, "n-0"))).toBe("committed");
  });

  test("[EV11] over two changes of leadership each part counts once", () => {
    const plane = silentRegion(20_000, 50_000);
    plane.nowMs = 0;
    plane.lead(plane.ledger.epoch + 1);
    plane.nowMs = 30_000;
    expect(codeOf(tell(plane, "n-0"))).toBe("committed");
    plane.nowMs = 35_000;
    plane.lead(plane.ledger.epoch + 1);
    plane.nowMs = 35_000 + 39_999;
    expect(codeOf(fence(plane, "n-0"))).toBe("correlated-silence");
    plane.nowMs = 35_000 + 40_000;
    expect(codeOf(fence(plane, "n-0"))).toBe("committed");
    expect(plane.node("n-0").status.evidence).toMatchObject({
      silentMs: 40_000,
      carriedMs: 80_000,
    });
  });

  test("[EV11] [EV3] a new leadership hears for the full time of a lease itself, whatever was committed", () => {
    const plane = silentRegion(20_000, 50_000, 80_000, 115_000);
    plane.nowMs = 0;
    plane.lead(plane.ledger.epoch + 1);
    plane.nowMs = 18_499;
    expect(codeOf(fence(plane, "n-0"))).toBe("lease-not-over");
  });

  test("[EV11] a node that was heard in between begins a silence of its own", () => {
    const plane = silentRegion(20_000, 50_000, 80_000);
    plane.renew({ node: "n-0", seq: 2 });
    plane.lead(plane.ledger.epoch + 1);
    plane.nowMs += 60_000;
    expect(codeOf(fence(plane, "n-0"))).toBe("correlated-silence");
  });

  test("[EV11] what was told lately is not told again", () => {
    const plane = silentRegion(20_000);
    plane.nowMs = 34_999;
    expect(codeOf(tell(plane, "n-0"))).toBe("lease-not-over");
    plane.nowMs = 35_000;
    expect(codeOf(tell(plane, "n-0"))).toBe("committed");
    expect(plane.node("n-0").status.healthSinceMs).toBe(20_000);
  });
});
