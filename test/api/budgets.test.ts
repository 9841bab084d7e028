import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createControllers } from "../../src/host/controllers.ts";
import { anApi, type AnyJson, type Api, BERTH, textAt } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  // Nobody but those that look after budgets is needed, and all of them are there.
  api = await anApi({ controllers: () => createControllers({ schedulers: 1 }) });
});
afterEach(() => api.close());

const BUDGETS = `${BERTH}/recoverybudgets`;
const RESERVE = "/recovery-reserve";

const object = (kind: string, name: string, spec: Readonly<Record<string, unknown>>) => ({
  apiVersion: "berth.dev/v1",
  kind,
  metadata: { name },
  spec,
});

const aRecoveryBudget = (name: string, of: Readonly<Record<string, unknown>> = {}) =>
  object("RecoveryBudget", name, {
    region: "eu",
    cpu: 4,
    memory: "8Gi",
    ttl: "30m",
    reason: "zone lost",
    ...of,
  });

async function budgeted(recovery: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const rules = { reserve: { cpu: 10, memory: "20Gi" }, ...recovery };
  const revision = object("PolicyRevision", "r-1", { scoring: "best-fit", recovery: rules });
  expect((await api.post(`${BERTH}/policyrevisions`, revision)).text).not.toContain("Failure");
  const policy = object("Policy", "default", { active: "r-1" });
  expect((await api.post(`${BERTH}/policies`, policy)).status).toBe(201);
}

const as = (name: string) => ({ "berth-as": name });

describe("a budget over HTTP", () => {
  it("[AP210] shows what it grants, what is spent and left, who owns it, and how it stands", async () => {
    await budgeted();
    const made = await api.post(
      BUDGETS,
      aRecoveryBudget("b-1", { tenants: ["shop", "bank"] }),
      as("ana"),
    );
    expect(made.status).toBe(201);
    const { spec, status } = made.json;
    expect(spec).toEqual({
      region: "eu",
      cpu: "4",
      memory: "8Gi",
      tenants: ["bank", "shop"],
      ttl: "30m",
      reason: "zone lost",
    });
    const amounts = { cpu: "4", memory: "8Gi", devices: 0 };
    expect(status).toMatchObject({
      owner: "ana",
      extensions: 0,
      state: "in-force",
      granted: amounts,
      spent: { cpu: "0", memory: "0", devices: 0 },
      left: amounts,
      replicaCount: 0,
      replicas: [],
      conditions: [
        { type: "InForce", status: "True", reason: "Granted" },
        { type: "HasLeft", status: "True", reason: "SomethingIsLeft" },
        { type: "WithinReserve", status: "True", reason: "Fits" },
      ],
    });
    const raise = { action: "raise-budget", target: { region: "eu" }, amount: 50 };
    await api.post(
      `${BERTH}/overrides`,
      object("Override", "more", { ...raise, reason: "x", ttl: "1h" }),
    );
    const raised = (await api.get(`${BUDGETS}/b-1`)).json["status"];
    expect(raised).toMatchObject({
      granted: amounts,
      raised: { cpu: "6", memory: "12Gi", devices: 0 },
      left: { cpu: "6", memory: "12Gi", devices: 0 },
    });
    const list = await api.get(`${BUDGETS}?fieldSelector=spec.region%3Dus`);
    expect(list.json["items"]).toEqual([]);
  });

  it("[AP211] is told all that is wrong at once, changes its end alone, and belongs to who granted it", async () => {
    await budgeted();
    const wrong = aRecoveryBudget("b-1", { cpu: "much", memory: -1, ttl: "9d" });
    const refused = await api.post(BUDGETS, wrong);
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/spec\.cpu.*spec\.memory.*spec\.ttl/s);
    expect((await api.post(BUDGETS, aRecoveryBudget("b-1"), as("ana"))).status).toBe(201);
    const change = (spec: object, who: string) =>
      api.patch(`${BUDGETS}/b-1`, { spec }, undefined, as(who));
    const larger = await change({ cpu: 5 }, "ana");
    expect([larger.status, larger.text]).toEqual([
      422,
      expect.stringMatching(/only its end can change/),
    ]);
    const another = await change({ ttl: "1h" }, "bob");
    expect([another.status, another.text]).toEqual([
      403,
      expect.stringMatching(/only its owner can extend or withdraw it/),
    ]);
    expect((await change({ ttl: "1h" }, "ana")).json["status"]).toMatchObject({ extensions: 1 });
    expect((await api.delete(`${BUDGETS}/b-1`, undefined, as("bob"))).status).toBe(403);
    expect((await api.delete(`${BUDGETS}/b-1`, undefined, as("ana"))).status).toBe(200);
    expect((await api.get(`${BUDGETS}/b-1`)).status).toBe(404);
    const events = (await api.get("/api/v1/events")).text;
    expect(events).toMatch(/BudgetGranted.*BudgetExtended.*BudgetWithdrawn/s);
    const audit = (await api.get("/audit?key=recoverybudget/b-1")).text;
    expect(audit).toMatch(
      /withdrew recovery budget b-1.*extended recovery budget b-1.*granted 4 cpu and 8Gi in eu/s,
    );
  });

  it("[AP212] never lets all of them come to more than the reserve, and says who has how much of it", async () => {
    expect((await api.get(RESERVE)).json).toMatchObject({ isBudgeted: false, budgets: [] });
    const none = await api.post(BUDGETS, aRecoveryBudget("b-1"));
    expect([none.status, none.text]).toEqual([
      409,
      expect.stringMatching(/expected a reserve in the policy in force/),
    ]);
    await budgeted();
    await api.post(BUDGETS, aRecoveryBudget("b-1"), as("ana"));
    await api.post(BUDGETS, aRecoveryBudget("b-2", { region: "us", cpu: 5 }), as("bob"));
    const over = await api.post(BUDGETS, aRecoveryBudget("b-3", { cpu: 2, memory: "1Gi" }));
    expect(over.status).toBe(409);
    expect(over.json["details"]?.["causes"]).toMatchObject([{ reason: "budget-reserve" }]);
    const { json } = await api.get(RESERVE);
    expect(json).toMatchObject({
      isBudgeted: true,
      policyRevision: "r-1",
      fairnessWindow: "5m",
      reserve: { cpu: "10", memory: "20Gi" },
      granted: { cpu: "9", memory: "16Gi" },
      spent: { cpu: "0", memory: "0" },
      free: { cpu: "1", memory: "4Gi" },
      isExceeded: false,
      budgets: [
        { name: "b-1", region: "eu", owner: "ana", holds: { cpu: "4" }, isOver: false },
        { name: "b-2", region: "us", owner: "bob", holds: { cpu: "5" }, isOver: false },
      ],
    });
  });
});

describe("a watch of budgets", () => {
  it("[AP213] tells of what is raised, and of a reserve that all of them no longer fit", async () => {
    await budgeted();
    await api.post(BUDGETS, aRecoveryBudget("b-1"), as("ana"));
    const version = async () =>
      textAt((await api.get(`${BUDGETS}/b-1`)).json, "metadata", "resourceVersion");
    const made = await version();
    const raise = { action: "raise-budget", target: { region: "eu" }, amount: 50 };
    const spec = { ...raise, reason: "x", ttl: "1h" };
    await api.post(`${BERTH}/overrides`, object("Override", "more", spec));
    const raised = await version();
    expect(raised).not.toBe(made);
    await api.post(BUDGETS, aRecoveryBudget("b-2", { cpu: 1, memory: "1Gi", region: "us" }));
    expect(await version()).not.toBe(raised);
    const before = await version();
    const smaller = { reserve: { cpu: 2, memory: "20Gi" } };
    const revision = object("PolicyRevision", "r-2", { scoring: "best-fit", recovery: smaller });
    await api.post(`${BERTH}/policyrevisions`, revision);
    const move = { policy: "default", from: "r-1", to: "r-2", reason: "less" };
    await api.send({ kind: "activate", ...move }, "user");
    expect(await version()).not.toBe(before);
    expect((await api.get(RESERVE)).json).toMatchObject({
      isExceeded: true,
      granted: { cpu: "7" },
      free: { cpu: "0" },
    });
    expect((await api.get(`${BUDGETS}/b-1`)).text).toMatch(/"False","reason":"ReserveTooSmall"/);
    const path = `${BUDGETS}?watch=true&resourceVersion=${made}&timeoutSeconds=1`;
    const { text } = await api.get(path);
    const events = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly type: string; readonly object: AnyJson });
    expect(events).toContainEqual({
      type: "MODIFIED",
      object: expect.objectContaining({
        metadata: expect.objectContaining({ name: "b-1" }) as unknown,
        status: expect.objectContaining({
          raised: { cpu: "6", memory: "12Gi", devices: 0 },
        }) as unknown,
      }) as unknown,
    });
  });
});

describe("a policy revision that budgets recoveries", () => {
  it("[AP214] is shown as it was written, and is told what is wrong with each grant", async () => {
    const grants = [
      { region: "eu", cpu: "2", memory: "4Gi", tenants: ["shop"], ttl: "10m" },
      { region: "us", cpu: "2", memory: "4Gi", ttl: "10m" },
    ];
    await budgeted({ fairnessWindow: "2m", grants });
    const shown = (await api.get(`${BERTH}/policyrevisions/r-1`)).json["spec"];
    expect(shown).toEqual({
      scoring: "best-fit",
      recovery: { reserve: { cpu: "10", memory: "20Gi" }, fairnessWindow: "2m", grants },
    });
    const wrong = object("PolicyRevision", "r-2", {
      scoring: "best-fit",
      recovery: {
        reserve: { cpu: 1, memory: "1Gi" },
        fairnessWindow: "2h",
        grants: [{ region: "eu", cpu: 2, memory: "1Gi", ttl: "0s" }],
      },
    });
    const refused = await api.post(`${BERTH}/policyrevisions`, wrong);
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(
      /spec\.recovery\.fairnessWindow.*spec\.recovery\.grants\[0\]\.ttl.*spec\.recovery\.grants\[0\]\.cpu: found 2; expected at most the reserve \(1\)/s,
    );
  });
});
