/** Who a caller is decides what it can use up, ask about and hear of: tenants and agents that try are told no, or hear nothing. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enqueueOperation } from "../../src/core/protocol/operations.ts";
import { policyKey, policyRevisionKey, tenantKey, workloadKey } from "../../src/core/model/ids.ts";
import type { Workload } from "../../src/core/model/objects.ts";
import { putting } from "../builders/a-plane.ts";
import {
  anApi,
  type Answer,
  type Api,
  aTenantObject,
  aWorkloadObject,
  BERTH,
  textAt,
  WORKLOADS,
} from "./an-api.ts";

const token = (name: string) => ({ authorization: `Bearer secret-of-${name}` });
const ANA = token("ana");
const EVE = token("eve");
const A1 = token("a-1");
const B2 = token("b-2");
const SCALER = token("scaler");
const ROOT = token("root");

const TOKENS = {
  tokens: [
    { token: "secret-of-ana", kind: "user", name: "ana" },
    { token: "secret-of-eve", kind: "user", name: "eve" },
    { token: "secret-of-a-1", kind: "agent", name: "a-1" },
    { token: "secret-of-b-2", kind: "agent", name: "b-2" },
    { token: "secret-of-scaler", kind: "controller", name: "scaler" },
    { token: "secret-of-root", kind: "local", name: "root" },
  ],
} as const;

const idOf = (secret: string): string =>
  createHash("sha256").update(secret).digest("hex").slice(0, 8);

let api: Api;
beforeAll(async () => {
  api = await anApi({ auth: TOKENS });
  await api.send(
    putting(tenantKey("payments"), { kind: "Tenant", spec: { displayName: "" } }),
    "user",
  );
});
afterAll(() => api.close());

const commandOf = (
  intent: Readonly<Record<string, unknown>>,
  actor: { readonly role: string; readonly name: string },
) => ({
  from: actor.name,
  request: {
    kind: "command",
    attempt: 1,
    command: { intent, epoch: api.plane.epoch, basis: api.plane.revision, actor },
  },
});

const lookup = (operation: string, actor?: { readonly role: string; readonly name: string }) => ({
  from: "anybody",
  request: { kind: "lookup", operation, attempt: 1, ...(actor && { actor }) },
});

describe("an operation id", () => {
  it("[ID1] that a user has used up by an activation still lets another tenant's work be enqueued", async () => {
    for (const name of ["p-1", "p-2"]) {
      const revision = { kind: "PolicyRevision", spec: { scoring: "best-fit" } } as const;
      await api.send(putting(policyRevisionKey(name), revision), "user");
    }
    const policy = { kind: "Policy", spec: { active: "p-1" } } as const;
    await api.send(putting(policyKey("p"), policy), "user");
    await api.post(WORKLOADS, aWorkloadObject("api"), ANA);
    const workload = api.plane.objects.workload(workloadKey("payments", "api")) as Workload;
    const indexes = [{ index: 0, incarnation: 1 }];
    const operation = enqueueOperation(workload, 1, indexes);
    const activate = {
      kind: "activate",
      operation,
      policy: "p",
      from: "p-1",
      to: "p-2",
      reason: "x",
    };
    const eve = { role: "user", name: "eve" };
    const used = await api.post("/commands", commandOf(activate, eve), EVE);
    expect(used.json["outcome"]).toMatchObject({ kind: "committed" });
    const enqueue = { kind: "enqueue", operation, workload: workload.key, generation: 1, indexes };
    const scaler = { role: "admit", name: "admit" };
    const sent = await api.post("/commands", commandOf(enqueue, scaler), SCALER);
    // It meets the rules of quota, as it would have without eve.
    expect(sent.json["outcome"]).not.toMatchObject({ code: "operation-reused" });
    expect(sent.json["outcome"]).toMatchObject({ code: "quota-missing" });
  });

  it("[ID2] is looked up by its owner only, whatever the question says", async () => {
    const made = await api.post(`${BERTH}/tenants`, aTenantObject("risk"), {
      ...ANA,
      "idempotency-key": "k1",
    });
    expect(made.status).toBe(201);
    const operation = "put/Tenant//risk/k1";
    const ana = { role: "user", name: "ana" };
    expect((await api.get(`/operations/${operation}`, ANA)).json["kind"]).toBe("found");
    for (const other of [EVE, A1, SCALER]) {
      expect((await api.get(`/operations/${operation}`, other)).json["kind"]).toBe("not-found");
      const asked = await api.post("/commands", lookup(operation, ana), other);
      expect(asked.json["kind"]).toBe("not-found");
    }
    expect((await api.post("/commands", lookup(operation), ANA)).json["kind"]).toBe("found");
    const told = await api.get(`/explain?kind=decision&name=${operation}`, EVE);
    expect(told.status).toBe(404);
  });
});

const path = (verb: string) => `/stream/${verb}?node=a-1&from=0`;

describe("the stream of a node", () => {
  it("[ID7] opens for its own agent, and for no other agent, user or controller", async () => {
    expect((await api.get(path("list"), A1)).status).toBe(200);
    for (const other of [B2, ANA, SCALER]) {
      for (const verb of ["list", "watch"]) {
        expect((await api.get(path(verb), other)).status).toBe(403);
      }
    }
    // Whether an agent is there is for people, too.
    expect((await api.get(path("state"), ANA)).status).toBe(200);
    expect((await api.get(path("state"), B2)).status).toBe(403);
    expect((await api.get("/stream/list", A1)).status).toBe(400);
  });

  it("[ID7] brings requests for logs, which only the agent that was asked may answer", async () => {
    for (const other of [ANA, SCALER]) {
      expect((await api.post("/stream/logs/any?part=0", "{}", other)).status).toBe(403);
    }
  });
});

const newest = async (headers = ANA): Promise<unknown> =>
  (await api.get("/audit?limit=1", headers)).json["entries"]?.[0];

describe("the audit", () => {
  it("[ID5] names the token that was used, whatever name the command gives; of observations, too", async () => {
    await api.post(WORKLOADS, aWorkloadObject("web"), ANA);
    const spec = { workload: "web", target: { cpu: 50 }, min: 1, max: 9 };
    const scaler = {
      apiVersion: "berth.dev/v1",
      kind: "Autoscaler",
      metadata: { name: "web" },
      spec,
    };
    const made = await api.post(`${BERTH}/namespaces/payments/autoscalers`, scaler, ANA);
    expect(made.status).toBe(201);
    expect(await newest()).toMatchObject({
      actor: { kind: "human", name: "ana", by: { kind: "user", token: idOf("secret-of-ana") } },
    });
    const reading = { sumMillis: 9_000, covered: 1, of: 1, windowMs: 5_000 };
    const autoscaler = "Autoscaler/payments/web";
    const observe = { kind: "observe", operation: "o", autoscaler, reading };
    const forged = { role: "gauge", name: "node-health" };
    const sent = await api.post("/commands", commandOf(observe, forged), SCALER);
    expect(sent.json["outcome"]).toMatchObject({ kind: "committed" });
    expect(await newest()).toMatchObject({
      actor: {
        kind: "controller",
        role: "gauge",
        name: "scaler",
        by: { kind: "controller", token: idOf("secret-of-scaler") },
      },
      command: "observe",
      summary: "observed the load of autoscaler payments/web",
    });
  });
});

describe("the audit of an administrator", () => {
  it("[ID5] names the owner of the token, whichever name it acts under", async () => {
    const by = { kind: "local", name: "root", token: idOf("secret-of-root") };
    const asAna = { ...ROOT, "berth-as": "ana" };
    expect((await api.post(`${BERTH}/tenants`, aTenantObject("lent"), asAna)).status).toBe(201);
    expect(await newest()).toMatchObject({ actor: { name: "ana", by } });
    expect((await api.post(`${BERTH}/tenants`, aTenantObject("own"), ROOT)).status).toBe(201);
    expect(await newest()).toMatchObject({
      actor: { name: "root", by: { kind: "local", token: idOf("secret-of-root") } },
    });
  });
});

describe("the audit of a caller from elsewhere", () => {
  it("[AN3] names the address, as the connection has it and not as the request says", async () => {
    const made = await api.app.inject({
      method: "POST",
      url: `${BERTH}/tenants`,
      payload: JSON.stringify(aTenantObject("far")),
      headers: { ...ANA, "content-type": "application/json", "x-forwarded-for": "10.9.9.9" },
      remoteAddress: "192.0.2.7",
    });
    expect(made.statusCode).toBe(201);
    const by = { kind: "user", token: idOf("secret-of-ana"), address: "192.0.2.7" };
    expect(await newest()).toMatchObject({ actor: { name: "ana", by } });
  });
});

const nameOf = ({ json }: Answer) => textAt(json, "metadata", "name");

describe("an Idempotency-Key", () => {
  it("[ID1] of two users makes two objects, each with the name that follows from key and user", async () => {
    const body = { ...aTenantObject("x"), metadata: { generateName: "team-" } };
    const key = { "idempotency-key": "nightly" };
    const first = await api.post(`${BERTH}/tenants`, body, { ...ANA, ...key });
    const other = await api.post(`${BERTH}/tenants`, body, { ...EVE, ...key });
    const again = await api.post(`${BERTH}/tenants`, body, { ...ANA, ...key });
    expect([first.status, other.status, again.status]).toEqual([201, 201, 201]);
    expect(textAt(again.json, "metadata", "uid")).toBe(textAt(first.json, "metadata", "uid"));
    expect(nameOf(other)).not.toBe(nameOf(first));
  });

  it("[ID1] is taken as a whole: two long ones that begin alike make two objects", async () => {
    const body = { ...aTenantObject("x"), metadata: { generateName: "long-" } };
    const made = async (key: string): Promise<string> => {
      const headers = { ...ANA, "idempotency-key": key };
      return textAt((await api.post(`${BERTH}/tenants`, body, headers)).json, "metadata", "uid");
    };
    const alike = "k".repeat(200);
    const first = await made(`${alike}-1`);
    expect(await made(`${alike}-2`)).not.toBe(first);
    expect(await made(`${alike}-1`)).toBe(first);
  });

  it("[ID1] of another user answers nothing of theirs: the name is taken, and that is all", async () => {
    const key = { "idempotency-key": "same" };
    const first = await api.post(`${BERTH}/tenants`, aTenantObject("ours"), { ...ANA, ...key });
    expect(first.status).toBe(201);
    const other = await api.post(`${BERTH}/tenants`, aTenantObject("ours"), { ...EVE, ...key });
    expect(other.status).toBe(409);
  });
});
