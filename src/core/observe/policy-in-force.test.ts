import { describe, expect, test } from "vitest";
import { aPolicy, aRevision } from "../../../test/builders/a-policy.ts";
import { aTemplate } from "../../../test/builders/a-template.ts";
import type { AnyObject } from "../model/objects.ts";
import { ObjectIndex } from "./object-index.ts";
import {
  BUILT_IN,
  policyInForce,
  revisionInForce,
  rulesInForce,
  spreadInForce,
} from "./policy-in-force.ts";

function indexOf(...objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  return index;
}

const byZone = [{ by: "zone", maxSkew: 1 }];
const staged = indexOf(
  aRevision("r-1", { scoring: "spread-out" }),
  aRevision("r-2", { spread: byZone }),
  aPolicy({ active: "r-1", stages: [{ region: "eu", revision: "r-2" }] }),
  aPolicy({ scoring: "best-fit" }, {}, "old"),
);

describe("the policy in force", () => {
  test("is what the pointer names for the region, and otherwise what is active [PY6]", () => {
    expect(revisionInForce(staged, {}, "eu")).toBe("r-2");
    expect(revisionInForce(staged, {}, "us")).toBe("r-1");
    expect(revisionInForce(staged, {}, undefined)).toBe("r-1");
    expect(policyInForce(staged, {}, "us")).toMatchObject({
      policy: "default",
      revision: "r-1",
      rules: { scoring: "spread-out" },
    });
  });

  test("has no name where a policy scores by itself, or where there is none [PY6]", () => {
    expect(policyInForce(staged, { policy: "old" }, "eu")).toMatchObject({
      revision: undefined,
      rules: { scoring: "best-fit" },
    });
    expect(policyInForce(staged, { policy: "none" }, "eu")).toMatchObject({
      generation: 0,
      rules: BUILT_IN,
    });
    expect(rulesInForce(indexOf(), {}, "eu")).toBe(BUILT_IN);
    expect(revisionInForce(indexOf(), {}, "eu")).toBeUndefined();
  });

  test("spreads what declares no spread, by its only region or by what is active [PY6]", () => {
    expect(spreadInForce(staged, aTemplate())).toEqual([]);
    expect(spreadInForce(staged, aTemplate({ regions: ["eu"] }))).toEqual(byZone);
    expect(spreadInForce(staged, aTemplate({ regions: ["eu", "us"] }))).toEqual([]);
    const own = [{ by: "node", maxSkew: 2 }];
    expect(spreadInForce(staged, aTemplate({ regions: ["eu"], spread: own }))).toBe(own);
  });
});
