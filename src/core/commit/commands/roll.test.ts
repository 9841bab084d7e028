import { describe, expect, test } from "vitest";
import { indexKey } from "../../../../test/builders/a-plane.ts";
import {
  aRollingPlane,
  aRollout,
  RollingPlane,
} from "../../../../test/builders/a-rolling-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { NO_END } from "../../model/index-set.ts";
import { liveCount } from "../../observe/rollout-counts.ts";
import { INDEXES_PER_COMMAND } from "../../protocol/command.ts";

const left = (generation: number, ...indexes: readonly number[]) => [{ generation, indexes }];

const first = (count: number) => [0, 1, 2].slice(0, count);

describe("a step of a rollout", () => {
  test("begins as many as may be wanted beyond the old ones, and no more [RO2] [RO1]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    expect(codeOf(plane.advance({ begin: [0, 1] }))).toBe("rollout-surge");
    expect(codeOf(plane.advance({ begin: [0] }))).toBe("committed");
    expect(plane.rollout).toMatchObject({ to: 2, from: 1, begun: [0, 1], stage: "rolling" });
    expect(codeOf(plane.advance({ begin: [1] }))).toBe("rollout-surge");
    expect(codeOf(plane.send(plane.incarnationOf(2, 1)))).toBe("index-not-wanted");
    expect(codeOf(plane.send(plane.incarnationOf(2, 0)))).toBe("committed");
  });

  test("leaves an old index only when enough others serve, and asks its replica to stop [RO3]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.advance({ begin: [0] });
    expect(plane.advance({ drop: left(1, 0) })).toMatchObject({
      code: "rollout-unavailable",
      expected: "at least 3 serving besides",
      actual: 2,
    });
    plane.serve(2, 0);
    expect(codeOf(plane.advance({ drop: left(1, 0), begin: [1] }))).toBe("committed");
    expect(plane.replica(0).status.stopping).toEqual({ reason: "rollout", sinceMs: 0 });
    expect(plane.lastCommit.evidence).toEqual({
      kind: "rollout",
      workload: "Workload/payments/api",
    });
    expect(plane.rollout?.old).toEqual([{ generation: 1, indexes: [1, NO_END] }]);
  });

  test("leaves what does not serve for a new one that does, and not before [RO3]", () => {
    const plane = aRollingPlane();
    plane.tell(indexKey(1), "failed");
    plane.tell(indexKey(2), "failed");
    plane.release("v2");
    expect(plane.advance({ drop: left(1, 1, 2), begin: [0, 1] })).toMatchObject({
      code: "rollout-unavailable",
      expected: "at least 3 that serve or did",
      actual: 1,
    });
    plane.advance({ begin: [0] });
    plane.serve(2, 0);
    expect(codeOf(plane.advance({ drop: left(1, 1, 2), begin: [1] }))).toBe("rollout-unavailable");
    expect(codeOf(plane.advance({ drop: left(1, 1), begin: [1] }))).toBe("committed");
    // The one that serves is still protected: two of three serve, which is less than may be.
    expect(codeOf(plane.advance({ drop: left(1, 0), begin: [2] }))).toBe("rollout-unavailable");
  });

  test("leaves what never served at once, as long as enough are wanted [RO3]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.advance({ begin: [0] });
    plane.release("v3");
    expect(codeOf(plane.advance({ drop: left(2, 0) }))).toBe("committed");
    const fresh = new RollingPlane();
    fresh.tenant();
    fresh.joined();
    fresh.want({ replicas: 2, rollout: aRollout() });
    fresh.release("v2");
    expect(codeOf(fresh.advance({ drop: left(1, 0, 1) }))).toBe("rollout-unavailable");
    expect(codeOf(fresh.advance({ drop: left(1, 0, 1), begin: [0, 1] }))).toBe("committed");
  });

  test("takes one on a silent node for one that serves, but not to the good of others [RO3]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.advance({ begin: [0] });
    plane.serve(2, 0);
    plane.nowMs = 15_000;
    const { session } = plane.node().status;
    const evidence = { kind: "lease-expired", node: "a-1", session, seq: 1 } as const;
    const move = {
      key: plane.node().key,
      session,
      from: "ready",
      to: "unknown",
      evidence,
    } as const;
    plane.must({ kind: "transition", ...move });
    expect(codeOf(plane.advance({ drop: left(1, 0), begin: [1] }))).toBe("rollout-unavailable");
  });

  test("may leave as many out of serving as the workload says [RO3]", () => {
    const plane = aRollingPlane({ rollout: aRollout({ maxSurge: 0, maxUnavailable: 2 }) });
    plane.release("v2");
    const drop = left(1, 0, 1, 2);
    expect(codeOf(plane.advance({ drop, begin: [0, 1, 2] }))).toBe("rollout-unavailable");
    expect(codeOf(plane.advance({ drop: left(1, 0, 1), begin: [0, 1] }))).toBe("committed");
  });

  test.each([
    // Of three, 34 % are a little more than one: two may be beyond them, and one may be missing.
    { maxSurge: "34%", maxUnavailable: 0, surge: 2, unavailable: 0 },
    { maxSurge: 0, maxUnavailable: "67%", surge: 0, unavailable: 2 },
    { maxSurge: "1%", maxUnavailable: "33%", surge: 1, unavailable: 0 },
    // What comes to nothing on both sides would move nothing.
    { maxSurge: 0, maxUnavailable: "33%", surge: 0, unavailable: 1 },
  ] as const)(
    "in parts, $maxSurge and $maxUnavailable of three are $surge and $unavailable [RO11]",
    ({ maxSurge, maxUnavailable, surge, unavailable }) => {
      const plane = aRollingPlane({ rollout: aRollout({ maxSurge, maxUnavailable }) });
      plane.release("v2");
      expect(codeOf(plane.advance({ begin: first(surge + 1) }))).not.toBe("committed");
      const tooMany = left(1, ...first(unavailable + 1));
      expect(codeOf(plane.advance({ drop: tooMany }))).toBe("rollout-unavailable");
      const drop = unavailable === 0 ? [] : left(1, ...first(unavailable));
      expect(codeOf(plane.advance({ drop, begin: first(surge + unavailable) }))).toBe("committed");
    },
  );

  test("names indexes that are there to be begun or left, in order, and not too many [RO4]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    for (const begin of [[3], [-1], [0.5], [1, 0], [0, 0]]) {
      expect(codeOf(plane.advance({ begin }))).toBe("index-not-wanted");
    }
    plane.advance({ begin: [0] });
    expect(codeOf(plane.advance({ begin: [0] }))).toBe("index-not-wanted");
    for (const drop of [left(2, 0), left(7, 0), left(1, 3), left(1, 1, 0)]) {
      expect(codeOf(plane.advance({ drop }))).toBe("index-not-wanted");
    }
    const many = Array.from({ length: INDEXES_PER_COMMAND + 1 }, (_, index) => index);
    expect(codeOf(plane.advance({ drop: left(1, ...many) }))).toBe("bad-object");
  });

  test("is the roll-out controller's alone, and of the rollout it names [RO4] [ST1]", () => {
    const plane = aRollingPlane();
    const move = { kind: "advance", begin: [0], drop: [], step: 0 } as const;
    expect(codeOf(plane.roll(move))).toBe("rollout-over");
    plane.release("v2");
    expect(codeOf(plane.roll(move, 0))).toBe("rollout-over");
    const roll = { kind: "roll", workload: plane.workload().key, retargets: 1, move } as const;
    for (const role of ["user", "admit", "place"] as const) {
      expect(codeOf(plane.send(roll, { role }))).toBe("not-owner");
    }
    expect(codeOf(plane.send({ ...roll, workload: indexKey() }))).toBe("no-such-object");
    plane.putDesired({ type: "batch", replicas: 3, command: ["serve", "v2"] });
    expect(codeOf(plane.roll(move))).toBe("rollout-over");
    plane.must({ kind: "delete", key: plane.workload().key, expect: {} });
    expect(codeOf(plane.roll(move))).toBe("being-deleted");
  });

  test("waits while the rollout is paused [RO5]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.want({ rollout: aRollout({ paused: true }) });
    expect(codeOf(plane.advance({ begin: [0] }))).toBe("rollout-paused");
    plane.want({ rollout: aRollout() });
    expect(codeOf(plane.advance({ begin: [0] }))).toBe("committed");
  });

  test("begins no more than the step of the spec says, until all of it serve [RO5]", () => {
    const steps = [{ replicas: 1, pauseMs: 5_000 }, { replicas: 2 }];
    const plane = aRollingPlane({ rollout: aRollout({ maxSurge: 3, steps }) });
    plane.release("v2");
    expect(codeOf(plane.advance({ begin: [0, 1] }))).toBe("rollout-step");
    expect(codeOf(plane.advance({ begin: [0] }))).toBe("committed");
    expect(codeOf(plane.advance({ step: 1 }))).toBe("rollout-step");
    plane.serve(2, 0);
    expect(codeOf(plane.advance({ step: 2 }))).toBe("rollout-step");
    expect(codeOf(plane.advance({ step: 1, begin: [1, 2] }))).toBe("rollout-step");
    expect(codeOf(plane.advance({ step: 1, begin: [1] }))).toBe("committed");
    expect(plane.rollout).toMatchObject({ step: 1, begun: [0, 2] });
  });
});

describe("the incarnations of a workload on its way", () => {
  test("are at most as many as it may have beyond its replicas, those on their way out included [RO2]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.advance({ begin: [0] });
    plane.serve(2, 0);
    plane.advance({ drop: left(1, 0), begin: [1] });
    // Wanted, but the old one has not left yet.
    expect(codeOf(plane.send(plane.incarnationOf(2, 1)))).toBe("rollout-surge");
    const admit = { kind: "admit", workload: plane.workload().key, generation: 2 } as const;
    expect(codeOf(plane.send({ ...admit, index: 1, incarnation: 1 }))).toBe("rollout-surge");
    plane.tell(indexKey(0), "released");
    expect(codeOf(plane.send(plane.incarnationOf(2, 1)))).toBe("committed");
  });

  test("are not held up where a node is back and one begins anew that was counted all along [RO2] [DC1]", () => {
    const plane = aRollingPlane({ replaceAfterMs: 60_000 });
    plane.release("v2");
    plane.want({ replicas: 1 });
    for (const index of [1, 2]) {
      const stop = { kind: "evict", replica: indexKey(index), incarnation: 1 } as const;
      plane.must({ ...stop, evidence: { kind: "surplus", workload: plane.workload().key } });
    }
    const live = (): number => liveCount(plane.ledger.objects, plane.workload());
    // Of at most 2; those on their way out have not left.
    expect(live()).toBe(3);
    plane.renew({ session: 2 });
    expect(plane.replica(0).status).toMatchObject({ stage: "bound", session: 2, incarnation: 2 });
    expect(plane.replica(1).status).toMatchObject({ stage: "serving", session: 1, incarnation: 1 });
    expect(live()).toBe(3);
    plane.advance({ begin: [0] });
    expect(codeOf(plane.send(plane.incarnationOf(2, 0)))).toBe("rollout-surge");
  });

  test("are made of the template of their generation [RO1]", () => {
    const plane = aRollingPlane();
    plane.tell(indexKey(1), "failed");
    plane.release("v2");
    plane.advance({ begin: [0] });
    plane.serve(2, 0);
    expect(plane.replica(0, 2).spec.template.command).toEqual(["serve", "v2"]);
    plane.must({ ...plane.incarnationOf(1, 1), indexes: [{ index: 1, incarnation: 2 }] });
    expect(plane.replica(1, 1).spec.template.command).toEqual(["serve", "v1"]);
  });
});

describe("the end of a rollout", () => {
  test("needs all replicas of the new generation to serve and none of another to be wanted [RO6]", () => {
    const plane = aRollingPlane({ replicas: 1 });
    plane.release("v2");
    expect(plane.roll({ kind: "finish" })).toMatchObject({ code: "rollout-unfinished", actual: 1 });
    plane.advance({ begin: [0] });
    plane.serve(2, 0);
    plane.advance({ drop: left(1, 0) });
    plane.tell(indexKey(0, 2), "ready");
    expect(codeOf(plane.roll({ kind: "finish" }))).toBe("rollout-unfinished");
    plane.tell(indexKey(0, 2), "serving");
    expect(codeOf(plane.roll({ kind: "finish" }))).toBe("committed");
    const { status } = plane.workload();
    expect(status).toMatchObject({ templateGeneration: 2, served: true });
    expect(status.rollout).toBeUndefined();
    expect(status.history).toMatchObject([{ generation: 1, served: true }]);
    expect(codeOf(plane.roll({ kind: "finish" }))).toBe("rollout-over");
  });

  test("of a workload that is scaled to nothing proves nothing [RO6]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.want({ replicas: 0 });
    expect(codeOf(plane.roll({ kind: "finish" }))).toBe("committed");
    expect(plane.workload().status.served).toBeUndefined();
    expect(codeOf(plane.roll({ kind: "finish" }))).toBe("rollout-over");
  });
});

describe("a rollout that fails", () => {
  test("goes back to the last generation that served, with what is left of it [RO7]", () => {
    const plane = aRollingPlane({ rollout: aRollout({ maxSurge: 0, maxUnavailable: 1 }) });
    plane.release("v2");
    plane.advance({ drop: left(1, 0), begin: [0] });
    expect(codeOf(plane.roll({ kind: "fail", reason: "1 starting" }))).toBe("committed");
    expect(plane.rollout).toMatchObject({
      stage: "going-back",
      from: 1,
      to: 1,
      begun: [1, NO_END],
      old: [{ generation: 2, indexes: [0, 1] }],
      reason: "1 starting",
    });
    expect(plane.workload().spec.template.command).toEqual(["serve", "v2"]);
    expect(codeOf(plane.roll({ kind: "fail", reason: "again" }))).toBe("rollout-over");
  });

  test("is on its way back held up by no pause and no step [RO5] [RO7]", () => {
    const steps = [{ replicas: 1, pauseMs: 60_000 }];
    const rollout = aRollout({ maxSurge: 0, maxUnavailable: 3, steps });
    const plane = aRollingPlane({ rollout: { ...rollout, steps: [] } });
    plane.release("v2");
    plane.advance({ drop: left(1, 0, 1, 2), begin: [0, 1, 2] });
    plane.want({ rollout: { ...rollout, paused: true } });
    plane.roll({ kind: "fail", reason: "none serves" });
    expect(codeOf(plane.advance({ drop: left(2, 0, 1, 2), begin: [0, 1, 2] }))).toBe("committed");
  });

  test("stays as it is when it is to be held, or when nothing ever served [RO7]", () => {
    const held = aRollingPlane({ rollout: aRollout({ onFailure: "hold" }) });
    held.release("v2");
    held.advance({ begin: [0] });
    held.roll({ kind: "fail", reason: "1 queued" });
    expect(held.rollout).toMatchObject({ stage: "held", to: 2, begun: [0, 1], reason: "1 queued" });
    expect(codeOf(held.advance({ begin: [1] }))).toBe("rollout-over");
  });

  test("is back when all replicas serve with the old template, and stays there [RO7] [RO6]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.advance({ begin: [0] });
    plane.roll({ kind: "fail", reason: "1 starting" });
    plane.advance({ drop: left(2, 0) });
    expect(codeOf(plane.roll({ kind: "finish" }))).toBe("committed");
    expect(plane.rollout).toMatchObject({
      stage: "rolled-back",
      to: 1,
      begun: [0, NO_END],
      old: [],
    });
    expect(plane.workload().status).toMatchObject({ templateGeneration: 2 });
    plane.want({ replicas: 4 });
    expect(codeOf(plane.send(plane.incarnationOf(1, 3)))).toBe("committed");
    expect(codeOf(plane.send(plane.incarnationOf(2, 3)))).toBe("index-not-wanted");
  });
});
