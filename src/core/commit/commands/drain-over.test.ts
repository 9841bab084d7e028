import { expect, test } from "vitest";
import { aPlane, putting, indexKey, type Plane } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { nodeKey } from "../../model/ids.ts";
import type { AtDeadline } from "../../model/node/drain.ts";

const DEADLINE_MS = 60_000;

/** One replica that serves and cannot be spared, on a node that is drained. */
function aDrainedPlane(atDeadline: AtDeadline = "stop"): Plane {
  const plane = aPlane({ desired: { disruption: { maxUnavailable: 0 } } });
  plane.serving();
  const { spec } = plane.node();
  const terms = { holder: "user", reason: "", deadlineMs: DEADLINE_MS, atDeadline };
  const drained = { ...spec, draining: true, drain: terms };
  plane.must(putting(nodeKey("a-1"), { kind: "Node", spec: drained }));
  return plane;
}

const over = (plane: Plane) => {
  const generation = plane.node().status.drain?.generation ?? 0;
  return { kind: "drain-over", node: "a-1", generation } as const;
};

const evict = (kind: "drain" | "drain-forced") =>
  ({
    kind: "evict",
    replica: indexKey(),
    incarnation: 1,
    evidence: { kind, node: "a-1" },
  }) as const;

test("a drain is over when its deadline has passed on the authority's clock, and not before [MT3]", () => {
  const plane = aDrainedPlane();
  const beganMs = plane.nowMs;
  plane.nowMs = beganMs + DEADLINE_MS - 1;
  expect(codeOf(plane.send(over(plane)))).toBe("drain-not-over");
  plane.nowMs = beganMs + DEADLINE_MS;
  plane.must(over(plane));
  expect(plane.node().status.drain?.overMs).toBe(plane.nowMs);
  expect(codeOf(plane.send(over(plane)))).toBe("wrong-stage");
});

test("a new leadership counts the deadline from its own beginning [MT3]", () => {
  const plane = aDrainedPlane();
  plane.nowMs += DEADLINE_MS;
  plane.lead(2);
  expect(codeOf(plane.send(over(plane)))).toBe("drain-not-over");
  plane.nowMs += DEADLINE_MS;
  plane.must(over(plane));
});

test("the end of an earlier drain is not the end of this one [MT3]", () => {
  const plane = aDrainedPlane();
  plane.nowMs += DEADLINE_MS;
  expect(codeOf(plane.send({ ...over(plane), generation: 1 }))).toBe("generation-changed");
  expect(codeOf(plane.send(over(plane), { role: "admit" }))).toBe("not-owner");
  const undrained = aPlane();
  expect(codeOf(undrained.send({ kind: "drain-over", node: "a-1", generation: 1 }))).toBe(
    "drain-not-over",
  );
});

test("a forced drain asks those who cannot be spared once its deadline has passed [MT4]", () => {
  const plane = aDrainedPlane("force");
  expect(codeOf(plane.send(evict("drain")))).toBe("disruption-budget");
  expect(codeOf(plane.send(evict("drain-forced")))).toBe("drain-not-over");
  plane.nowMs += DEADLINE_MS;
  // That the time is over is no use before it was committed.
  expect(codeOf(plane.send(evict("drain-forced")))).toBe("drain-not-over");
  plane.must(over(plane));
  plane.must(evict("drain-forced"));
  expect(plane.replica().status.stopping).toMatchObject({ reason: "drain" });
});

test("a drain that stops at its deadline asks no replica after it, by force or otherwise [MT4]", () => {
  const plane = aDrainedPlane("stop");
  plane.nowMs += DEADLINE_MS;
  plane.must(over(plane));
  expect(codeOf(plane.send(evict("drain-forced")))).toBe("evidence-wrong");
  expect(codeOf(plane.send(evict("drain")))).toBe("evidence-wrong");
});

test("a renewal of the lease leaves the drain as it is [MT3]", () => {
  const plane = aDrainedPlane();
  const { drain } = plane.node().status;
  plane.fallenSilent();
  plane.renew({ session: 2 });
  expect(plane.node().status.drain).toEqual(drain);
});
