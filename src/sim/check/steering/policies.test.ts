import { describe, expect, test } from "vitest";
import { aPolicy as policyWith, aRevision } from "../../../../test/builders/a-policy.ts";
import { policyRevisionKey } from "../../../core/model/ids.ts";
import type { Policy, Replica } from "../../../core/model/objects.ts";
import type { Activation, PolicyRules, PolicySpec } from "../../../core/model/policy.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aNode,
  aReplica,
  aWorkload,
  bound,
  withStatus,
} from "../../../../test/builders/check/fixtures.ts";
import { createPoliciesChecker } from "./policies.ts";
import { createProgressChecker } from "../liveness/progress.ts";
import { STALL_MS } from "../liveness/unfinished.ts";

const aPolicy = (spec: PolicySpec, last: Partial<Activation> = {}): Policy =>
  policyWith(spec, {
    history: [{ by: "harness", atMs: 0, from: "", to: "", reason: "", ...last }],
  });

const DRAIN: Partial<PolicyRules> = { onRollback: { bindings: "drain", reservations: "drain" } };

/** r-1 was made before r-2, and r-1 is in force. */
function begun(checker = createPoliciesChecker(), second: Partial<PolicyRules> = DRAIN) {
  const harness = new CheckerHarness(checker);
  harness.commit({ put: [aNode(), aWorkload({ spec: { replicas: 3 } }), aRevision("r-1")] });
  harness.commit({ put: [aRevision("r-2", second)] });
  harness.commit({ put: [aPolicy({ active: "r-1" })] });
  return harness;
}

function activate(harness: CheckerHarness, from: string, to: string, region?: string): void {
  const place = region === undefined ? {} : { region };
  const spec =
    region === undefined ? { active: to } : { active: from, stages: [{ region, revision: to }] };
  harness.commit({
    command: "activate",
    role: "user",
    put: [aPolicy(spec, { from, to, ...place })],
  });
}

const of = (index: number, revision?: string): Replica =>
  bound(aReplica({ spec: { index } }), "node-1", {
    stage: "serving",
    policyRevision: revision,
  });

const leaving = (replica: Replica): Replica =>
  withStatus(replica, { stopping: { reason: "policy", sinceMs: 0 } });

describe("revisions and pointers", () => {
  test("a revision that changes, or goes while something names it, is reported [INV140]", () => {
    const harness = begun();
    harness.commit({ put: [aRevision("r-1")] });
    expect(harness.found).toEqual([]);
    harness.commit({ put: [aRevision("r-1", { scoring: "spread-out" })] });
    harness.commit({ remove: [policyRevisionKey("r-1")] });
    expect(harness.found).toEqual([
      "INV140 PolicyRevision//r-1 has changed since it was made.",
      "INV140 PolicyRevision//r-1 is gone, and a pointer names it.",
    ]);
    const other = begun();
    other.commit({ put: [of(0, "r-2")] });
    other.commit({ remove: [policyRevisionKey("r-2")] });
    expect(other.found).toEqual([expect.stringMatching(/^INV140 .*Replica.* names it/)]);
  });

  test("a pointer that moves without an activation that says so is reported [INV142]", () => {
    const harness = begun();
    activate(harness, "r-1", "r-2");
    activate(harness, "r-2", "r-1", "eu");
    expect(harness.found).toEqual([]);
    harness.commit({ command: "put", put: [aPolicy({ active: "r-1" })] });
    harness.commit({ command: "put", put: [aPolicy({ active: "r-9", scoring: "best-fit" })] });
    expect(harness.found.map((each) => each.slice(0, 45))).toEqual([
      "INV142 Policy//default moved by put from r-2 ",
      "INV142 Policy//default points to r-9, which i",
      "INV142 Policy//default has two ways of scorin",
      "INV142 Policy//default moved by put from r-1 ",
    ]);
  });
});

/** Binds three under the revision, asks one of them to move, and tells what is found. */
const evict = (harness: CheckerHarness, revision: string): string[] => {
  for (const index of [0, 1, 2]) harness.commit({ put: [of(index, revision)] });
  harness.commit({ command: "evict", role: "unwind-policy", put: [leaving(of(0, revision))] });
  return harness.found.map((each) => each.slice(0, 6));
};

describe("bindings", () => {
  test("one that does not name what was in force in its region is reported [INV141]", () => {
    const harness = begun();
    const bind = (index: number, revision?: string) =>
      harness.commit({
        command: "bind",
        put: [withStatus(of(index, revision), { stage: "bound" })],
      });
    bind(0, "r-1");
    activate(harness, "r-1", "r-2", "eu");
    bind(1, "r-2");
    expect(harness.found).toEqual([]);
    bind(2, "r-1");
    bind(3);
    expect(harness.found).toEqual([
      "INV141 Replica/payments/api.1.2 was bound in eu under r-1, and r-2 is in force there.",
      "INV141 Replica/payments/api.1.3 was bound in eu under none, and r-2 is in force there.",
    ]);
  });

  test("one that is moved without a rollback, or against its plan, is reported [INV143]", () => {
    const drained = begun();
    activate(drained, "r-1", "r-2");
    activate(drained, "r-2", "r-1");
    expect(evict(drained, "r-2")).toEqual([]);
    const inForce = begun();
    activate(inForce, "r-1", "r-2");
    expect(evict(inForce, "r-2")).toEqual(["INV143"]);
    const onward = begun();
    activate(onward, "r-1", "r-2");
    expect(evict(onward, "r-1")).toEqual(["INV143"]);
    const preserved = begun(createPoliciesChecker(), {});
    activate(preserved, "r-1", "r-2");
    activate(preserved, "r-2", "r-1");
    expect(evict(preserved, "r-2")).toEqual(["INV143"]);
  });

  test("a rollback that takes two of three out of serving is reported [INV144]", () => {
    const harness = begun();
    activate(harness, "r-1", "r-2");
    for (const index of [0, 1, 2]) harness.commit({ put: [of(index, "r-2")] });
    activate(harness, "r-2", "r-1");
    harness.commit({ command: "evict", put: [leaving(of(0, "r-2"))] });
    expect(harness.found).toEqual([]);
    harness.commit({ command: "evict", put: [leaving(of(1, "r-2"))] });
    expect(harness.found).toEqual([
      "INV144 After a rollback has moved one, 2 of Workload/payments/api are out of serving, of which 1 may be.",
    ]);
  });

  test("what is to be drained and stays for long in a healed world is reported [LIV58]", () => {
    const harness = begun(createProgressChecker());
    activate(harness, "r-1", "r-2");
    for (const index of [0, 1, 2]) harness.commit({ put: [of(index, "r-2")] });
    activate(harness, "r-2", "r-1");
    harness.nowMs = harness.world.faultsUntilMs;
    harness.sample();
    harness.nowMs += STALL_MS;
    harness.finish();
    expect(harness.found[0]).toMatch(/^LIV58 Replica\/payments\/api.1.0 is still bound under r-2/);
  });
});
