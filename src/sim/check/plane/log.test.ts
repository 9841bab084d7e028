import { expect, test } from "vitest";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aLease, aQuota } from "../../../../test/builders/check/fixtures.ts";
import { createLogChecker } from "./log.ts";

/** A harness whose first epoch is open. */
function newHarness(): CheckerHarness {
  const harness = new CheckerHarness(createLogChecker());
  harness.commit({ command: "lead", operation: "lead/1", epoch: 1 });
  return harness;
}

test("a log of two leaderships with renewals in order is fine [INV10]", () => {
  const harness = newHarness();
  harness.commit({ put: [aQuota()] });
  harness.commit({ command: "lease", operation: "lease/node-1", put: [aLease()] });
  harness.commit({
    command: "lease",
    operation: "lease/node-1",
    put: [aLease("node-1", { seq: 2 })],
  });
  harness.commit({ command: "lead", operation: "lead/2", epoch: 2 });
  harness.commit({ command: "lease", epoch: 2, put: [aLease("node-1", { session: 2, seq: 1 })] });
  harness.commit({ command: "delete", epoch: 2, remove: [aLease().key] });
  harness.commit({ command: "lease", epoch: 2, put: [aLease("node-1", { session: 1, seq: 1 })] });
  expect(harness.found).toEqual([]);
});

test("a revision that is left out is reported [INV10]", () => {
  const harness = newHarness();
  harness.commit({ revision: 3 });
  expect(harness.found).toEqual(["INV10 Revision 3 follows revision 1."]);
});

test("a commit of a deposed leader is reported [INV10]", () => {
  const harness = newHarness();
  harness.commit({ command: "lead", epoch: 3 });
  harness.commit({ epoch: 1, operation: "late" });
  harness.commit({ command: "lead", epoch: 2 });
  expect(harness.found).toEqual([
    "INV10 put late was committed under epoch 1 in epoch 3.",
    "INV10 Epoch 2 was opened after epoch 3.",
  ]);
});

test("an operation with two effects is reported [INV10]", () => {
  const harness = newHarness();
  harness.commit({ command: "bind", operation: "bind/api.1.0" });
  harness.commit({ command: "bind", operation: "bind/api.1.0" });
  expect(harness.found).toEqual([
    "INV10 bind bind/api.1.0 took effect at revision 2 and again at 3.",
  ]);
});

test("a renewal that is not newer than the last is reported [INV10]", () => {
  const harness = newHarness();
  harness.commit({ command: "lease", put: [aLease("node-1", { seq: 4 })] });
  harness.commit({ command: "lease", put: [aLease("node-1", { seq: 4 })] });
  expect(harness.found).toEqual(["INV10 Lease//node-1 went from renewal 1.4 to 1.4."]);
});

test("a change that starts from another value than the last is reported [INV10]", () => {
  const harness = newHarness();
  harness.commit({ put: [aQuota()] });
  const stale = harness.objects.get(aQuota().key);
  harness.commit({ put: [aQuota()] });
  const after = { ...aQuota(), meta: { ...aQuota().meta, revision: 4 } };
  harness.commit({ operation: "blind", changes: [{ key: after.key, before: stale, after }] });
  expect(harness.found).toEqual([
    "INV10 put blind changed Quota/payments/default from the value of revision 2; it was the value of revision 3.",
  ]);
});

test("an object that names another revision than its commit is reported [INV10]", () => {
  const harness = newHarness();
  harness.commit({ changes: [{ key: aQuota().key, before: undefined, after: aQuota() }] });
  expect(harness.found).toEqual([
    "INV10 Quota/payments/default says revision 0 and was written at 2.",
  ]);
});

test("the opening of an epoch that changes something is reported [INV10]", () => {
  const harness = newHarness();
  harness.commit({ command: "lead", epoch: 2, put: [aQuota()] });
  expect(harness.found).toEqual(["INV10 The opening of epoch 2 changed Quota/payments/default."]);
});
