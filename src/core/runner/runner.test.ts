import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { aRunner, RunnerHarness } from "../../../test/builders/a-runner.ts";
import { proposing, type Script } from "../../../test/builders/a-scripted-controller.ts";
import { settled, wait } from "../protocol/decision.ts";
import { nodeKey } from "../model/ids.ts";
import { objectFact } from "../observe/facts.ts";

const A = nodeKey("a-1");
const UNAVAILABLE = { kind: "unavailable" } as const;

/** Always proposes the same one operation for a key. */
const insisting: Script = (key) => proposing(key.replace("Node//", ""));

const waitingUntil =
  (deadlineMs: number, ...wakes: readonly string[]): Script =>
  () =>
    wait({ reason: "quota-exhausted", wakes, deadlineMs, because: { summary: "the test waits" } });

/** Fails the newest request and lets the longest backoff of a first few failures pass. */
const failAndRetry = (harness: RunnerHarness): void => {
  harness.replied(UNAVAILABLE).later(4_000);
};

describe("the list", () => {
  test("is asked for at the start, and again when it does not come", () => {
    const harness = new RunnerHarness().started();
    expect(harness.asksForList).toBe(true);
    expect(harness.later(1_999).asksForList).toBe(false);
    expect(harness.later(1).asksForList).toBe(true);
  });

  test("comes before any look, whatever the watch says", () => {
    const harness = new RunnerHarness().started().watched({ revision: 11, put: [aNode()] });
    expect(harness.lookedAt).toEqual([]);
    expect(harness.runner.view.revision).toBe(0);
    harness.runner.poke(A);
    expect(harness.later(1).lookedAt).toEqual([]);
    expect(harness.listed().lookedAt).toEqual(["a-1"]);
  });

  test("that is older than the view is no list, and another is asked for soon [VW2]", () => {
    const harness = aRunner();
    harness.later(60_000);
    expect(harness.asksForList).toBe(true);
    harness.listed([], 9);
    expect(harness.runner.view.objects.node(A)).toBeDefined();
    expect(harness.later(2_000).asksForList).toBe(true);
  });

  test("and the watch dirty keys in sorted order, whatever order they came in", () => {
    const harness = aRunner(undefined, ["c-1", "a-1", "b-1"]);
    expect(harness.lookedAt).toEqual(["a-1", "b-1", "c-1"]);
    harness.watched({ revision: 11, put: ["z-1", "d-1"].map((name) => aNode({ name })) });
    expect(harness.lookedAt.slice(3)).toEqual(["d-1", "z-1"]);
  });
});

describe("a proposal", () => {
  test("is sent with the view's epoch and revision, in the controller's name [EP1]", () => {
    const harness = aRunner(insisting);
    expect(harness.sent).toMatchObject([
      {
        request: {
          kind: "command",
          attempt: 1,
          command: {
            intent: { kind: "delete", operation: "delete-a-1" },
            epoch: 1,
            basis: 10,
            actor: { role: "place", name: "place-1" },
          },
        },
      },
    ]);
  });

  test("is recorded together with the view it was decided on", () => {
    const harness = aRunner(insisting);
    expect(harness.effects.find(({ kind }) => kind === "decision")).toMatchObject({
      record: { controller: "place-1", key: A, atMs: 0, viewRevision: 10 },
    });
  });

  test("after a reply of a later epoch carries that epoch [EP1]", () => {
    const harness = aRunner(insisting);
    const stale = aRefusal("stale-epoch");
    harness.replied({ kind: "outcome", outcome: stale, epoch: 5 }).later(100);
    expect(harness.sent[1]).toMatchObject({ request: { command: { epoch: 5 } } });
  });

  test("after a late reply of an earlier epoch keeps the later one [EP1]", () => {
    const harness = aRunner(insisting);
    harness.give({ kind: "watch", commits: [], to: 11, epoch: 7 });
    harness.replied({ kind: "outcome", outcome: aRefusal("stale-epoch"), epoch: 5 }).later(100);
    expect(harness.sent[1]).toMatchObject({ request: { command: { epoch: 7 } } });
  });

  test("of several operations is in flight until the last of them is answered [RN1]", () => {
    const harness = aRunner(() => proposing("x", "y"));
    expect(harness.said).toEqual(["command delete-x #1", "command delete-y #1"]);
    harness.outcome(aRefusal("still-in-use"), harness.sent[0]!.call);
    expect(harness.later(500).lookedAt).toEqual(["a-1"]);
    expect(harness.runner.isTracking(A)).toBe(true);
    expect(harness.runner.owed()).toEqual([]);
    harness.outcome(aRefusal("still-in-use"), harness.sent[1]!.call).later(100);
    expect(harness.lookedAt).toEqual(["a-1", "a-1"]);
  });
});

describe("a key that changes while its operations are in flight", () => {
  test("is not looked at before they are done [RN1]", () => {
    const harness = aRunner(insisting).watched({ revision: 11, put: [aNode({ revision: 11 })] });
    expect(harness.lookedAt).toEqual(["a-1"]);
    expect(harness.sent).toHaveLength(1);
  });

  test("is looked at again when they are done [RN1]", () => {
    const harness = aRunner(insisting).watched({ revision: 12, put: [aNode({ revision: 12 })] });
    harness.controller.script = () => settled;
    expect(harness.committed(11).lookedAt).toEqual(["a-1", "a-1"]);
  });

  test("is looked at again at once when they failed, for the change may be why [RN1]", () => {
    const harness = aRunner(insisting).watched({ revision: 11, put: [aNode({ revision: 11 })] });
    harness.controller.script = () => settled;
    expect(harness.outcome(aRefusal("revision-changed")).lookedAt).toEqual(["a-1", "a-1"]);
  });

  test("is looked at again although its change came as a poke from outside [RN1]", () => {
    const harness = aRunner(insisting);
    harness.runner.poke(A);
    harness.controller.script = () => settled;
    expect(harness.replied(UNAVAILABLE).lookedAt).toEqual(["a-1", "a-1"]);
  });
});

describe("no answer", () => {
  test("is neither yes nor no: the outcome is asked for under the same operation [RN2]", () => {
    const harness = aRunner(insisting);
    expect(harness.timerMs).toBe(1_000);
    harness.later(999);
    expect(harness.said).toEqual(["command delete-a-1 #1"]);
    harness.later(1);
    expect(harness.said).toEqual(["command delete-a-1 #1", "lookup delete-a-1 #1"]);
  });

  test("whose outcome is found needs no second command [RN2]", () => {
    const harness = aRunner(insisting).later(1_000);
    harness.controller.script = () => settled;
    harness.replied({
      kind: "found",
      first: { kind: "committed", revision: 11 },
      asOf: 11,
      epoch: 1,
    });
    harness.watched({ revision: 11, put: [aNode({ revision: 11 })] }).later(20_000);
    expect(harness.said).toEqual(["command delete-a-1 #1", "lookup delete-a-1 #1"]);
    expect(harness.runner.isTracking(A)).toBe(false);
  });

  test("whose outcome is not found is tried again as the same operation [RN2]", () => {
    const harness = aRunner(insisting).later(1_000);
    harness.replied({ kind: "not-found", epoch: 1 });
    expect(harness.sent).toHaveLength(2);
    harness.later(100);
    expect(harness.said[2]).toBe("command delete-a-1 #2");
  });

  test("to the question either is tried again, after a pause [RN2]", () => {
    const harness = aRunner(insisting).later(1_000).later(1_000);
    expect(harness.sent).toHaveLength(2);
    expect(harness.runner.owed()).toMatchObject([{ key: A, reason: "backing-off" }]);
    harness.later(100);
    expect(harness.said[2]).toBe("command delete-a-1 #2");
  });

  test("that comes after all is of no interest any more [RN2]", () => {
    const harness = aRunner(insisting).later(1_000);
    const late = harness.sent[0]!.call;
    harness.outcome(aRefusal("still-in-use"), late);
    expect(harness.sent).toHaveLength(2);
    expect(harness.lookedAt).toEqual(["a-1"]);
  });
});

describe("failure", () => {
  test("is followed by a pause that has a reason and a deadline [RN6]", () => {
    const harness = aRunner(insisting).replied(UNAVAILABLE);
    const [owed] = harness.runner.owed();
    expect(owed).toMatchObject({ key: A, reason: "backing-off", wakes: [objectFact(A)] });
    expect(owed?.deadlineMs).toBeGreaterThanOrEqual(50);
    expect(owed?.deadlineMs).toBeLessThanOrEqual(100);
    expect(harness.timerMs).toBe(owed?.deadlineMs);
  });

  test("counts up for the next look until something succeeds", () => {
    const harness = aRunner(insisting);
    harness.replied(UNAVAILABLE).later(100).replied(UNAVAILABLE).later(200).committed(10);
    expect(harness.controller.looks.map(({ failures }) => failures)).toEqual([0, 1, 2, 0]);
  });

  test("ends after six attempts: the key waits for the resync, with that reason [RN3]", () => {
    const harness = aRunner(insisting);
    for (let attempt = 1; attempt <= 6; attempt += 1) failAndRetry(harness);
    expect(harness.said.at(-1)).toBe("command delete-a-1 #6");
    expect(harness.sent).toHaveLength(6);
    expect(harness.runner.owed()).toMatchObject([
      {
        key: A,
        reason: "attempts-exhausted",
        wakes: [objectFact(A)],
        deadlineMs: harness.now + 30_000,
      },
    ]);
    harness.later(29_999);
    expect(harness.sent).toHaveLength(6);
    harness.later(1);
    expect(harness.said.at(-1)).toBe("command delete-a-1 #1");
  });

  test("ends after thirty seconds, however few attempts were made [RN3]", () => {
    const harness = aRunner(insisting).replied(UNAVAILABLE);
    harness.controller.script = waitingUntil(29_999);
    harness.later(100);
    harness.controller.script = insisting;
    harness.later(29_899).replied(UNAVAILABLE);
    expect(harness.said).toEqual(["command delete-a-1 #1", "command delete-a-1 #2"]);
    harness.later(200);
    expect(harness.sent).toHaveLength(2);
    expect(harness.runner.owed()).toMatchObject([{ reason: "attempts-exhausted" }]);
  });

  test("is final at thirty seconds to the millisecond [RN3]", () => {
    const harness = aRunner(insisting).replied(UNAVAILABLE);
    harness.controller.script = waitingUntil(30_000);
    harness.later(100);
    harness.controller.script = insisting;
    harness.later(29_900);
    expect(harness.said).toEqual(["command delete-a-1 #1"]);
    expect(harness.runner.owed()).toMatchObject([{ reason: "attempts-exhausted" }]);
  });

  test("of one operation does not spend the attempts of another [RN3]", () => {
    const harness = aRunner(insisting);
    for (let attempt = 1; attempt <= 6; attempt += 1) failAndRetry(harness);
    harness.controller.script = () => proposing("a-1", "other");
    harness.watched({ revision: 11, put: [aNode({ revision: 11 })] });
    expect(harness.said.at(-1)).toBe("command delete-other #1");
  });
});
