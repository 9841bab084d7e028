import { expect, it } from "vitest";
import type { CommitStep, Step, WaitStep } from "../../../src/api/explain/explanation.ts";
import { foldWaits } from "./fold-waits.ts";

const seen = { revision: 1, behind: 0 };
const time = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, "0")}:00Z`;

const wait = (from: number, to: number, of: Partial<WaitStep> = {}): WaitStep => ({
  kind: "wait",
  since: time(from),
  at: time(to),
  times: 2,
  of: "replica/shop/api.1.0",
  reason: "no-node-fits",
  decided: { controller: "place", because: { summary: `as of ${to}`, rules: [] } as never, seen },
  ...of,
});

const commit = (at: number): CommitStep => ({
  kind: "commit",
  at: time(at),
  revision: at,
  epoch: 1,
  command: "bind",
  actor: { role: "place", name: "place" },
  operation: "bind",
  what: [],
  others: 0,
  seen,
});

const told = (steps: readonly Step[]) =>
  foldWaits(steps).map((step) =>
    step.kind === "commit"
      ? `commit ${step.revision}`
      : `${step.reason} ${step.times}× ${step.since.slice(14, 16)}–${step.at.slice(14, 16)} ${step.decided.because.summary}`,
  );

it("joins waits for one cause, although others stand between them", () => {
  const other = wait(5, 6, { reason: "quota" });
  expect(told([wait(2, 4), other, wait(7, 20), wait(21, 31)])).toEqual([
    "no-node-fits 6× 02–31 as of 31",
    "quota 2× 05–06 as of 6",
  ]);
});

it("begins anew after a commit, and tells objects and controllers apart", () => {
  const elsewhere = wait(5, 6, { of: "replica/shop/api.1.1" });
  expect(told([wait(2, 4), commit(5), wait(6, 7)])).toHaveLength(3);
  expect(told([wait(2, 4), elsewhere])).toHaveLength(2);
});
