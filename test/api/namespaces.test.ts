/** Tenants as Kubernetes clients know them, and what goes with a tenant. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createControllers } from "../../src/host/controllers.ts";
import { until } from "../host/a-running-plane.ts";
import { anApi, type Api, aTenantObject, aWorkloadObject, BERTH, WORKLOADS } from "./an-api.ts";

const NAMESPACES = "/api/v1/namespaces";

let api: Api;
beforeEach(async () => {
  api = await anApi({ controllers: () => createControllers({ schedulers: 1 }) });
});
afterEach(() => api.close());

/** As `kubectl create namespace` sends it. */
const aNamespace = (name: string, labels = {}) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, creationTimestamp: null, labels },
  spec: {},
  status: {},
});

it("[AP114] a tenant is a namespace, and shows nothing of its spec there", async () => {
  await api.post(`${BERTH}/tenants`, { ...aTenantObject(), spec: { displayName: "Payments" } });
  const { json } = await api.get(`${NAMESPACES}/payments`);
  expect(json).toMatchObject({
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name: "payments" },
    spec: {},
    status: { phase: "Active" },
  });
  expect((await api.get(NAMESPACES)).json["kind"]).toBe("NamespaceList");
});

it("[AP114] making a namespace makes a tenant that work can be put into", async () => {
  const made = await api.post(NAMESPACES, aNamespace("payments", { team: "core" }));
  expect(made.status).toBe(201);
  expect((await api.post(NAMESPACES, aNamespace("payments"))).status).toBe(409);
  const tenant = await api.get(`${BERTH}/tenants/payments`);
  expect(tenant.json["metadata"]!["labels"]).toEqual({ team: "core" });
  expect((await api.post(WORKLOADS, aWorkloadObject())).status).toBe(201);
  expect((await api.post(NAMESPACES, aTenantObject("x"))).status).toBe(400);
});

it("[AP114] a write of a namespace leaves the tenant its display name", async () => {
  await api.post(`${BERTH}/tenants`, { ...aTenantObject(), spec: { displayName: "Payments" } });
  const patch = { metadata: { labels: { team: "core" } } };
  expect((await api.patch(`${NAMESPACES}/payments`, patch)).status).toBe(200);
  const { json } = await api.get(`${BERTH}/tenants/payments`);
  expect(json["spec"]).toEqual({ displayName: "Payments" });
  expect(json["metadata"]!["labels"]).toEqual({ team: "core" });
  expect(json["metadata"]!["generation"]).toBe(1);
});

it("[AP114] deleting an empty namespace deletes the tenant at once", async () => {
  await api.post(NAMESPACES, aNamespace("payments"));
  const { status, json } = await api.delete(`${NAMESPACES}/payments`);
  expect(status).toBe(200);
  expect(json["kind"]).toBe("Status");
  expect((await api.get(`${BERTH}/tenants/payments`)).status).toBe(404);
});

it("[AP88] a tenant is marked and takes all it owns with it", async () => {
  await api.post(NAMESPACES, aNamespace("payments"));
  await api.post(WORKLOADS, aWorkloadObject("one"));
  await api.post(WORKLOADS, aWorkloadObject("two", { metadata: { finalizers: ["x/hold"] } }));
  await api.post(`${BERTH}/namespaces/payments/quotas`, {
    apiVersion: "berth.dev/v1",
    kind: "Quota",
    metadata: { name: "default" },
    spec: { limit: { cpu: 4, memory: "4Gi" } },
  });
  const { status, json } = await api.delete(`${BERTH}/tenants/payments`);
  expect(status).toBe(200);
  expect(json["metadata"]).toMatchObject({ finalizers: ["berth.dev/contents"] });
  expect(json["metadata"]!["deletionTimestamp"]).toBeDefined();
  const namespace = await api.get(`${NAMESPACES}/payments`);
  expect(namespace.json["status"]).toEqual({ phase: "Terminating" });
  const late = await api.post(WORKLOADS, aWorkloadObject("late"));
  expect(late.status).toBe(409);
  expect(late.json["details"]!["causes"]![0]!["reason"]).toBe("being-deleted");
  // What somebody else holds is theirs to let go, and the tenant waits for it.
  await until("one workload to be left", () =>
    api.plane.objects.all("Workload").size === 1 ? true : undefined,
  );
  expect((await api.get(`${BERTH}/tenants/payments`)).status).toBe(200);
  await api.patch(`${WORKLOADS}/two`, { metadata: { finalizers: null } });
  await until("the tenant to go", () =>
    api.plane.objects.all("Tenant").size === 0 ? true : undefined,
  );
  expect(api.plane.objects.all("Quota").size).toBe(0);
  expect(api.plane.objects.all("Workload").size).toBe(0);
  expect((await api.post(NAMESPACES, aNamespace("payments"))).status).toBe(201);
});

it("[AP83] what a tenant owns cannot be orphaned", async () => {
  await api.post(NAMESPACES, aNamespace("payments"));
  for (const url of [`${BERTH}/tenants/payments`, `${NAMESPACES}/payments`]) {
    const { status, json } = await api.delete(url, { propagationPolicy: "Orphan" });
    expect(status).toBe(422);
    expect(json["message"]).toContain("of a workload or tenant are deleted with it");
  }
});

const part = (field: number, body: string | Buffer): Buffer => {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from([field * 8 + 2, bytes.length]), bytes]);
};

const enveloped = (kind: string, metadata: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from("k8s\0"),
    part(1, Buffer.concat([part(1, "v1"), part(2, kind)])),
    part(2, part(1, metadata)),
  ]);

const send = (payload: Buffer) =>
  api.app.inject({
    method: "POST",
    url: NAMESPACES,
    headers: { "content-type": "application/vnd.kubernetes.protobuf" },
    payload,
  });

describe("the binary form", () => {
  it("[AP13] of a namespace is read, labels and all", async () => {
    const label = part(11, Buffer.concat([part(1, "team"), part(2, "core")]));
    const { statusCode } = await send(
      enveloped("Namespace", Buffer.concat([part(1, "shop"), label])),
    );
    expect(statusCode).toBe(201);
    const { json } = await api.get(`${BERTH}/tenants/shop`);
    expect(json["metadata"]!["labels"]).toEqual({ team: "core" });
  });

  it("[AP13] of anything else is 415, and what is cut short is 400", async () => {
    expect((await send(enveloped("Pod", part(1, "shop")))).statusCode).toBe(415);
    const whole = enveloped("Namespace", part(1, "shop"));
    for (let length = 1; length < whole.length; length++) {
      const { statusCode } = await send(whole.subarray(0, length));
      expect([400, 415, 422]).toContain(statusCode);
    }
    expect((await send(Buffer.from("nonsense"))).statusCode).toBe(400);
    expect(
      (await send(Buffer.concat([Buffer.from("k8s\0"), Buffer.alloc(20, 0xff)]))).statusCode,
    ).toBe(400);
    expect(api.plane.objects.all("Tenant").size).toBe(0);
  });
});
