import { expect, test } from "vitest";
import type { Reply } from "../../../core/protocol/outcome.ts";
import { Ledger } from "../../../core/commit/ledger.ts";
import type { PlaneState } from "../checker.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { createLeadershipChecker } from "./leadership.ts";

const harness = (): CheckerHarness => {
  const made = new CheckerHarness(createLeadershipChecker(), { planes: 2, faultsUntilMs: 0 });
  made.checker.claimed?.("plane-1", 1, made, made.report);
  return made;
};

const claim = (on: CheckerHarness, plane: string, epoch: number): void =>
  on.checker.claimed?.(plane, epoch, on, on.report);

const answer = (on: CheckerHarness, plane: string, reply: Reply): readonly string[] => {
  on.checker.answered?.(plane, reply, on, on.report);
  return on.found;
};

const aPlane = (of: Partial<PlaneState> = {}): PlaneState => ({
  name: "plane-1",
  isLeading: true,
  epoch: 1,
  ledger: new Ledger(),
  ...of,
});

const committed = (revision: number): Reply => ({
  kind: "outcome",
  outcome: { kind: "committed", revision },
  epoch: 1,
});

test("a commit of the leadership that was given last is in order [INV120]", () => {
  const log = harness();
  log.commit({ command: "lead", epoch: 1 });
  claim(log, "plane-2", 2);
  log.commit({ command: "lead", epoch: 2 });
  expect(log.found).toEqual([]);
});

test("a commit that lands after another plane was given the log is found [INV120]", () => {
  const log = harness();
  claim(log, "plane-2", 2);
  log.commit({ command: "put", epoch: 1 });
  expect(log.found).toMatchObject([
    expect.stringMatching(
      /^INV120 .* of epoch 1 landed after plane-2 was given the log under epoch 2\.$/,
    ),
  ]);
});

test("an epoch that was given before is found [INV120]", () => {
  const log = harness();
  claim(log, "plane-2", 1);
  expect(log.found).toEqual(["INV120 plane-2 was given the log under epoch 1 after epoch 1."]);
});

test("the last plane that was given the log may answer, and every other may say that it does not lead [INV121]", () => {
  const log = harness();
  answer(log, "plane-1", { kind: "not-found", epoch: 1 });
  answer(log, "plane-2", { kind: "unavailable" });
  expect(log.found).toEqual([]);
});

test.each([
  { plane: "plane-1", epoch: 1, title: "of the one before [INV121]" },
  { plane: "plane-3", epoch: 2, title: "of a standby that has followed so far [INV121]" },
])("an answer $title is found", ({ plane, epoch }) => {
  const log = harness();
  claim(log, "plane-2", 2);
  expect(answer(log, plane, { kind: "not-found", epoch })).toEqual([
    `INV121 ${plane} answered not-found under epoch ${epoch}; plane-2 was given the log under epoch 2.`,
  ]);
});

test("an answer on what is not in the log yet is found, and so is showing it [INV125]", () => {
  const log = harness();
  log.commit({ command: "lead", epoch: 1 });
  expect(answer(log, "plane-1", committed(1))).toEqual([]);
  answer(log, "plane-1", committed(2));
  log.checker.shown?.("plane-1", 2, log, log.report);
  expect(log.found).toEqual([
    "INV125 plane-1 answered outcome as of revision 2; the log ends at 1.",
    "INV125 plane-1 showed revision 2; the log ends at 1.",
  ]);
});

test("a healed world without a leader for long is found; one that is led again in time is not [LIV50]", () => {
  const log = harness();
  const sampleAt = (nowMs: number, ...planes: PlaneState[]): void => {
    log.nowMs = nowMs;
    log.everyPlane = planes;
    log.checker.sampled?.(log, log.report);
  };
  sampleAt(0, aPlane({ isLeading: false }));
  sampleAt(10_000, aPlane({ isLeading: false }));
  sampleAt(15_000, aPlane());
  // It believes that it leads, but another was given the log since.
  claim(log, "plane-2", 2);
  sampleAt(20_000, aPlane());
  expect(log.found).toEqual([]);
  sampleAt(35_000, aPlane());
  expect(log.found).toEqual(["LIV50 No plane has led for 15000 ms."]);
});
