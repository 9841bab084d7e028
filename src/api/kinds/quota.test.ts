import { expect, test } from "vitest";
import { aGroup, cpu, type Group } from "../../../test/builders/a-group.ts";
import { aPlane } from "../../../test/builders/a-plane.ts";
import { quotaKey } from "../../core/model/ids.ts";
import { checkObject } from "../schema/check-object.ts";
import { quotaKind } from "./quota.ts";

test("a quota shows what is used, reserved and free, which add up to the limit [QT2]", () => {
  const plane = aPlane({ quota: { cpuMillis: 1000 }, desired: { replicas: 2, cpuMillis: 300 } });
  plane.bound({ index: 0 });
  plane.reserved(1);
  const quota = plane.get(quotaKey("payments"))!;
  const { objects } = plane.ledger;
  expect(quotaKind.toApi(quota, objects).status).toMatchObject({
    used: { cpu: "300m" },
    reserved: { cpu: "300m" },
    free: { cpu: "400m" },
  });
  const column = quotaKind.columns.find(({ name }) => name === "CPU")!;
  expect(column.cell(quota, objects)).toBe("600m/1");
});

const quotaNamed = (name: string) => ({
  apiVersion: "berth.dev/v1",
  kind: "Quota",
  metadata: { name, namespace: "payments" },
  spec: { limit: { cpu: 1, memory: "1Gi" } },
});

test("a quota has one name", () => {
  expect(checkObject(quotaKind, quotaNamed("default")).mistakes).toEqual([]);
  expect(checkObject(quotaKind, quotaNamed("big")).mistakes).toEqual([
    { field: "metadata.name", message: 'found "big"; expected default.' },
  ]);
});

test("a limit that cannot be read is named", () => {
  expect(quotaKind.toDesired({ limit: { cpu: "-1", memory: "1Gi" } })).toEqual([
    {
      field: "spec.limit.cpu",
      message: 'found "-1", which is negative; expected CPUs such as 2, 1.5 or 500m.',
    },
  ]);
});

const shown = (group: Group, tenant: string) =>
  quotaKind.toApi(group.quotaOf(tenant), group.ledger.objects) as {
    readonly spec: Readonly<Record<string, unknown>>;
    readonly status: Readonly<Record<string, unknown>>;
  };

const cell = (group: Group, tenant: string, name: string) =>
  quotaKind.columns
    .find((column) => column.name === name)!
    .cell(group.quotaOf(tenant), group.ledger.objects);

test("a quota shows what is borrowed, and what is used of the parts it bounds [QT5] [QT6] [QT7]", () => {
  const group = aGroup({
    lender: { limit: 500, group: "retail" },
    borrower: {
      limit: 100,
      group: "retail",
      regions: { eu: cpu(900), us: cpu(50) },
      classes: { low: cpu(10) },
    },
  });
  for (const index of [0, 1]) group.runs("borrower", index, "a-1");
  expect(shown(group, "borrower").status).toMatchObject({
    used: { cpu: "200m" },
    free: { cpu: "0" },
    borrowed: { cpu: "100m" },
    overdrawn: { cpu: "0" },
    regions: { eu: { cpu: "200m" }, us: { cpu: "0" } },
    classes: { low: { cpu: "0" } },
  });
  expect(shown(group, "borrower").status).not.toHaveProperty("plan");
  expect(cell(group, "borrower", "Beyond")).toBe("borrowed");
  expect(cell(group, "lender", "Beyond")).toBe("");
  expect(cell(group, "lender", "Group")).toBe("retail");
});

test("a quota made smaller than its use says how it comes back under it [QT3]", () => {
  const group = aGroup({ one: { limit: 300 } });
  for (const index of [0, 1, 2]) {
    group.nowMs += 1_000;
    group.runs("one", index);
  }
  group.setQuota("one", { limit: cpu(150) });
  expect(shown(group, "one").status).toMatchObject({
    overdrawn: { cpu: "150m" },
    plan: {
      how: "wait",
      message:
        "150m CPUs are used beyond the quota: nothing new is reserved until 2 replicas have ended; to stop them, set spec.shrink to drain.",
      replicas: [
        { name: "api.1.2", reason: "WaitingForAgent" },
        { name: "api.1.1", reason: "WaitingForAgent" },
      ],
      more: 0,
    },
  });
  expect(cell(group, "one", "Beyond")).toBe("overdrawn");
  group.setQuota("one", { limit: cpu(150), shrink: "drain" });
  group.evict("one", 2, { kind: "quota-shrunk", quota: quotaKey("one") });
  expect(shown(group, "one").status).toMatchObject({
    plan: {
      how: "drain",
      message: "150m CPUs are used beyond the quota: 2 replicas are being stopped, in this order.",
      replicas: [{ name: "api.1.2", reason: "QuotaTakenBack" }, { name: "api.1.1" }],
    },
  });
});

test("a long plan names the first and counts the others [QT3]", () => {
  const group = aGroup({ one: { limit: 4_000, desired: { replicas: 40 } } });
  for (let index = 0; index < 40; index += 1) group.runs("one", index);
  group.setQuota("one", { limit: cpu(0) });
  const { plan } = shown(group, "one").status as {
    readonly plan: { readonly replicas: readonly unknown[]; readonly more: number };
  };
  expect([plan.replicas.length, plan.more]).toEqual([32, 8]);
});

test("borrowing needs a group to borrow from, and parts are read like the limit", () => {
  const limit = { cpu: 1, memory: "1Gi" };
  expect(quotaKind.toDesired({ limit, borrow: limit })).toEqual([
    { field: "spec.borrow", message: "found without spec.group; name the group to borrow from." },
  ]);
  expect(quotaKind.toDesired({ limit, regions: { eu: { cpu: "x", memory: "1Gi" } } })).toEqual([
    expect.objectContaining({ field: "spec.regions.eu.cpu" }),
  ]);
});

test.each([
  ["spec.regions", { regions: { "EU/west": { cpu: 1, memory: "1Gi" } } }],
  ["spec.weight", { weight: 0 }],
  ["spec.shrink", { shrink: "soon" }],
  ["spec.group", { group: "Re tail" }],
])("a quota with a wrong %s is refused there", (field, more) => {
  const quota = quotaNamed("default");
  const { mistakes } = checkObject(quotaKind, { ...quota, spec: { ...quota.spec, ...more } });
  expect(mistakes[0]?.field).toMatch(new RegExp(`^${field}`));
});
