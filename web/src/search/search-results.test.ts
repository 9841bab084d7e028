import { expect, test } from "vitest";
import { listResults, stepTo } from "./search-results.ts";

const PAGES = [
  { name: "fleet", label: "Fleet" },
  { name: "queue", label: "Queue" },
  { name: "quota", label: "Quota" },
] as const;

test("pages are listed before objects, and each result leads to its own page", () => {
  const found = [
    { kind: "Workload", namespace: "shop", name: "queue-api" },
    { kind: "Node", namespace: "", name: "qu-1" },
    { kind: "Tenant", namespace: "", name: "quick" },
    { kind: "Override", namespace: "", name: "quiet" },
  ] as const;
  expect(
    listResults(" Qu", PAGES, found).map(({ kind, label, href }) => [kind, label, href]),
  ).toEqual([
    ["page", "Queue", "/ui/queue"],
    ["page", "Quota", "/ui/quota"],
    ["workload", "shop/queue-api", "/ui/workloads/shop/queue-api"],
    ["node", "qu-1", "/ui/fleet?node=qu-1"],
    ["tenant", "quick", "/ui/workloads?tenant=quick"],
    ["override", "quiet", "/ui/steering?override=quiet"],
  ]);
  expect(listResults("", PAGES, []).map(({ label }) => label)).toEqual(["Fleet", "Queue", "Quota"]);
});

test("arrows go through the list and around its ends", () => {
  expect([stepTo(-1, 1, 3), stepTo(0, 1, 3), stepTo(2, 1, 3)]).toEqual([0, 1, 0]);
  expect([stepTo(-1, -1, 3), stepTo(0, -1, 3), stepTo(0, 1, 0)]).toEqual([2, 2, -1]);
});
