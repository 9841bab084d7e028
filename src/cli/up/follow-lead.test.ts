import { expect, test } from "vitest";
import { leadText } from "./follow-lead.ts";
import { progressLines } from "./show-progress.ts";

const leader = { name: "plane-2", url: "http://127.0.0.1:6901", epoch: 3 };

test.each([
  [leader, ["plane-1", "plane-2", "plane-3"], "plane-2 leads; plane-1, plane-3 follow"],
  [leader, ["plane-1", "plane-2"], "plane-2 leads; plane-1 follows"],
  [leader, ["plane-2"], "plane-2 leads"],
  [undefined, ["plane-1", "plane-2"], "no leader among plane-1, plane-2"],
])("who leads is said in a few words", (who, names, said) => {
  expect(leadText(who, names)).toBe(said);
});

test("who leads stands below the table, where several could, and fits on its line", () => {
  const table = { rows: [], nodes: "2 ready" };
  expect(progressLines(table, 80)).toHaveLength(2);
  const lines = progressLines(table, 24, "plane-2 leads; plane-1 follows");
  expect(lines.at(-1)).toContain("planes: plane-2 leads");
  expect(lines.at(-1)).not.toContain("follows");
});
