import { describe, expect, test } from "vitest";
import { aPolicy as aPolicyObject, aRevision } from "../../../test/builders/a-policy.ts";
import { SCORINGS } from "../../core/model/policy.ts";
import { ALL_POLICIES } from "../../core/propose/policies/all-policies.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { toApiObject } from "../metadata.ts";
import { checkObject } from "../schema/check-object.ts";
import { policyKind } from "./policy.ts";
import { policyRevisionKind } from "./policy-revision.ts";

const aPolicy = (scoring: unknown): object => ({
  apiVersion: "berth.dev/v1",
  kind: "Policy",
  metadata: { name: "default" },
  spec: { scoring },
});

test.each(SCORINGS)(
  "a policy may score by %s, and there is a way of scoring by that name",
  (scoring) => {
    expect(checkObject(policyKind, aPolicy(scoring)).mistakes).toEqual([]);
    expect(policyKind.toDesired({ scoring })).toEqual({ kind: "Policy", spec: { scoring } });
    expect(ALL_POLICIES[scoring]().name).toBe(scoring);
  },
);

test("a way of scoring that there is not is a mistake that names those there are", () => {
  const [mistake] = checkObject(policyKind, aPolicy("worst-fit")).mistakes;
  expect(mistake).toMatchObject({ field: "spec.scoring" });
  expect(mistake?.message).toContain("fragmentation");
});

test("a policy that points to a revision reads back what was written, its stages in order [PY4]", () => {
  const stages = [
    { region: "us", revision: "r-3" },
    { region: "eu", revision: "r-2" },
  ];
  const desired = policyKind.toDesired({ active: "r-1", stages });
  const spec = { active: "r-1", stages: stages.toReversed() };
  expect(desired).toEqual({ kind: "Policy", spec });
  const history = [{ by: "ana", atMs: 0, from: "", to: "r-1", reason: "first" }];
  const plan = { bindings: "drain", reservations: "preserve" } as const;
  const left = [{ revision: "r-9", region: "eu", plan }];
  const shown = toApiObject(policyKind, aPolicyObject(spec, { history, left }), new ObjectIndex());
  expect(checkObject(policyKind, shown).mistakes).toEqual([]);
  expect(shown).toMatchObject({
    spec,
    status: {
      history: [{ by: "ana", time: "1970-01-01T00:00:00.000Z", to: "r-1" }],
      left: [{ revision: "r-9", region: "eu", bindings: "drain" }],
    },
  });
});

test("scoring beside a revision, and stages without one, are mistakes that say what to leave out", () => {
  expect(policyKind.toDesired({ active: "r-1", scoring: "best-fit" })).toEqual([
    expect.objectContaining({ field: "spec.scoring" }),
  ]);
  expect(policyKind.toDesired({ stages: [{ region: "eu", revision: "r-1" }] })).toEqual([
    expect.objectContaining({ field: "spec.stages" }),
  ]);
});

describe("a policy revision", () => {
  const written = {
    scoring: "spread-out",
    preemption: { never: ["batch"], apart: [["base", "web"]] },
    spread: [{ by: "zone", maxSkew: 2, soft: true }],
    health: { suspectAfter: "9s", unknownAfter: "16s" },
    retries: { attempts: 3, backoffFirst: "200ms", backoffMost: "20s" },
    autoscaling: { minReplicas: 1, maxReplicas: 9, stepMost: 2, stabilization: "5m" },
    onRollback: { bindings: "repair", reservations: "drain" },
  };

  test("reads back what was written [PY1]", () => {
    const desired = policyRevisionKind.toDesired(written);
    if (!("kind" in desired) || desired.kind !== "PolicyRevision") throw new Error("no revision");
    const object = aRevision("r-1", desired.spec);
    const shown = toApiObject(policyRevisionKind, object, new ObjectIndex());
    expect(shown.spec).toEqual(written);
    expect(shown.status).toEqual({ madeAt: 1 });
    expect(checkObject(policyRevisionKind, shown).mistakes).toEqual([]);
    expect(policyRevisionKind.toDesired({ scoring: "best-fit" })).toEqual({
      kind: "PolicyRevision",
      spec: { scoring: "best-fit" },
    });
  });

  test("names the bound that a duration is outside of [PY2]", () => {
    const health = { suspectAfter: "1s", unknownAfter: "10s" };
    expect(policyRevisionKind.toDesired({ ...written, health })).toEqual([
      {
        field: "spec.health.suspectAfter",
        message: expect.stringContaining("from 6000ms to 18500ms"),
      },
      { field: "spec.health.unknownAfter", message: expect.stringContaining("from 15000ms") },
    ]);
  });

  test("says in its table where it is in force [PY4]", () => {
    const objects = new ObjectIndex();
    const policy = aPolicyObject({ active: "r-1", stages: [{ region: "eu", revision: "r-2" }] });
    objects.fold({ key: policy.key, before: undefined, after: policy });
    const cells = (name: string) =>
      policyRevisionKind.columns.slice(0, 4).map((each) => each.cell(aRevision(name), objects));
    expect(cells("r-1")).toEqual(["best-fit", "", "preserve/preserve", "default"]);
    expect(cells("r-2")[3]).toBe("default/eu");
  });
});
