import { expect, test } from "vitest";
import type { Uid } from "../../../core/model/ids.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aWorkload } from "../../../../test/builders/check/fixtures.ts";
import { createProgressChecker } from "./progress.ts";
import { STALL_MS } from "./unfinished.ts";

const owner = aWorkload();

/** What is reported of a workload that belongs to an object of this uid. */
function foundOf(uid: string): readonly string[] {
  const meta = { ...owner.meta, name: "owned", owners: [{ key: owner.key, uid: uid as Uid }] };
  const key = `Workload/${meta.namespace}/owned` as typeof owner.key;
  const harness = new CheckerHarness(createProgressChecker());
  harness.commit({ put: [owner, { ...owner, key, meta }] });
  harness.sample();
  harness.nowMs += STALL_MS + 1;
  harness.finish();
  return harness.found.filter((found) => found.startsWith("LIV81"));
}

test("an object that has lost its owners and stays is reported, and no other [LIV81]", () => {
  expect(foundOf("u0")).toEqual([
    expect.stringContaining("has lost its owners and is not deleted"),
  ]);
  expect(foundOf(owner.meta.uid)).toEqual([]);
});
