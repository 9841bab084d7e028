import { expect, test } from "vitest";
import type { Uid } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import { aReplica, bound, withStatus } from "../../../test/builders/check/fixtures.ts";
import { createRestartsChecker } from "./restarts.ts";

const serving = bound(aReplica(), "node-1", { stage: "serving" });
const asked = withStatus(serving, { stopping: { reason: "deleted", sinceMs: 0 } });
const withMeta = (replica: Replica, meta: Partial<Replica["meta"]>): Replica => ({
  ...replica,
  meta: { ...replica.meta, ...meta },
});
const deleted = withMeta(asked, { deletingMs: 0 });
const released = withStatus(deleted, { stage: "released", node: undefined, stopping: undefined });
const again = withStatus(released, { stage: "admitted", incarnation: 2 });
const BY_A_PERSON = { command: "delete", role: "user" } as const;

function aHarness(): CheckerHarness {
  const harness = new CheckerHarness(createRestartsChecker());
  harness.commit({ put: [serving] });
  return harness;
}

test("a person deletes a replica, and its index begins again as another object [INV190] [INV191]", () => {
  const harness = aHarness();
  harness.commit({ ...BY_A_PERSON, put: [deleted] });
  harness.commit({ command: "report", role: "agent", put: [released] });
  const other = withMeta(again, { deletingMs: undefined, uid: "u9" as Uid });
  harness.commit({ command: "admit", role: "admit", put: [other] });
  expect(harness.found).toEqual([]);
});

test.each([
  ["a controller deletes it", { command: "evict", role: "admit", put: [deleted] } as const],
  ["it is not asked to stop", { ...BY_A_PERSON, put: [withMeta(serving, { deletingMs: 0 })] }],
  ["it loses its node at once", { ...BY_A_PERSON, put: [released] }],
])("a deletion is reported when %s [INV190]", (_, commit) => {
  const harness = aHarness();
  harness.commit(commit);
  expect(harness.found.map((found) => found.split(" ")[0])).toContain("INV190");
});

test("the deleted object must not come back, and no other may change its uid [INV191]", () => {
  const harness = aHarness();
  harness.commit({ ...BY_A_PERSON, put: [deleted] });
  harness.commit({ command: "report", role: "agent", put: [released] });
  harness.commit({ command: "admit", role: "admit", put: [again] });
  const other = aHarness();
  other.commit({ command: "admit", role: "admit", put: [withMeta(serving, { uid: "u9" as Uid })] });
  expect([...harness.found, ...other.found].map((found) => found.split(" ")[0])).toEqual([
    "INV191",
    "INV191",
  ]);
});
