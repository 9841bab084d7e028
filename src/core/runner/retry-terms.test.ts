import { expect, test } from "vitest";
import { aPolicy, aRevision } from "../../../test/builders/a-policy.ts";
import { operationId, type ObjectKey } from "../model/ids.ts";
import type { RetryTerms } from "../model/policy.ts";
import { ObjectIndex } from "../observe/object-index.ts";
import { backoffMs } from "./limits.ts";
import { Operations } from "./operations.ts";
import { retryTermsOf, withPolicies } from "./retry-terms.ts";

test("retries follow the default policy wherever no stage is, and what is built in without one [PY6]", () => {
  const objects = new ObjectIndex();
  expect(retryTermsOf({ objects })).toEqual({});
  const retries = { attempts: 2, backoffFirstMs: 1_000 };
  const stages = [{ region: "eu", revision: "r-1" }];
  for (const after of [
    aRevision("r-1"),
    aRevision("r-2", { retries }),
    aPolicy({ active: "r-2", stages }),
  ]) {
    objects.fold({ key: after.key, before: undefined, after });
  }
  expect(retryTermsOf({ objects })).toEqual(retries);
});

test("an operation is spent after as many attempts as the terms of the moment allow [PY6] [RN3]", () => {
  let terms: RetryTerms = { attempts: 2 };
  const operations = new Operations(() => terms);
  const key = "Workload/shop/api" as ObjectKey;
  const operation = operationId("x");
  operations.spend(key, operation, 0);
  expect(operations.isSpent(key, operation, 1)).toBe(false);
  operations.spend(key, operation, 1);
  expect(operations.isSpent(key, operation, 2)).toBe(true);
  terms = {};
  expect(operations.isSpent(key, operation, 2)).toBe(false);
});

test("pauses begin and end where the terms say [PY6]", () => {
  const terms = { backoffFirstMs: 1_000, backoffMostMs: 4_000 };
  expect([1, 2, 3, 9].map((failures) => backoffMs(failures, 0, terms))).toEqual([
    500, 1_000, 2_000, 2_000,
  ]);
});

test("every controller is shown policies, and an agent is not [PY6]", () => {
  const kinds = new Set(["Node"] as const);
  expect([...withPolicies({ kinds, node: undefined }).kinds]).toContain("PolicyRevision");
  expect(withPolicies({ kinds, node: "a-1" }).kinds).toBe(kinds);
});
