import { expect, test } from "vitest";
import { withoutTokens } from "./without-tokens.ts";

const own = `berth_${"aB3-_".repeat(8)}xyz`;
const jwt = `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbmEifQ.${"s".repeat(86)}`;

test.each([
  [`get workloads.berth.dev ${own} in shop`, "get workloads.berth.dev <token> in shop"],
  [`/nodes/${jwt}/status`, "/nodes/<token>/status"],
  [`delete/Replica/shop/api.1.0/${own}`, "delete/Replica/shop/api.1.0/<token>"],
  ["authorization: Bearer abc.def", "authorization: <token>"],
  ["list replicas of berth_replicas and eyJ", "list replicas of berth_replicas and eyJ"],
])("%s is written down without its token [AN11]", (text, expected) => {
  expect(withoutTokens(text)).toBe(expected);
});
