import * as fc from "fast-check";
import { expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { anyNodeSpec } from "../../../test/builders/specs/any-node-spec.ts";
import {
  anyAmount,
  anyName,
  anyWord,
  plain,
  someOf,
} from "../../../test/builders/specs/any-value.ts";
import { anyWorkloadSpec } from "../../../test/builders/specs/any-workload-spec.ts";
import type { Desired } from "../../core/protocol/command.ts";
import { type Kind, keyOf } from "../../core/model/ids.ts";
import type { AnyObject, QuotaSpec } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { toApiObject } from "../metadata.ts";
import { checkObject } from "../schema/check-object.ts";
import { kindByName } from "./all-kinds.ts";

const STATUS: Partial<Record<Kind, unknown>> = {
  RecoveryBudget: { owner: "ana", sinceMs: 0, untilMs: 1, extensions: 0 },
  Node: { health: "ready", healthSinceMs: 0, session: 1, evidence: undefined },
  Workload: { templateGeneration: 1 },
};

/** Through JSON, as a client would send back what it has read. */
function sentBack(desired: Desired): Desired | readonly unknown[] {
  const kind = kindByName(desired.kind)!;
  const key = keyOf({
    kind: desired.kind,
    namespace: kind.isNamespaced ? "t" : "",
    name: desired.kind === "Quota" ? "default" : "x",
  });
  const object = { ...desired, key, meta: aMeta(key), status: STATUS[desired.kind] ?? {} };
  const shown = toApiObject(kind, object as AnyObject, new ObjectIndex());
  const read = JSON.parse(JSON.stringify(shown)) as { spec: unknown };
  expect(checkObject(kind, read)).toEqual({ unknownFields: [], mistakes: [] });
  return kind.toDesired(read.spec);
}

test("property: a workload that is read and sent back is the same desired state", () => {
  fc.assert(
    fc.property(plain(anyWorkloadSpec), (spec) => {
      expect(sentBack({ kind: "Workload", spec })).toStrictEqual({ kind: "Workload", spec });
    }),
  );
});

test("property: a node that is read and sent back is the same node", () => {
  fc.assert(
    fc.property(plain(anyNodeSpec), (spec) => {
      expect(sentBack({ kind: "Node", spec })).toStrictEqual({ kind: "Node", spec });
    }),
  );
});

test("property: a quota that is read and sent back is the same, limit, group and parts", () => {
  const some = fc.record({
    cpuMillis: anyAmount,
    memoryMiB: anyAmount,
    deviceMillis: fc.nat(1_000_000_000),
  });
  const parts = fc.dictionary(anyName, some, { noNullPrototype: true, maxKeys: 3 });
  const alone = {
    limit: some,
    regions: parts,
    classes: parts,
    weight: fc.integer({ min: 1, max: 1_000_000 }),
    shrink: fc.constantFrom("wait" as const, "drain" as const),
  };
  const spec: fc.Arbitrary<QuotaSpec> = fc.oneof(
    fc.record(alone, { requiredKeys: ["limit"] }),
    fc.record({ ...alone, group: anyName, borrow: some }, { requiredKeys: ["limit", "group"] }),
  );
  fc.assert(
    fc.property(plain(spec), (each) => {
      const quota: Desired = { kind: "Quota", spec: each };
      expect(sentBack(quota)).toStrictEqual(quota);
    }),
  );
});

test("property: budgets, and policy revisions that grant them, are the same when they are read and sent back", () => {
  const some = fc
    .tuple(anyAmount, anyAmount, fc.nat(1_000_000))
    .map(([cpuMillis, memoryMiB, deviceMillis]) => ({ cpuMillis, memoryMiB, deviceMillis }));
  const names = fc
    .uniqueArray(anyName, { minLength: 1, maxLength: 4 })
    .map((list) => list.toSorted());
  const granted = {
    region: anyName,
    amounts: some,
    tenants: names,
    classes: names,
    ttlMs: fc.integer({ min: 1_000, max: 604_800_000 }),
  };
  const needed = ["region", "amounts", "ttlMs"] as const;
  const budget = fc.record(
    { ...granted, reason: anyWord },
    { requiredKeys: [...needed, "reason"] },
  );
  const recovery = fc.record(
    {
      fairnessWindowMs: fc.integer({ min: 1_000, max: 3_600_000 }),
      grants: someOf(fc.record(granted, { requiredKeys: [...needed] })),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(plain(budget), plain(recovery), (spec, rules) => {
      expect(sentBack({ kind: "RecoveryBudget", spec })).toStrictEqual({
        kind: "RecoveryBudget",
        spec,
      });
      // The API refuses a grant beyond the budget ceiling, which is no subject here.
      const reserve = { cpuMillis: 2 ** 40, memoryMiB: 2 ** 40, deviceMillis: 1_000_000 };
      const revision: Desired = {
        kind: "PolicyRevision",
        spec: { scoring: "best-fit", recovery: { ...rules, reserve } },
      };
      expect(sentBack(revision)).toStrictEqual(revision);
    }),
  );
});

test("property: regions, tenants and priority classes that are read and sent back are the same", () => {
  const desired: fc.Arbitrary<Desired> = fc.oneof(
    fc.record({
      kind: fc.constant("Region" as const),
      spec: fc.record({ zones: fc.uniqueArray(anyName, { maxLength: 4 }) }),
    }),
    fc.record({
      kind: fc.constant("Tenant" as const),
      spec: fc.record({ displayName: fc.string() }),
    }),
    fc.record({
      kind: fc.constant("PriorityClass" as const),
      spec: fc.record(
        {
          value: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
          preempts: fc.constantFrom("lower" as const, "never" as const),
          band: fc.string(),
          preemptible: fc.boolean(),
        },
        { requiredKeys: ["value"] },
      ),
    }),
  );
  fc.assert(
    fc.property(plain(desired), (each) => {
      expect(sentBack(each)).toStrictEqual(each);
    }),
  );
});
