import { afterEach, beforeEach, expect, it } from "vitest";
import { replicaKey, workloadKey } from "../../src/core/model/ids.ts";
import {
  anApiWithTenant,
  aNodeObject,
  type Api,
  aWorkloadObject,
  BERTH,
  WORKLOADS,
} from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" };
const REVISIONS = `${BERTH}/policyrevisions`;

const object = (kind: string, name: string, spec: Readonly<Record<string, unknown>>) => ({
  apiVersion: "berth.dev/v1",
  kind,
  metadata: { name },
  spec,
});

const aRevision = (degraded: Readonly<Record<string, unknown>>) =>
  object("PolicyRevision", "r-1", {
    scoring: "best-fit",
    recovery: { reserve: { cpu: 10, memory: "20Gi" } },
    degraded,
  });

const REPLICA = replicaKey({ tenant: "payments", workload: "api", generation: 1, index: 0 });

/** A region that is marked, and a replica that was bound there meanwhile. */
async function partitioned(): Promise<string> {
  await api.post(REVISIONS, aRevision({ lowRisk: [""], confirmWithin: "5m" }));
  await api.post(`${BERTH}/policies`, object("Policy", "default", { active: "r-1" }));
  const node = aNodeObject();
  const { region } = node.spec;
  await api.post(`${BERTH}/regions`, object("Region", region, { zones: ["z"] }));
  const limit = { cpu: 4, memory: "4Gi" };
  await api.post(`${BERTH}/namespaces/payments/quotas`, object("Quota", "default", { limit }));
  await api.post(`${BERTH}/nodes`, node);
  await api.send({ kind: "lease", node: "a-1", session: 1, seq: 1, kept: [] }, "agent");
  const early = { region, cpu: 2, memory: "2Gi", ttl: "1h", reason: "bad days" };
  await api.post(`${BERTH}/recoverybudgets`, object("RecoveryBudget", "early", early));
  const mark = {
    action: "mark-partitioned",
    target: { region },
    reason: "carrier outage",
    ttl: "1h",
  };
  const made = await api.post(`${BERTH}/overrides`, object("Override", "cut", mark));
  expect(made.json["status"]).toMatchObject({ budgets: ["early"] });
  await api.post(WORKLOADS, aWorkloadObject("api"));
  const workload = workloadKey("payments", "api");
  const indexes = [{ index: 0, incarnation: 1 }];
  await api.send({ kind: "enqueue", workload, generation: 1, indexes }, "admit");
  const under = { policyRevision: "r-1", budget: "early" };
  await api.send(
    { kind: "bind", replica: REPLICA, incarnation: 1, node: "a-1", deviceIds: [], ...under },
    "place",
  );
  return region;
}

it("[AP220] [AP221] a region shows who has cut it off, and a replica that it is provisional until it is confirmed", async () => {
  const region = await partitioned();
  const path = `${BERTH}/regions/${region}`;
  expect((await api.get(path)).json["status"]).toMatchObject({
    provisional: 1,
    conditions: [
      { type: "Partitioned", status: "True", message: expect.stringMatching(/carrier outage$/) },
    ],
  });
  const table = await api.get(`${BERTH}/regions`, TABLE);
  expect(table.text).toMatch(/"cut until \d{4}-.+?Z"/);
  const shown = `${BERTH}/namespaces/payments/replicas`;
  expect((await api.get(`${shown}/api.1.0`)).json["status"]).toMatchObject({
    budget: "early",
    provisional: { override: "cut", since: expect.stringMatching(/Z$/) },
  });
  expect((await api.get(shown, TABLE)).text).toContain('"bound?"');
  await api.delete(`${BERTH}/overrides/cut`);
  const back = (await api.get(path)).json["status"];
  expect(back).toEqual({ provisional: 1 });
  await api.send({ kind: "confirm", replica: REPLICA, incarnation: 1 }, "settle-region");
  expect((await api.get(path)).json["status"]).toEqual({ provisional: 0 });
  const confirmed = (await api.get(`${shown}/api.1.0`)).json["status"];
  expect(confirmed).not.toHaveProperty("provisional");
  expect(confirmed).not.toHaveProperty("budget");
});

it("[AP222] a policy revision says what is of low risk, as it was written, within bounds", async () => {
  for (const [degraded, found] of [
    [{ lowRisk: ["low", "low"] }, /lowRisk/],
    [{ lowRisk: [], confirmWithin: "2d" }, /spec\.degraded\.confirmWithin/],
    [{ confirmWithin: "1m" }, /lowRisk/],
  ] as const) {
    const refused = await api.post(REVISIONS, aRevision(degraded));
    expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(found)]);
  }
  const degraded = { lowRisk: ["low", ""], confirmWithin: "5m" };
  expect((await api.post(REVISIONS, aRevision(degraded))).json["spec"]).toMatchObject({ degraded });
});
