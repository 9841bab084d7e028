import { expect, test } from "vitest";
import { hideOthers } from "./hide-others.ts";

const sees = {
  work: (namespace: string) => namespace === "alpha",
  tenant: (name: string) => name === "alpha",
};

test.each([
  ["group g owes quota to tenant bravo, and", "group g owes quota to another tenant, and"],
  ["group g owes quota to tenant alpha, and", "group g owes quota to tenant alpha, and"],
  [
    "2 replicas of tenant alpha, which borrows quota, are evicted for bravo/api.1.0",
    "2 replicas of tenant alpha, which borrows quota, are evicted for work of another tenant",
  ],
  [
    "quota of tenant bravo becomes free or larger",
    "quota of another tenant becomes free or larger",
  ],
  ["quota:bravo", "quota:another tenant"],
  ["quota-claim:bravo", "quota-claim:another tenant"],
  ["near:bravo/app=db", "near:another tenant"],
  ["quota:alpha", "quota:alpha"],
  ["quota-group:retail", "quota-group:retail"],
  ["tenant bravo needs less of its own quota", "another tenant needs less of its own quota"],
  [
    "another tenant needs it, and each tenant that waits",
    "another tenant needs it, and each tenant that waits",
  ],
  ["is for another region, tenant or class", "is for another region, tenant or class"],
  [
    "Replica/bravo/api.1.0 waits for quota that its tenant is entitled to.",
    "Replica of another tenant waits for quota that its tenant is entitled to.",
  ],
])("[AZ46] %s", (text, shown) => {
  expect(hideOthers(text, sees)).toBe(shown);
});
