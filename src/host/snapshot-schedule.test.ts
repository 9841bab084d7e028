import { expect, test } from "vitest";
import type { Commit } from "../core/protocol/commit-record.ts";
import { SnapshotSchedule } from "./snapshot-schedule.ts";

const commits = (count: number, changes: number): readonly Commit[] =>
  Array.from(
    { length: count },
    () => ({ changes: Array.from({ length: changes }) }) as unknown as Commit,
  );

test("a snapshot is due after fifty thousand changes, however few commits made them", () => {
  const pace = new SnapshotSchedule();
  pace.note(commits(48, 1_024));
  expect(pace.isDue(10)).toBe(false);
  pace.note(commits(1, 1_024));
  expect(pace.isDue(10)).toBe(true);
});

test("a large state is written again only after as many changes as it has objects", () => {
  const pace = new SnapshotSchedule();
  pace.note(commits(100, 1_000));
  expect(pace.isDue(100_001)).toBe(false);
  pace.note(commits(1, 1));
  expect(pace.isDue(100_001)).toBe(true);
});

test("commits that change nothing count, too: a restart reads them", () => {
  const pace = new SnapshotSchedule();
  pace.note(commits(50_000, 0));
  expect(pace.isDue(0)).toBe(true);
  pace.begin([]);
  expect(pace.isDue(0)).toBe(false);
});
