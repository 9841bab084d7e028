import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bind } from "./a-bound-replica.ts";
import { addressOf } from "./a-watch.ts";
import {
  anApi,
  anApiWithTenant,
  aNodeObject,
  type Api,
  aTenantObject,
  aWorkloadObject,
  BERTH,
  WORKLOADS,
} from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const aQuotaObject = (cpu: number) => ({
  apiVersion: "berth.dev/v1",
  kind: "Quota",
  metadata: { name: "default" },
  spec: { limit: { cpu, memory: "1Gi" } },
});

describe("errors", () => {
  it("[AP90] an unknown path is a Status of 404", async () => {
    for (const url of ["/nothing", `${BERTH}/widgets`, `${BERTH}/namespaces/x/nodes/a`]) {
      const { status, json } = await api.get(url);
      expect(status).toBe(404);
      expect(json).toMatchObject({
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        reason: "NotFound",
        code: 404,
      });
    }
  });

  it("[AP90] a method that a path does not have is 405 with Allow", async () => {
    const { status, headers, json } = await api.post(`${BERTH}/replicas`, {});
    expect(status).toBe(405);
    expect(headers["allow"]).toBe("GET, HEAD");
    expect(json["reason"]).toBe("MethodNotAllowed");
    expect((await api.delete(`${BERTH}/namespaces/payments/endpoints/x`)).status).toBe(405);
  });

  it("[AP91] a tenant that is not there is 404 and named", async () => {
    const { status, json } = await api.post(
      `${BERTH}/namespaces/nobody/workloads`,
      aWorkloadObject("api"),
    );
    expect(status).toBe(404);
    expect(json["message"]).toBe('namespaces "nobody" not found');
  });

  it("[AP91] a priority class that is not there is 422", async () => {
    const spec = { priorityClass: "urgent" };
    const { status, json } = await api.post(WORKLOADS, aWorkloadObject("api", { spec }));
    expect(status).toBe(422);
    expect(json["message"]).toContain('no PriorityClass "urgent"');
  });

  it("[AP91] what is still in use is 409 with the refusal as its cause", async () => {
    await bind(api);
    const { status, json } = await api.delete(`${BERTH}/nodes/a-1`);
    expect(status).toBe(409);
    expect(json["details"]!["causes"]![0]!["reason"]).toBe("still-in-use");
  });

  it("[AP91] a quota that is in use is made smaller, and stays, marked, when it is deleted", async () => {
    const quotas = `${BERTH}/namespaces/payments/quotas`;
    await api.post(quotas, aQuotaObject(1));
    await api.post(WORKLOADS, aWorkloadObject("api"));
    const workload = "Workload/payments/api" as never;
    await api.send({ kind: "admit", workload, generation: 1, index: 0, incarnation: 1 }, "admit");
    const replica = "Replica/payments/api.1.0" as never;
    await api.send({ kind: "reserve", replica, incarnation: 1, deadlineMs: 1_000 }, "admit");
    expect((await api.put(`${quotas}/default`, aQuotaObject(0))).status).toBe(200);
    const { status, json } = await api.delete(`${quotas}/default`);
    expect(status).toBe(200);
    expect(json["metadata"]).toMatchObject({ finalizers: ["berth.dev/reserved"] });
    expect(json["metadata"]?.["deletionTimestamp"]).toBeDefined();
    expect((await api.delete(`${quotas}/default`)).status).toBe(200);
  });

  it("[AP91] a name that cannot be is 422", async () => {
    const { status, json } = await api.post(`${BERTH}/tenants`, aTenantObject("No_Name"));
    expect(status).toBe(422);
    expect(json["reason"]).toBe("Invalid");
  });

  it("[AP92] while the plane does not lead, writes are 503 and reads go on", async () => {
    api.stopLeading();
    const { status, json, headers } = await api.post(`${BERTH}/tenants`, aTenantObject("risk"));
    expect(status).toBe(503);
    expect(json["reason"]).toBe("ServiceUnavailable");
    expect(headers["retry-after"]).toBe("1");
    const tried = await api.post(`${BERTH}/tenants?dryRun=All`, aTenantObject("risk"));
    expect(tried.status).toBe(503);
    expect((await api.get(`${BERTH}/tenants`)).status).toBe(200);
  });
});

describe("bad input", () => {
  it.each([
    { title: "[AP93] half a JSON object", body: '{"kind": "Ten', type: "application/json" },
    { title: "[AP93] no JSON at all", body: "hello", type: "application/json" },
    { title: "[AP93] an empty body", body: "", type: "application/json" },
    { title: "[AP93] a list", body: "[]", type: "application/json" },
    { title: "[AP93] broken YAML", body: "a: [b\nc: d", type: "application/yaml" },
    { title: "[AP93] two documents", body: "a: b\n---\nc: d", type: "application/yaml" },
    {
      title: "[AP95] a thousand lists in each other",
      body: `{"a":${"[".repeat(1_000)}${"]".repeat(1_000)}}`,
      type: "application/json",
    },
    {
      title: "[AP95] YAML that multiplies itself",
      body: `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d]`,
      type: "application/yaml",
    },
    {
      title: "[AP95] YAML that contains itself",
      body: "a: &a [*a]",
      type: "application/yaml",
    },
    { title: "[AP95] a new prototype", body: '{"__proto__": {"x": 1}}', type: "application/json" },
  ])("$title is 400 and says why", async ({ body, type }) => {
    const { status, json } = await api.post(`${BERTH}/tenants`, body, { "content-type": type });
    expect(status).toBe(400);
    expect(json["reason"]).toBe("BadRequest");
    expect(json["message"]).toMatch(/^Invalid request body\. .+/);
  });

  it("[AP93] the place of the mistake is in the message", async () => {
    const broken = "apiVersion: berth.dev/v1\nkind: [Tenant\n";
    const { json } = await api.post(`${BERTH}/tenants`, broken, {
      "content-type": "application/yaml",
    });
    expect(json["message"]).toMatch(/line \d+, column \d+/);
  });

  it("[AP94] a body of more than 3 MiB is 413", async () => {
    const annotations = { big: "x".repeat(4 * 1024 * 1024) };
    const { status, json } = await api.post(`${BERTH}/tenants`, {
      ...aTenantObject("big"),
      metadata: { name: "big", annotations },
    });
    expect(status).toBe(413);
    expect(json["reason"]).toBe("RequestEntityTooLarge");
    expect((await api.get("/healthz")).status).toBe(200);
  });

  it("[AP94] a hundred megabytes without a length are not kept, and the server goes on", async () => {
    const socket = await openSocket();
    socket.write(
      `POST ${BERTH}/tenants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const answer = new Promise<string>((resolve) =>
      socket.once("data", (data) => resolve(String(data))),
    );
    const megabyte = "x".repeat(1024 * 1024);
    for (let sent = 0; sent < 100; sent++) {
      if (!socket.write(`100000\r\n${megabyte}\r\n`)) await once(socket, "drain");
    }
    expect(await answer).toContain("413");
    socket.destroy();
    expect((await api.get("/healthz")).status).toBe(200);
  });

  it("[AP96] connections that send nothing are closed", async () => {
    await api.close();
    api = await anApi({ limits: { headersTimeoutMs: 100, connectionCheckMs: 50 } });
    const sockets = await Promise.all(Array.from({ length: 50 }, openSocket));
    await Promise.all(sockets.map((socket) => once(socket, "close")));
    expect((await api.get("/healthz")).status).toBe(200);
  });

  it("[AP93] a query that is given twice, or makes no sense, does not end the server", async () => {
    await api.post(`${BERTH}/nodes`, aNodeObject());
    expect((await api.get(`${BERTH}/nodes?limit=1&limit=2`)).status).toBe(200);
    expect((await api.get(`${BERTH}/nodes?labelSelector=%E0%A4%A`)).status).toBeLessThan(500);
    expect((await api.get(`${BERTH}/nodes/%2e%2e%2f`)).status).toBe(404);
    expect((await api.get(`${BERTH}/nodes/%zz`)).status).toBeLessThan(500);
  });
});

async function openSocket(): Promise<Socket> {
  const { port } = new URL(await addressOf(api.app));
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  // The server may well cut the connection while we write.
  socket.on("error", () => {});
  // A socket that nobody reads does not notice that it was closed.
  socket.resume();
  await once(socket, "connect");
  return socket;
}

const once = (socket: Socket, event: string): Promise<void> =>
  new Promise((resolve) => void socket.once(event, () => resolve()));
