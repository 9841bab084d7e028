import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { RunnerHarness } from "../../../test/builders/a-runner.ts";
import { proposing, type Script } from "../../../test/builders/a-scripted-controller.ts";
import { settled } from "../protocol/decision.ts";

const UNAVAILABLE = { kind: "unavailable" } as const;

/** So many nodes, for each of which the same one thing is always proposed. */
const NAMES = Array.from({ length: 40 }, (_, at) => `n-${String(at).padStart(2, "0")}`);
const insisting: Script = (key) => proposing(key.replace("Node//", ""));

const manyKeys = (script: Script = insisting): RunnerHarness =>
  new RunnerHarness(script).started().listed(NAMES.map((name) => aNode({ name })));

const callsOf = (harness: RunnerHarness): readonly number[] => harness.sent.map(({ call }) => call);

/** Whoever has not been turned away yet is, one after the other, for so long. */
function turnEverythingAway(harness: RunnerHarness, forMs: number): void {
  const told = new Set<number>();
  for (let passedMs = 0; passedMs < forMs; passedMs += 100) {
    for (const call of callsOf(harness)) {
      if (told.has(call)) continue;
      told.add(call);
      harness.replied(UNAVAILABLE, call);
    }
    harness.later(100);
  }
}

const waitingFor = (harness: RunnerHarness, reason: string): number =>
  harness.runner.owed().filter((owed) => owed.reason === reason).length;

describe("a plane that answers nothing", () => {
  test("is sent every first attempt, and then few retries, however many keys there are [RN8]", () => {
    const harness = manyKeys();
    expect(harness.sent).toHaveLength(NAMES.length);
    turnEverythingAway(harness, 10_000);
    const retries = harness.sent.length - NAMES.length;
    // Ten at once, one a second, and one for each ten first attempts.
    expect(retries).toBeGreaterThanOrEqual(10);
    expect(retries).toBeLessThanOrEqual(10 + 10 + 4);
    expect(waitingFor(harness, "retry-budget")).toBeGreaterThan(0);
  });

  test("is waited for with a deadline each, and not by all at the same moment [RN6] [RN8]", () => {
    const harness = manyKeys();
    turnEverythingAway(harness, 2_000);
    const owed = harness.runner.owed().filter(({ reason }) => reason === "retry-budget");
    const deadlines = owed.map(({ deadlineMs }) => deadlineMs);
    expect(owed.length).toBeGreaterThan(10);
    expect(Math.max(...deadlines)).toBeLessThanOrEqual(harness.now + 1_500);
    expect(new Set(deadlines).size).toBeGreaterThan(3);
  });

  test("gets the retries of all when it is back: each answer lets two more through [RN8]", () => {
    const done = new Set<string>();
    const harness = manyKeys((key, ...rest) => (done.has(key) ? settled : insisting(key, ...rest)));
    turnEverythingAway(harness, 10_000);
    const answered = new Set(callsOf(harness));
    const began = harness.now;
    for (let revision = 11; done.size < NAMES.length && harness.now < began + 60_000;) {
      const open = harness.sent.filter(({ call }) => !answered.has(call));
      for (const { call, request } of open) {
        answered.add(call);
        if (request.kind === "lookup") harness.replied({ kind: "not-found", epoch: 1 }, call);
        else {
          done.add(`Node//${request.command.intent.operation.replace("delete-", "")}`);
          harness.committed(revision, call).watched({ revision });
          revision += 1;
        }
      }
      harness.later(50);
    }
    expect(done.size).toBe(NAMES.length);
    expect(harness.now - began).toBeLessThan(12_000);
  });
});

describe("a plane that answers", () => {
  test("is sent what it has refused again without any budget: it can well be spoken to [RN8]", () => {
    const harness = manyKeys();
    const refused = new Set<number>();
    for (let round = 0; round < 3; round += 1) {
      for (const call of callsOf(harness)) {
        if (refused.has(call)) continue;
        refused.add(call);
        harness.outcome(aRefusal("still-in-use"), call);
      }
      harness.later(1_000);
    }
    expect(harness.sent.length).toBe(4 * NAMES.length);
    expect(waitingFor(harness, "retry-budget")).toBe(0);
  });

  test("to some of a round is sent the rest as retries, and what is new as first attempts [RN8]", () => {
    let more: readonly string[] = [];
    const harness = new RunnerHarness(() => proposing("x", "y", ...more)).started().listed();
    harness.outcome(aRefusal("still-in-use"), harness.sent[0]!.call);
    more = NAMES;
    harness.replied(UNAVAILABLE, harness.sent[1]!.call).later(200);
    // Two of the first round, both again, and forty that were never sent before.
    expect(harness.sent).toHaveLength(2 + 2 + NAMES.length);
  });
});
