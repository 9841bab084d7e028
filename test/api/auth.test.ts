import { afterEach, describe, expect, it } from "vitest";
import { listen } from "../../src/api/http/listen.ts";
import { anApi, type Api, aTenantObject, BERTH } from "./an-api.ts";

let api: Api;
afterEach(() => api.close());

const TOKENS = {
  tokens: [
    { token: "secret-of-ana", kind: "user", name: "ana" },
    { token: "secret-of-a-1", kind: "agent", name: "a-1" },
    { token: "secret-of-scaler", kind: "controller", name: "scaler" },
  ],
} as const;
const ANA = { authorization: "Bearer secret-of-ana" };
const NODE = { authorization: "Bearer secret-of-a-1" };
const SCALER = { authorization: "Bearer secret-of-scaler" };

const aNodeObject = (name: string) => ({
  apiVersion: "berth.dev/v1",
  kind: "Node",
  metadata: { name },
  spec: { region: "eu", zone: "eu-a", capacity: { cpu: "2", memory: "2Gi" } },
});

const commandOf = (
  intent: Readonly<Record<string, unknown>>,
  actor: { readonly role: string; readonly name: string },
) => ({
  from: actor.name,
  request: { kind: "command", attempt: 1, command: { intent, epoch: 1, basis: 1, actor } },
});

const lease = (node: string, actor = `agent:${node}`) =>
  commandOf(
    { kind: "lease", operation: `lease/${node}`, node, session: 1, seq: 1, kept: [] },
    { role: "agent", name: actor },
  );

describe("without tokens", () => {
  it("[AP100] a request from another machine is 401", async () => {
    api = await anApi();
    const { statusCode } = await api.app.inject({ url: "/version", remoteAddress: "10.0.0.7" });
    expect(statusCode).toBe(401);
  });

  it("[AP100] a request under another host's name is 401, wherever it comes from", async () => {
    api = await anApi();
    expect((await api.get("/version", { host: "evil.example" })).status).toBe(401);
    for (const host of ["localhost:8080", "127.0.0.1:1", "[::1]:8080"]) {
      expect((await api.get("/version", { host })).status).toBe(200);
    }
  });

  it("[AP100] the server does not listen where others can reach it", async () => {
    api = await anApi();
    await expect(listen(api.app, { host: "0.0.0.0", port: 0 })).rejects.toThrow(
      /^Cannot listen on 0\.0\.0\.0 without tokens/,
    );
  });
});

describe("with tokens", () => {
  it("[HB2] a stranger's body is 401 before it is read, also where strangers may read", async () => {
    api = await anApi({ auth: TOKENS });
    for (const path of ["/healthz", "/livez", "/readyz", "/", "/ui", "/ui/fleet", "/assets/x.js"])
      for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
        const { statusCode } = await api.app.inject({ method, url: path, payload: "x" });
        expect([method, path, statusCode]).toEqual([method, path, 401]);
      }
  });

  it("[AP101] a request without a known token is 401", async () => {
    api = await anApi({ auth: TOKENS });
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "Basic x" }]) {
      const { status, json, headers: sent } = await api.get(`${BERTH}/tenants`, headers);
      expect(status).toBe(401);
      expect(json["reason"]).toBe("Unauthorized");
      expect(sent["www-authenticate"]).toBe("Bearer");
    }
    expect((await api.get("/healthz")).status).toBe(200);
    expect((await api.get("/metrics")).status).toBe(401);
  });

  it("[AP101] a user whose roles allow everything does it under the name of its token", async () => {
    api = await anApi({ auth: TOKENS });
    const made = await api.post(`${BERTH}/tenants`, aTenantObject("risk"), ANA);
    expect(made.status).toBe(201);
    expect(api.plane.since(api.plane.revision - 1)?.[0]?.actor).toEqual({
      role: "user",
      name: "ana",
      by: {
        kind: "user",
        token: expect.stringMatching(/^[0-9a-f]{8}$/),
        allowed: "ClusterRoleBinding/ana-cluster-admin",
      },
    });
  });

  it("[AP102] an agent's token does not open the API", async () => {
    api = await anApi({ auth: TOKENS });
    for (const url of [`${BERTH}/tenants`, "/version", "/apis", "/metrics"]) {
      const { status, json } = await api.get(url, NODE);
      expect(status).toBe(403);
      expect(json["reason"]).toBe("Forbidden");
    }
    expect((await api.post(`${BERTH}/tenants`, aTenantObject("x"), NODE)).status).toBe(403);
  });

  it("[AP102] an agent speaks for its own node and about nothing else", async () => {
    api = await anApi({ auth: TOKENS });
    expect((await api.post("/commands", lease("a-1"), NODE)).status).toBe(200);
    expect((await api.post("/commands", lease("b-2"), NODE)).status).toBe(403);
    expect((await api.post("/commands", lease("a-1", "agent:b-2"), NODE)).status).toBe(403);
    const { from, request } = lease("a-1");
    const intent = { kind: "delete", operation: "x", key: "Node//a-1", expect: {} };
    const deleting = { from, request: { ...request, command: { ...request.command, intent } } };
    expect((await api.post("/commands", deleting, NODE)).status).toBe(403);
  });

  it("[AP103] a controller sends commands of controllers, and none as a user or an agent", async () => {
    api = await anApi({ auth: TOKENS });
    const evict = {
      kind: "evict",
      operation: "e",
      replica: "Replica/risk/api.1.0",
      incarnation: 1,
    };
    const evidence = { kind: "drain", node: "a-1" };
    const as = (role: string) => commandOf({ ...evict, evidence }, { role, name: "scaler" });
    for (const role of ["admit", "place", "drain-node"]) {
      const { status, json } = await api.post("/commands", as(role), SCALER);
      expect(status).toBe(200);
      expect(json["kind"]).toBe("outcome");
    }
    for (const role of ["user", "agent"]) {
      const { status, json } = await api.post("/commands", as(role), SCALER);
      expect(status).toBe(403);
      expect(json["message"]).toContain(
        "The controller scaler may send the commands of controllers",
      );
    }
    expect((await api.get(`${BERTH}/tenants`, SCALER)).status).toBe(200);
  });

  it("[AP104] a user fences a node and activates a policy on their own word, and sends no other command", async () => {
    api = await anApi({ auth: TOKENS });
    await api.post(`${BERTH}/nodes`, aNodeObject("a-1"), ANA);
    const fence = (of: { to?: string; name?: string; role?: string }) =>
      commandOf(
        {
          kind: "transition",
          operation: "f",
          key: "Node//a-1",
          session: 0,
          from: "unknown",
          to: of.to ?? "fenced",
          evidence: { kind: "person", name: of.name ?? "ana", statement: "I pulled the plug." },
        },
        { role: of.role ?? "user", name: of.name ?? "ana" },
      );
    for (const not of [{ to: "suspect" }, { name: "bob" }, { role: "node-health" }]) {
      const { status, json } = await api.post("/commands", fence(not), ANA);
      expect(status).toBe(403);
      expect(json["message"]).toContain("A user's token may write objects");
    }
    expect((await api.post("/commands", lease("a-1"), ANA)).status).toBe(403);
    const deleting = { kind: "delete", operation: "x", key: "Node//a-1", expect: {} };
    const asAna = commandOf(deleting, { role: "user", name: "ana" });
    expect((await api.post("/commands", asAna, ANA)).status).toBe(403);
    const move = { kind: "activate", operation: "m", policy: "p", from: "", to: "r", reason: "" };
    for (const [name, status] of [["bob", 403] as const, ["ana", 200] as const]) {
      const moved = commandOf(move, { role: "user", name });
      expect((await api.post("/commands", moved, ANA)).status).toBe(status);
    }
    expect((await api.post("/commands", fence({}), ANA)).status).toBe(200);
    expect((await api.get(`${BERTH}/nodes/a-1`, ANA)).json["status"]?.["health"]).toBe("fenced");
  });

  it("[AP102] an agent introduces its own node, and no other", async () => {
    api = await anApi({ auth: TOKENS });
    expect((await api.post(`${BERTH}/nodes`, aNodeObject("a-1"), NODE)).status).toBe(201);
    expect((await api.post(`${BERTH}/nodes`, aNodeObject("b-2"), NODE)).status).toBe(403);
    expect(api.plane.objects.all("Node").size).toBe(1);
  });

  it("[AP117] why an object is as it is can be asked by its key", async () => {
    api = await anApi();
    const none = await api.get("/decisions?key=Replica/payments/none.1.0");
    expect(none.json).toMatchObject({ decisions: [], waits: [] });
    expect((await api.get("/decisions?key=nonsense")).status).toBe(400);
  });

  it("[IN8] an agent sets no finalizers on its node, and sends nothing but JSON", async () => {
    api = await anApi({ auth: TOKENS });
    const given = aNodeObject("a-1");
    const node = (finalizers: unknown) => ({
      ...given,
      metadata: { ...given.metadata, finalizers },
    });
    for (const finalizers of [["example.com/mine"], "x", {}]) {
      const refused = await api.post(`${BERTH}/nodes`, node(finalizers), NODE);
      expect(refused.status).toBe(403);
      expect(refused.json["message"]).toContain("finalizers");
    }
    const yaml = { ...NODE, "content-type": "application/yaml" };
    expect((await api.post(`${BERTH}/nodes`, "a: 1\n", yaml)).status).toBe(415);
    expect((await api.post(`${BERTH}/nodes`, node([]), NODE)).status).toBe(201);
  });

  it("[AP102] an agent sees the stream of its own node and may ask for outcomes", async () => {
    api = await anApi({ auth: TOKENS });
    expect((await api.get("/stream/list?node=a-1", NODE)).status).toBe(200);
    expect((await api.get("/stream/list?node=b-2", NODE)).status).toBe(403);
    expect((await api.get("/stream/watch?node=b-2&from=1", NODE)).status).toBe(403);
    expect((await api.get("/operations/lease/a-1", NODE)).status).toBe(200);
  });
});
