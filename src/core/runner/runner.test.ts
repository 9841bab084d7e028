import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { aRunner, RunnerBench } from "../../../test/builders/a-runner.ts";
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
const failAndRetry = (bench: RunnerBench): void => {
  bench.replied(UNAVAILABLE).later(4_000);
};

describe("the list", () => {
  test("is asked for at the start, and again when it does not come", () => {
    const bench = new RunnerBench().started();
    expect(bench.asksForList).toBe(true);
    expect(bench.later(1_999).asksForList).toBe(false);
    expect(bench.later(1).asksForList).toBe(true);
  });

  test("comes before any look, whatever the watch says", () => {
    const bench = new RunnerBench().started().watched({ revision: 11, put: [aNode()] });
    expect(bench.lookedAt).toEqual([]);
    expect(bench.runner.view.revision).toBe(0);
    bench.runner.poke(A);
    expect(bench.later(1).lookedAt).toEqual([]);
    expect(bench.listed().lookedAt).toEqual(["a-1"]);
  });

  test("that is older than the view is no list, and another is asked for soon [VW2]", () => {
    const bench = aRunner();
    bench.later(60_000);
    expect(bench.asksForList).toBe(true);
    bench.listed([], 9);
    expect(bench.runner.view.objects.node(A)).toBeDefined();
    expect(bench.later(2_000).asksForList).toBe(true);
  });

  test("and the watch dirty keys in sorted order, whatever order they came in", () => {
    const bench = aRunner(undefined, ["c-1", "a-1", "b-1"]);
    expect(bench.lookedAt).toEqual(["a-1", "b-1", "c-1"]);
    bench.watched({ revision: 11, put: ["z-1", "d-1"].map((name) => aNode({ name })) });
    expect(bench.lookedAt.slice(3)).toEqual(["d-1", "z-1"]);
  });
});

describe("a proposal", () => {
  test("is sent with the view's epoch and revision, in the controller's name [EP1]", () => {
    const bench = aRunner(insisting);
    expect(bench.sent).toMatchObject([
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
    const bench = aRunner(insisting);
    expect(bench.effects.find(({ kind }) => kind === "decision")).toMatchObject({
      record: { controller: "place-1", key: A, atMs: 0, viewRevision: 10 },
    });
  });

  test("after a reply of a later epoch carries that epoch [EP1]", () => {
    const bench = aRunner(insisting);
    const stale = aRefusal("stale-epoch");
    bench.replied({ kind: "outcome", outcome: stale, epoch: 5 }).later(100);
    expect(bench.sent[1]).toMatchObject({ request: { command: { epoch: 5 } } });
  });

  test("after a late reply of an earlier epoch keeps the later one [EP1]", () => {
    const bench = aRunner(insisting);
    bench.give({ kind: "watch", commits: [], to: 11, epoch: 7 });
    bench.replied({ kind: "outcome", outcome: aRefusal("stale-epoch"), epoch: 5 }).later(100);
    expect(bench.sent[1]).toMatchObject({ request: { command: { epoch: 7 } } });
  });

  test("of several operations is in flight until the last of them is answered [RN1]", () => {
    const bench = aRunner(() => proposing("x", "y"));
    expect(bench.said).toEqual(["command delete-x #1", "command delete-y #1"]);
    bench.outcome(aRefusal("still-in-use"), bench.sent[0]!.call);
    expect(bench.later(500).lookedAt).toEqual(["a-1"]);
    expect(bench.runner.isTracking(A)).toBe(true);
    expect(bench.runner.owed()).toEqual([]);
    bench.outcome(aRefusal("still-in-use"), bench.sent[1]!.call).later(100);
    expect(bench.lookedAt).toEqual(["a-1", "a-1"]);
  });
});

describe("a key that changes while its operations are in flight", () => {
  test("is not looked at before they are done [RN1]", () => {
    const bench = aRunner(insisting).watched({ revision: 11, put: [aNode({ revision: 11 })] });
    expect(bench.lookedAt).toEqual(["a-1"]);
    expect(bench.sent).toHaveLength(1);
  });

  test("is looked at again when they are done [RN1]", () => {
    const bench = aRunner(insisting).watched({ revision: 12, put: [aNode({ revision: 12 })] });
    bench.controller.script = () => settled;
    expect(bench.committed(11).lookedAt).toEqual(["a-1", "a-1"]);
  });

  test("is looked at again at once when they failed, for the change may be why [RN1]", () => {
    const bench = aRunner(insisting).watched({ revision: 11, put: [aNode({ revision: 11 })] });
    bench.controller.script = () => settled;
    expect(bench.outcome(aRefusal("revision-changed")).lookedAt).toEqual(["a-1", "a-1"]);
  });

  test("is looked at again although its change came as a poke from outside [RN1]", () => {
    const bench = aRunner(insisting);
    bench.runner.poke(A);
    bench.controller.script = () => settled;
    expect(bench.replied(UNAVAILABLE).lookedAt).toEqual(["a-1", "a-1"]);
  });
});

describe("no answer", () => {
  test("is neither yes nor no: the outcome is asked for under the same operation [RN2]", () => {
    const bench = aRunner(insisting);
    expect(bench.timerMs).toBe(1_000);
    bench.later(999);
    expect(bench.said).toEqual(["command delete-a-1 #1"]);
    bench.later(1);
    expect(bench.said).toEqual(["command delete-a-1 #1", "lookup delete-a-1 #1"]);
  });

  test("whose outcome is found needs no second command [RN2]", () => {
    const bench = aRunner(insisting).later(1_000);
    bench.controller.script = () => settled;
    bench.replied({
      kind: "found",
      first: { kind: "committed", revision: 11 },
      asOf: 11,
      epoch: 1,
    });
    bench.watched({ revision: 11, put: [aNode({ revision: 11 })] }).later(20_000);
    expect(bench.said).toEqual(["command delete-a-1 #1", "lookup delete-a-1 #1"]);
    expect(bench.runner.isTracking(A)).toBe(false);
  });

  test("whose outcome is not found is tried again as the same operation [RN2]", () => {
    const bench = aRunner(insisting).later(1_000);
    bench.replied({ kind: "not-found", epoch: 1 });
    expect(bench.sent).toHaveLength(2);
    bench.later(100);
    expect(bench.said[2]).toBe("command delete-a-1 #2");
  });

  test("to the question either is tried again, after a pause [RN2]", () => {
    const bench = aRunner(insisting).later(1_000).later(1_000);
    expect(bench.sent).toHaveLength(2);
    expect(bench.runner.owed()).toMatchObject([{ key: A, reason: "backing-off" }]);
    bench.later(100);
    expect(bench.said[2]).toBe("command delete-a-1 #2");
  });

  test("that comes after all is of no interest any more [RN2]", () => {
    const bench = aRunner(insisting).later(1_000);
    const late = bench.sent[0]!.call;
    bench.outcome(aRefusal("still-in-use"), late);
    expect(bench.sent).toHaveLength(2);
    expect(bench.lookedAt).toEqual(["a-1"]);
  });
});

describe("failure", () => {
  test("is followed by a pause that has a reason and a deadline [RN6]", () => {
    const bench = aRunner(insisting).replied(UNAVAILABLE);
    const [owed] = bench.runner.owed();
    expect(owed).toMatchObject({ key: A, reason: "backing-off", wakes: [objectFact(A)] });
    expect(owed?.deadlineMs).toBeGreaterThanOrEqual(50);
    expect(owed?.deadlineMs).toBeLessThanOrEqual(100);
    expect(bench.timerMs).toBe(owed?.deadlineMs);
  });

  test("counts up for the next look until something succeeds", () => {
    const bench = aRunner(insisting);
    bench.replied(UNAVAILABLE).later(100).replied(UNAVAILABLE).later(200).committed(10);
    expect(bench.controller.looks.map(({ failures }) => failures)).toEqual([0, 1, 2, 0]);
  });

  test("ends after six attempts: the key waits for the resync, with that reason [RN3]", () => {
    const bench = aRunner(insisting);
    for (let attempt = 1; attempt <= 6; attempt += 1) failAndRetry(bench);
    expect(bench.said.at(-1)).toBe("command delete-a-1 #6");
    expect(bench.sent).toHaveLength(6);
    expect(bench.runner.owed()).toMatchObject([
      {
        key: A,
        reason: "attempts-exhausted",
        wakes: [objectFact(A)],
        deadlineMs: bench.now + 30_000,
      },
    ]);
    bench.later(29_999);
    expect(bench.sent).toHaveLength(6);
    bench.later(1);
    expect(bench.said.at(-1)).toBe("command delete-a-1 #1");
  });

  test("ends after thirty seconds, however few attempts were made [RN3]", () => {
    const bench = aRunner(insisting).replied(UNAVAILABLE);
    bench.controller.script = waitingUntil(29_999);
    bench.later(100);
    bench.controller.script = insisting;
    bench.later(29_899).replied(UNAVAILABLE);
    expect(bench.said).toEqual(["command delete-a-1 #1", "command delete-a-1 #2"]);
    bench.later(200);
    expect(bench.sent).toHaveLength(2);
    expect(bench.runner.owed()).toMatchObject([{ reason: "attempts-exhausted" }]);
  });

  test("is final at thirty seconds to the millisecond [RN3]", () => {
    const bench = aRunner(insisting).replied(UNAVAILABLE);
    bench.controller.script = waitingUntil(30_000);
    bench.later(100);
    bench.controller.script = insisting;
    bench.later(29_900);
    expect(bench.said).toEqual(["command delete-a-1 #1"]);
    expect(bench.runner.owed()).toMatchObject([{ reason: "attempts-exhausted" }]);
  });

  test("of one operation does not spend the attempts of another [RN3]", () => {
    const bench = aRunner(insisting);
    for (let attempt = 1; attempt <= 6; attempt += 1) failAndRetry(bench);
    bench.controller.script = () => proposing("a-1", "other");
    bench.watched({ revision: 11, put: [aNode({ revision: 11 })] });
    expect(bench.said.at(-1)).toBe("command delete-other #1");
  });
});
