import { expect, test } from "vitest";
import type { Uid } from "../../core/model/ids.ts";
import type { Workload } from "../../core/model/objects.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import { aWorkload } from "../../../test/builders/check/fixtures.ts";
import { createOwnersChecker } from "./owners.ts";

const named = (name: string, uid: string, owners: Workload["meta"]["owners"] = []): Workload => {
  const workload = aWorkload();
  const key = `Workload/${workload.meta.namespace}/${name}` as Workload["key"];
  return { ...workload, key, meta: { ...workload.meta, name, uid: uid as Uid, owners } };
};

const owner = named("owner", "u1");
const owned = named("owned", "u2", [{ key: owner.key, uid: owner.meta.uid }]);
const BY_COLLECTOR = { command: "delete", role: "collect-owned" } as const;

function aHarness(): CheckerHarness {
  const harness = new CheckerHarness(createOwnersChecker());
  harness.commit({ put: [owner] });
  harness.commit({ put: [owned] });
  return harness;
}

const rules = (harness: CheckerHarness): readonly (string | undefined)[] =>
  harness.found.map((found) => found.split(" ")[0]);

test("what has lost its owner is collected, although a namesake exists [INV193]", () => {
  const harness = aHarness();
  harness.commit({ command: "delete", role: "user", remove: [owner.key] });
  harness.commit({ put: [named("owner", "u3")] });
  harness.commit({ ...BY_COLLECTOR, remove: [owned.key] });
  expect(harness.found).toEqual([]);
});

test("what is collected while its owner exists is reported, also if it is only marked [INV193]", () => {
  const harness = aHarness();
  harness.commit({ ...BY_COLLECTOR, remove: [owned.key] });
  const marked = aHarness();
  const deleted = { ...owned, meta: { ...owned.meta, deletingMs: 1 } };
  marked.commit({ ...BY_COLLECTOR, put: [deleted] });
  expect([rules(harness), rules(marked)]).toEqual([["INV193"], ["INV193"]]);
});

test("what is collected without ever having had an owner is reported [INV193]", () => {
  const harness = aHarness();
  harness.commit({ ...BY_COLLECTOR, remove: [owner.key] });
  expect(rules(harness)).toEqual(["INV193"]);
});
