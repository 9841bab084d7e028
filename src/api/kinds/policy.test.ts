import { expect, test } from "vitest";
import { SCORINGS } from "../../core/model/objects.ts";
import { ALL_POLICIES } from "../../core/propose/policies/all-policies.ts";
import { checkObject } from "../schema/check-object.ts";
import { policyKind } from "./policy.ts";

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
