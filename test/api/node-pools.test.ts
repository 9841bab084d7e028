import { afterEach, describe, expect, it } from "vitest";
import { replica, workload } from "./a-bound-replica.ts";
import {
  type Answer,
  anApi,
  type Api,
  aTenantObject,
  aWorkloadObject,
  BERTH,
  textAt,
  WORKLOADS,
} from "./an-api.ts";

let api: Api;
afterEach(() => api.close());

const POOLS = `${BERTH}/nodepools`;

const aPool = (spec: Readonly<Record<string, unknown>> = {}) => ({
  apiVersion: "berth.dev/v1",
  kind: "NodePool",
  metadata: { name: "burst" },
  spec: {
    region: "eu",
    zone: "eu-a",
    capacity: { cpu: 2, memory: "2Gi" },
    provisioner: "cloud",
    maxNodes: 3,
    pace: { nodes: 3, period: "1m" },
    pendingFor: "0s",
    ...spec,
  },
});

/** Whatever the API says, with the token of whoever asks. */
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const ANA = as("0123456789abcdef");
const BURST = as("fedcba9876543210");

const AUTH = {
  tokens: [
    { kind: "user", name: "ana", token: "0123456789abcdef" },
    { kind: "agent", name: "burst-1", token: "fedcba9876543210" },
  ],
} as const;

/** A replica that waits for room, and a pool whose first node was asked for on its behalf. */
async function anExpectedNode(): Promise<void> {
  api = await anApi({ auth: AUTH });
  await api.post(`${BERTH}/tenants`, aTenantObject(), ANA);
  const spec = { limit: { cpu: 4, memory: "4Gi" } };
  const quota = { apiVersion: "berth.dev/v1", kind: "Quota", metadata: { name: "default" }, spec };
  await api.post(`${BERTH}/namespaces/payments/quotas`, quota, ANA);
  expect((await api.post(POOLS, aPool(), ANA)).status).toBe(201);
  await api.post(WORKLOADS, aWorkloadObject("api"), ANA);
  await api.send({ kind: "admit", workload, generation: 1, index: 0, incarnation: 1 }, "admit");
  await api.send({ kind: "reserve", replica, incarnation: 1, deadlineMs: 1_000 }, "admit");
  const reservation = "Reservation/payments/api.1.0.1" as never;
  const queue = { key: replica, from: "admitted", to: "queued", reservation } as const;
  await api.send({ kind: "transition", incarnation: 1, ...queue }, "admit");
  await api.send({ kind: "provision", pool: "burst", node: "burst-1", workload }, "provision");
}

const said = (outcome: "asked" | { readonly failed: string }): Promise<void> =>
  api.send({ kind: "provisioned", node: "burst-1", outcome }, "provisioner");

const read = (path: string): Promise<Answer> => api.get(path, ANA);
const node = async () => (await read(`${BERTH}/nodes/burst-1`)).json;
interface Condition {
  readonly type: string;
}
const ready = async (): Promise<Condition | undefined> => {
  const { status } = (await node()) as unknown as { status: { conditions: readonly Condition[] } };
  return status.conditions.find(({ type }) => type === "Ready");
};
const change = (spec: object): Promise<Answer> =>
  api.patch(`${BERTH}/nodes/burst-1`, { spec }, undefined, ANA);
const says = async (kind: string, name: string): Promise<string> => {
  const { json } = await read(`/explain?kind=${kind}&name=${name}&namespace=payments`);
  return textAt(json, "now", "says");
};

/** A command as the agent of the new machine sends it, and others who would pass for it. */
const command = (intent: object, actor: { readonly role: string; readonly name: string }) => ({
  from: actor.name,
  request: {
    kind: "command",
    attempt: 1,
    command: { intent, epoch: api.plane.epoch, basis: 0, actor },
  },
});

describe("node pools over HTTP", () => {
  it("[AP215] a pool shows what came of it, what is provisioning, and why the last did not come", async () => {
    await anExpectedNode();
    expect((await read(`${POOLS}/burst`)).json["status"]).toEqual({
      nodes: 0,
      provisioning: 1,
      scalingDown: 0,
      asked: 1,
      failures: 0,
    });
    await said({ failed: "the rack is full" });
    expect((await read(`${POOLS}/burst`)).json["status"]).toMatchObject({
      failures: 1,
      lastFailure: {
        at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        reason: "the rack is full",
      },
    });
    const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
    const { columnDefinitions, rows } = (await api.get(POOLS, { ...ANA, accept }))
      .json as never as {
      columnDefinitions: { name: string }[];
      rows: { cells: unknown[] }[];
    };
    const row = Object.fromEntries(
      columnDefinitions.map(({ name }, at) => [name, rows[0]?.cells[at]]),
    );
    expect(row).toMatchObject({
      Provisioner: "cloud",
      Zone: "eu/eu-a",
      Provisioning: 1,
      Failures: 1,
      "Last failure": "the rack is full",
    });
  });

  it("[AP216] a provisioning node says from which pool, since when and for whom, and no client writes that", async () => {
    await anExpectedNode();
    expect(await node()).toMatchObject({
      spec: { supply: "soft", pool: "burst" },
      status: {
        provision: { asked: expect.any(String) as string, workload: "payments/api" },
        unschedulable: true,
      },
    });
    expect(await ready()).toMatchObject({ status: "Unknown", reason: "MachineAsked" });
    await said("asked");
    expect(await ready()).toMatchObject({
      reason: "MachineProvisioning",
      message: expect.stringMatching(
        /^The node is provisioning from pool burst since \S+Z, for payments\/api;/,
      ) as string,
    });
    const { columns, rows } = (await read("/views/fleet")).json as never as {
      columns: string[];
      rows: unknown[][];
    };
    expect(rows[0]?.[columns.indexOf("supply")]).toBe("soft");
    expect(rows[0]?.[columns.indexOf("why")]).toMatch(/provisioning from pool burst/);
    for (const spec of [{ pool: "other" }, { pool: null }, { supply: "hard" }, { supply: null }]) {
      const { status, text } = await change(spec);
      expect({ spec, status }).toEqual({ spec, status: 422 });
      expect(text).toContain("pool-fixed");
    }
  });

  it("[AP217] who waits for room is told of the machine that is provisioning, and of none that will not come", async () => {
    await anExpectedNode();
    const told = / Pool burst has been provisioning nodes since \S+Z: burst-1\.$/;
    expect(await says("replica", "api.1.0")).toMatch(told);
    expect(await says("workload", "api")).toMatch(told);
    await said({ failed: "the rack is full" });
    expect(await says("replica", "api.1.0")).not.toContain("provisioning");
  });

  it("[AP218] the agent of a new machine comes in with its node's own token, and its first word makes the node hard", async () => {
    await anExpectedNode();
    await said("asked");
    const own = { apiVersion: "berth.dev/v1", kind: "Node", metadata: { name: "burst-1" } };
    const spec = { region: "eu", zone: "eu-a", capacity: { cpu: 2, memory: "2Gi" } };
    expect((await api.post(`${BERTH}/nodes`, { ...own, spec }, BURST)).status).toBe(409);
    const first = { operation: "lease/burst-1/1.1", node: "burst-1", session: 1, seq: 1, kept: [] };
    const agent = { role: "agent", name: "agent:burst-1" };
    const lease = command({ kind: "lease", ...first }, agent);
    expect((await api.post("/commands", lease, BURST)).status).toBe(200);
    const { spec: shown, status } = await node();
    expect(shown).not.toHaveProperty("supply");
    expect(status).toMatchObject({
      health: "ready",
      provision: { arrived: expect.any(String) as string },
    });
    // What a provisioner says is no agent's to say, nor a person's.
    const telling = { kind: "provisioned", operation: "p", node: "burst-1", outcome: "gone" };
    const posing = command(telling, { role: "provisioner", name: "x" });
    for (const headers of [BURST, ANA]) {
      expect((await api.post("/commands", posing, headers)).status).toBe(403);
    }
  });
});
