import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { aRunner, type RunnerHarness } from "../../../test/builders/a-runner.ts";
import { proposing, type Script } from "../../../test/builders/a-scripted-controller.ts";
import { propose, settled, wait } from "../protocol/decision.ts";
import { nodeKey, operationId, workloadKey } from "../model/ids.ts";
import { objectFact, quotaFact } from "../observe/facts.ts";

const A = nodeKey("a-1");
const UNAVAILABLE = { kind: "unavailable" } as const;

/** Always proposes the same one operation for a key. */
const insisting: Script = (key) => proposing(key.replace("Node//", ""));

const waitingUntil =
  (deadlineMs: number, ...wakes: readonly string[]): Script =>
  () =>
    wait({ reason: "quota-exhausted", wakes, deadlineMs, because: { summary: "the test waits" } });

describe("a refusal", () => {
  const refused = aRefusal("still-in-use", { revision: 12 });

  test("is told to the next look while the view is behind it [RN4]", () => {
    const harness = aRunner(insisting).outcome(refused).later(100);
    expect(harness.controller.looks.map(({ feedback }) => feedback)).toEqual([[], [refused]]);
  });

  test("is not told any more once the view has reached its revision [RN4]", () => {
    const harness = aRunner(insisting).outcome(refused);
    harness.watched({ revision: 11, put: [aNode({ revision: 11 })] });
    expect(harness.controller.looks.at(-1)).toMatchObject({
      viewRevision: 11,
      feedback: [refused],
    });
    harness.replied(UNAVAILABLE).watched({ revision: 12, put: [aNode({ revision: 12 })] });
    expect(harness.controller.looks.at(-1)).toMatchObject({ viewRevision: 12, feedback: [] });
  });

  test("is forgotten when the key's operations succeed [RN4]", () => {
    const harness = aRunner(insisting).outcome(refused).later(100).committed(10);
    expect(harness.controller.looks.at(-1)).toMatchObject({ viewRevision: 10, feedback: [] });
  });
});

describe("looking again", () => {
  test("at every key happens every thirty seconds, though nothing seems to have changed [RN5]", () => {
    const harness = aRunner(undefined, ["b-1", "a-1"]);
    harness.later(29_999);
    expect(harness.lookedAt).toHaveLength(2);
    harness.later(1);
    expect(harness.lookedAt.slice(2)).toEqual(["a-1", "b-1"]);
    harness.later(30_000);
    expect(harness.lookedAt).toHaveLength(6);
  });

  test("leaves a waiting key to its own deadline [RN5]", () => {
    const harness = aRunner(waitingUntil(45_000));
    harness.later(30_000);
    expect(harness.lookedAt).toHaveLength(1);
    harness.later(15_000);
    expect(harness.lookedAt).toHaveLength(2);
  });

  test("with the help of a list happens every sixty seconds [RN5]", () => {
    const harness = aRunner();
    expect(harness.later(59_999).asksForList).toBe(false);
    expect(harness.later(1).asksForList).toBe(true);
  });

  test("at what a lost event had hidden happens when the list shows it [RN5]", () => {
    const harness = aRunner();
    harness.later(60_000);
    const before = harness.lookedAt.length;
    harness.listed([aNode(), aNode({ name: "b-1", revision: 11 })], 12);
    expect(harness.lookedAt.slice(before)).toEqual(["b-1"]);
  });

  test("is what the timer is set for when nothing is due before, and it is set once [RN5]", () => {
    const harness = aRunner();
    expect(harness.later(2_000).timerMs).toBe(30_000);
    expect(
      harness.watched({ revision: 11, put: [aNode({ revision: 11 })] }).timerMs,
    ).toBeUndefined();
    expect(harness.later(28_000).timerMs).toBe(60_000);
  });

  test("is spread over turns when very many keys are due", () => {
    const names = Array.from({ length: 300 }, (_, n) => `n-${n}`);
    const harness = aRunner(undefined, names);
    expect(harness.lookedAt).toHaveLength(256);
    expect(harness.timerMs).toBe(0);
    expect(harness.later(0).lookedAt).toHaveLength(300);
  });
});

describe("a wait", () => {
  test("has a reason, the facts that end it, a deadline, and the revision it was decided on [RN6]", () => {
    const harness = aRunner(waitingUntil(7_000, quotaFact("payments")));
    expect(harness.runner.owed()).toEqual([
      {
        key: A,
        reason: "quota-exhausted",
        wakes: [quotaFact("payments"), objectFact(A)],
        deadlineMs: 7_000,
        sinceRevision: 10,
      },
    ]);
    expect(harness.later(2_000).timerMs).toBe(7_000);
  });

  test("ends in the very turn in which its fact becomes true in the view [RN6]", () => {
    const harness = aRunner(waitingUntil(7_000, quotaFact("payments")));
    harness.watched({ revision: 11, put: [aQuota({}, "search")] });
    expect(harness.lookedAt).toHaveLength(1);
    harness.watched({ revision: 12, put: [aQuota({}, "payments")] });
    expect(harness.lookedAt).toHaveLength(2);
    expect(harness.controller.looks[1]).toMatchObject({ viewRevision: 12 });
  });

  test("ends by a fact that only a list brings [RN6]", () => {
    const harness = aRunner(waitingUntil(70_000, quotaFact("payments"))).later(60_000);
    harness.listed([aNode(), aQuota()], 12);
    expect(harness.lookedAt).toHaveLength(2);
  });

  test("ends when the object itself changes [RN6]", () => {
    const harness = aRunner(waitingUntil(7_000));
    harness.watched({ revision: 11, put: [aNode({ revision: 11 })] });
    expect(harness.lookedAt).toHaveLength(2);
  });

  test("ends at its deadline and not before [RN6]", () => {
    const harness = aRunner(waitingUntil(7_000)).later(6_999);
    expect(harness.lookedAt).toHaveLength(1);
    harness.controller.script = () => settled;
    harness.later(1);
    expect(harness.lookedAt).toHaveLength(2);
    expect(harness.runner.owed()).toEqual([]);
    expect(harness.runner.isTracking(A)).toBe(false);
  });

  test("of several keys ends for all of them, in sorted order", () => {
    const harness = aRunner(waitingUntil(7_000, quotaFact("payments")), ["b-1", "c-1", "a-1"]);
    harness.watched({ revision: 11, put: [aQuota()] });
    expect(harness.lookedAt.slice(3)).toEqual(["a-1", "b-1", "c-1"]);
  });
});

describe("a commit of its own", () => {
  test("keeps the key from being looked at on a view that does not show it [RN7]", () => {
    const harness = aRunner(insisting).committed(14);
    expect(harness.lookedAt).toEqual(["a-1"]);
    expect(harness.runner.owed()).toMatchObject([
      { key: A, reason: "awaiting-own-write", deadlineMs: 3_000 },
    ]);
    harness.watched({ revision: 13, put: [aNode({ revision: 13 })] });
    expect(harness.lookedAt).toEqual(["a-1"]);
  });

  test("is shown by the view at last, and the key is looked at in that turn [RN7]", () => {
    const harness = aRunner(insisting).committed(14);
    harness.controller.script = () => settled;
    harness.give({ kind: "watch", commits: [], to: 14, epoch: 1 });
    expect(harness.lookedAt).toEqual(["a-1", "a-1"]);
    expect(harness.controller.looks[1]).toMatchObject({ viewRevision: 14 });
  });

  test("is waited for also when it was learned from a duplicate or a look-up [RN7]", () => {
    const first = { kind: "committed", revision: 14 } as const;
    for (const reply of [
      { kind: "outcome", outcome: { kind: "duplicate", first, asOf: first.revision }, epoch: 1 },
      { kind: "found", first, asOf: first.revision, epoch: 1 },
    ] as const) {
      const harness = aRunner(insisting).replied(reply);
      expect(harness.runner.owed()).toMatchObject([{ reason: "awaiting-own-write" }]);
    }
  });

  test("that was made long ago is acted on only by a view as new as the answer [RN7]", () => {
    const first = { kind: "committed", revision: 5 } as const;
    for (const reply of [
      { kind: "outcome", outcome: { kind: "duplicate", first, asOf: 14 }, epoch: 1 },
      { kind: "found", first, asOf: 14, epoch: 1 },
    ] as const) {
      const harness = aRunner(insisting).replied(reply);
      expect(harness.lookedAt).toEqual(["a-1"]);
      harness.controller.script = () => settled;
      harness.give({ kind: "watch", commits: [], to: 14, epoch: 1 });
      expect(harness.lookedAt).toEqual(["a-1", "a-1"]);
    }
  });

  test("that the stream does not bring within three seconds is looked for in a list [RN7]", () => {
    const harness = aRunner(insisting).committed(14);
    expect(harness.later(2_999).asksForList).toBe(false);
    expect(harness.later(1).asksForList).toBe(true);
    harness.controller.script = () => settled;
    harness.listed([aNode()], 14);
    expect(harness.lookedAt).toEqual(["a-1", "a-1"]);
  });

  test("is waited for as far as the newest of several [RN7]", () => {
    const harness = aRunner(() => proposing("x", "y"));
    harness.committed(14, harness.sent[0]!.call).committed(12, harness.sent[1]!.call);
    harness.controller.script = () => settled;
    harness.give({ kind: "watch", commits: [], to: 13, epoch: 1 });
    expect(harness.lookedAt).toEqual(["a-1"]);
    harness.give({ kind: "watch", commits: [], to: 14, epoch: 1 });
    expect(harness.lookedAt).toEqual(["a-1", "a-1"]);
  });

  test("that the view already shows is not waited for [RN7]", () => {
    const harness = aRunner(insisting).watched({ revision: 14, put: [aNode({ revision: 14 })] });
    harness.controller.script = () => settled;
    expect(harness.committed(14).lookedAt).toEqual(["a-1", "a-1"]);
  });
});

test("a settled key is tracked no more, and one in flight or waiting is", () => {
  expect(aRunner().runner.isTracking(A)).toBe(false);
  expect(aRunner(insisting).runner.isTracking(A)).toBe(true);
  expect(aRunner(waitingUntil(9_000)).runner.isTracking(A)).toBe(true);
});

const told = (asOf: number) =>
  ({ kind: "duplicate", first: { kind: "committed", revision: 5 }, asOf }) as const;

describe("an operation that had its effect long ago, and that the view does not show", () => {
  test("is not sent again and again: a list is asked for, and the key backs off [RN9]", () => {
    const harness = aRunner(insisting).outcome(told(10));
    // Once more, now that the view is as new as the answer.
    expect(harness.sent).toHaveLength(2);
    harness.outcome(told(10));
    expect(harness.asksForList).toBe(true);
    expect(harness.sent).toHaveLength(2);
    expect(harness.runner.owed()).toMatchObject([{ reason: "backing-off" }]);
    for (let passedMs = 0; passedMs < 10_000; passedMs += 100) {
      harness.later(100);
      if (harness.sent.length > 2) harness.outcome(told(10));
    }
    expect(harness.sent.length).toBeLessThan(12);
  });

  test("is settled by the list that shows it [RN9]", () => {
    const harness = aRunner(insisting).outcome(told(10)).outcome(told(10));
    harness.controller.script = () => settled;
    harness.listed([aNode({ revision: 5, draining: true })], 11);
    expect(harness.runner.owed()).toEqual([]);
  });
});

/** A command that is as much work as a thousand binds. */
const thousand: Script = (key) => {
  const indexes = Array.from({ length: 1_024 }, (_, index) => ({ index, incarnation: 1 }));
  const workload = workloadKey("payments", key);
  const operation = operationId(`enqueue/${key}`);
  return propose([{ kind: "enqueue", operation, workload, generation: 1, indexes }], {
    summary: "the test says so",
  });
};

describe("much under way", () => {
  const names = Array.from({ length: 20 }, (_, at) => `n-${String(at).padStart(2, "0")}`);
  /** As many turns as are asked for at once. */
  const busy = (): RunnerHarness => {
    const harness = aRunner(thousand, names);
    while (harness.timerMs === 0) harness.later(0);
    return harness;
  };

  test("is asked for in turns of a thousand indexes and bindings, so that others come in between [RN11]", () => {
    const harness = aRunner(thousand, names);
    expect([harness.lookedAt.length, harness.timerMs]).toEqual([1, 0]);
    expect([harness.later(0).lookedAt.length, harness.timerMs]).toEqual([2, 0]);
  });

  test("keeps further keys waiting until some of it is answered, and none of them for ever [RN10]", () => {
    const harness = busy();
    expect(harness.lookedAt).toHaveLength(16);
    harness.later(100);
    expect(harness.lookedAt).toHaveLength(16);
    harness.outcome({ kind: "committed", revision: 11 }, harness.sent[0]!.call);
    expect(harness.lookedAt).toHaveLength(17);
  });

  test("without an answer is over with its time-out [RN10]", () => {
    const harness = busy();
    harness.later(1_000);
    // What was asked first is looked up now, which is under way like it was, until that is given up
    // as well.
    expect(harness.lookedAt).toHaveLength(16);
    harness.later(1_000);
    expect(harness.lookedAt.length).toBeGreaterThan(16);
  });
});
