import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeKey } from "../../src/core/model/ids.ts";
import { AGENT_PROTOCOL, PROTOCOL_HEADER } from "../../src/shell/agent-protocol.ts";
import { bind, replica, serve, workload } from "./a-bound-replica.ts";
import { aWatch } from "./a-watch.ts";
import {
  anApiWithTenant,
  aNodeObject,
  type AnyJson,
  type Api,
  aTenantObject,
  BERTH,
} from "./an-api.ts";

const TODAY = { [PROTOCOL_HEADER]: `${AGENT_PROTOCOL}` };

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const command = (intent: Readonly<Record<string, unknown>>) => ({
  from: "agent:a-1",
  request: {
    kind: "command",
    attempt: 1,
    command: {
      intent,
      epoch: api.plane.epoch,
      basis: api.plane.revision,
      actor: { role: "agent", name: "agent:a-1" },
    },
  },
});
const LEASE = {
  kind: "lease",
  operation: "lease/a-1/1/1",
  node: "a-1",
  session: 1,
  seq: 1,
  kept: [],
};

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ index, incarnation: 1 }));
const ENQUEUE = {
  kind: "enqueue",
  operation: "x3",
  workload,
  generation: 1,
  indexes: many(1_024),
};
const BINDING = { replica, incarnation: 1, node: "a-1", deviceIds: [] };
const BIND_ALL = { kind: "bind-all", operation: "x4", bindings: [BINDING] };

describe("POST /commands", () => {
  it("[AP110] the authority's answer comes back as it is", async () => {
    await api.post(`${BERTH}/nodes`, aNodeObject());
    const first = await api.post("/commands", command(LEASE));
    expect(first.json).toEqual({
      kind: "outcome",
      outcome: { kind: "committed", revision: api.plane.revision },
      epoch: api.plane.epoch,
    });
    const again = await api.post("/commands", command({ ...LEASE, operation: "other" }));
    expect(again.json["outcome"]).toMatchObject({ kind: "conflict", code: "lease-replayed" });
    const { json } = await api.post("/commands", {
      from: "x",
      request: { kind: "lookup", operation: "never", attempt: 1 },
    });
    expect(json["kind"]).toBe("not-found");
  });

  it.each([
    { what: "an unknown intent", intent: { kind: "explode", operation: "x" } },
    { what: "a key of no kind", intent: { kind: "delete", operation: "x", key: "x", expect: {} } },
    { what: "a missing field", intent: { kind: "lease", operation: "x", node: "a-1" } },
    { what: "a field too many", intent: { ...LEASE, more: true } },
    { what: "a number that is none", intent: { ...LEASE, seq: "1" } },
    { what: "a negative number", intent: { ...LEASE, seq: -1 } },
    { what: "no indexes at all", intent: { ...ENQUEUE, indexes: [] } },
    {
      what: "more indexes than one command may name",
      intent: { ...ENQUEUE, indexes: many(1_025) },
    },
    {
      what: "an index that is none",
      intent: { ...ENQUEUE, indexes: [{ index: -1, incarnation: 1 }] },
    },
    {
      what: "a binding without a node",
      intent: { ...BIND_ALL, bindings: [{ replica, incarnation: 1 }] },
    },
    { what: "no bindings at all", intent: { ...BIND_ALL, bindings: [] } },
    {
      what: "a spec of another kind",
      intent: {
        kind: "put",
        operation: "x",
        key: "Node//a-1",
        desired: { kind: "Node", spec: { zones: [] } },
        labels: {},
        finalizers: [],
        expect: {},
      },
    },
  ])("[AP110] $what is 400 and never reaches the authority", async ({ intent }) => {
    const { status } = await api.post("/commands", command(intent));
    expect(status).toBe(400);
    expect(api.plane.isLeading).toBe(true);
  });

  it("[AP110] what a remote controller sends of every kind is let through", async () => {
    await bind(api);
    const held = api.plane.objects.workload(workload)!;
    const put = {
      kind: "put",
      operation: "put/x",
      key: workload,
      desired: { kind: "Workload", spec: held.spec },
      labels: {},
      finalizers: [],
      expect: { revision: held.meta.revision },
    };
    const fullSpec = {
      ...held.spec,
      rollout: { maxSurge: "25%", maxUnavailable: 0, deadlineMs: 60_000 },
      recovery: { withinMs: 60_000, replicas: 1, regions: ["eu-west"] },
    };
    const node = api.plane.objects.node(nodeKey("a-1"))!;
    const evidence = { kind: "drain", node: "a-1" };
    const intents = [
      put,
      { ...put, operation: "put/y", desired: { kind: "Workload", spec: fullSpec } },
      { ...put, key: node.key, desired: { kind: "Node", spec: node.spec } },
      { kind: "evict", operation: "x1", replica, incarnation: 1, evidence },
      { kind: "release", operation: "x2", key: replica, incarnation: 1, evidence },
      { kind: "finish", operation: "x6", workload, generation: 1, end: "failed-indexes" },
      {
        kind: "delete",
        operation: "x7",
        key: workload,
        expect: {},
        evidence: { kind: "job-ttl", workload },
      },
      { kind: "drain-over", operation: "x5", node: "a-1", generation: 1 },
      {
        kind: "bind",
        operation: "x8",
        replica,
        incarnation: 1,
        node: "a-1",
        deviceIds: [],
        spare: "Reservation/payments/api.1",
        policyRevision: "default-1",
      },
      {
        kind: "activate",
        operation: "x9",
        policy: "default",
        from: "",
        to: "default-1",
        reason: "",
      },
      ENQUEUE,
      BIND_ALL,
      { ...BIND_ALL, operation: `bind-all/${"1234567.12,".repeat(1_024)}` },
    ];
    for (const intent of intents) {
      const { status, json } = await api.post("/commands", command(intent));
      expect([intent.kind, status, json["kind"]]).toEqual([intent.kind, 200, "outcome"]);
    }
  });
});

describe("GET /operations", () => {
  it("[AP111] says whether an operation had its effect", async () => {
    const key = { "idempotency-key": "k1" };
    await api.post(`${BERTH}/tenants`, aTenantObject("risk"), key);
    const found = await api.get("/operations/put/Tenant//risk/k1");
    expect(found.json).toEqual({ kind: "found", revision: api.plane.revision });
    expect((await api.get("/operations/never")).json["kind"]).toBe("not-found");
  });
});

describe("/stream", () => {
  it("[AP112] lists the replicas of a node in the core's own form", async () => {
    await bind(api);
    const { json } = await api.get("/stream/list?node=a-1", TODAY);
    expect(json).toMatchObject({ revision: api.plane.revision, epoch: api.plane.epoch });
    expect(json["objects"]![0]).toEqual(
      JSON.parse(JSON.stringify(api.plane.objects.replica(replica))),
    );
    expect((await api.get("/stream/list?node=b-2")).json["objects"]).toEqual([]);
    expect((await api.get("/stream/list")).status).toBe(400);
  });

  it("[AP112] streams the commits about a node from a revision on", async () => {
    const from = api.plane.revision;
    await bind(api);
    const stream = await aWatch(api.app, `/stream/watch?node=a-1&from=${from}`);
    const [missed] = await stream.take(1);
    expect(missed!["to"]).toBe(api.plane.revision);
    expect(kindsIn(missed!)).toEqual(["bind"]);
    const changes = missed!["commits"]![0]!["changes"] as unknown as { key: string }[];
    expect(changes.map(({ key }) => key)).toEqual([replica]);
    await api.post(`${BERTH}/tenants`, aTenantObject("risk"));
    await serve(api);
    const [first] = await stream.take(1);
    // Commits that were made durable together come together.
    expect(new Set(kindsIn(first!))).toEqual(new Set(["report"]));
    stream.close();
  });

  it("[AP112] a stream that nothing concerns is told how far the log has come", async () => {
    const stream = await aWatch(api.app, `/stream/watch?node=a-1&from=${api.plane.revision}`);
    await stream.take(1);
    await api.post(`${BERTH}/tenants`, aTenantObject("risk"));
    const { revision, epoch } = api.plane;
    const [bookmark] = await stream.take(1);
    expect(bookmark).toEqual({ commits: [], to: revision, epoch });
    stream.close();
  });

  it("[AP112] a revision that is no longer kept, or not reached, is 410", async () => {
    api.forget(api.plane.revision);
    expect((await api.get("/stream/watch?node=a-1&from=1")).status).toBe(410);
    expect((await api.get("/stream/watch?node=a-1&from=999")).status).toBe(410);
    expect((await api.get("/stream/watch?node=a-1")).status).toBe(400);
  });
});

describe("GET /stream/state", () => {
  it("[AP124] says whether an agent reads its stream, and when that broke", async () => {
    const state = async () => (await api.get("/stream/state?node=a-1")).json;
    expect(await state()).toEqual({ node: "a-1", isOpen: false });
    const stream = await aWatch(api.app, `/stream/watch?node=a-1&from=${api.plane.revision}`);
    await stream.take(1);
    expect(await state()).toMatchObject({ isOpen: true, since: expect.stringMatching(/Z$/) });
    stream.close();
    await expect
      .poll(async () => (await state())["gap"], { timeout: 120_000 })
      .toMatchObject({
        revision: api.plane.revision,
      });
    expect(await state()).toMatchObject({ isOpen: false });
    expect((await api.get("/stream/state")).status).toBe(400);
  });
});

const kindsIn = (line: AnyJson): readonly string[] =>
  (line["commits"] as unknown as { command: string }[]).map((each) => each.command);

describe("derived objects", () => {
  const ENDPOINTS = `${BERTH}/namespaces/payments/endpoints`;

  it("[AP113] endpoints appear when a replica serves and go when it stops", async () => {
    await bind(api);
    const stream = await aWatch(api.app, `${ENDPOINTS}?watch=1&fieldSelector=metadata.name%3Dapi`);
    const [present] = await stream.take(1);
    expect(present!["object"]).toMatchObject({ kind: "Endpoints", status: { addresses: [] } });
    await serve(api);
    const addresses = [
      { replica: "api.1.0", node: "a-1", host: "10.0.0.1", ports: { http: 8080 } },
    ];
    const { json } = await api.get(`${ENDPOINTS}/api`);
    expect(json["status"]).toEqual({ addresses });
    expect(json["metadata"]).not.toHaveProperty("finalizers");
    let shown: AnyJson | undefined;
    while (JSON.stringify(shown?.["object"]?.["status"]) !== JSON.stringify({ addresses })) {
      [shown] = await stream.take(1);
    }
    expect(shown!["type"]).toBe("MODIFIED");
    await api.send(
      { kind: "report", replica, incarnation: 1, node: "a-1", session: 1, stage: "failed" },
      "agent",
    );
    expect((await api.get(`${ENDPOINTS}/api`)).json["status"]).toEqual({ addresses: [] });
    expect((await api.delete(`${ENDPOINTS}/api`)).status).toBe(405);
    stream.close();
  });

  it("[AP115] metrics are Prometheus text", async () => {
    await api.get(`${BERTH}/tenants`);
    const { headers, text } = await api.get("/metrics");
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    expect(text).toContain(`berth_revision ${api.plane.revision}`);
    expect(text).toContain('berth_objects{kind="Tenant"} 1');
    expect(text).toContain(
      `berth_api_requests_total{method="GET",route="${BERTH}/tenants",status="200"} 1`,
    );
  });
});
