/** Kubernetes' Leases, by which other people's controllers elect a leader. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { anApiWithTenant, type Api } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/payments/leases";
const lease = (spec: object) => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "leader" },
  spec,
});

it("[AP323] is stored as it was written, and an update with an old resourceVersion is 409", async () => {
  const spec = {
    holderIdentity: "one",
    leaseDurationSeconds: 15,
    acquireTime: "2026-01-31T12:00:00.123456Z",
    renewTime: "2026-01-31T12:00:05.123456+00:00",
    leaseTransitions: 0,
  };
  const { status, json: made } = await api.post(LEASES, lease(spec));
  expect(status).toBe(201);
  expect(made).toMatchObject({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", spec });
  const taken = { ...made, spec: { ...spec, holderIdentity: "two", leaseTransitions: 1 } };
  expect((await api.put(`${LEASES}/leader`, taken)).status).toBe(200);
  expect((await api.put(`${LEASES}/leader`, { ...made, spec })).status).toBe(409);
  const { json: list } = await api.get("/apis/coordination.k8s.io/v1/leases");
  expect(list).toMatchObject({ kind: "LeaseList", items: [{ spec: { holderIdentity: "two" } }] });
  expect((await api.delete(`${LEASES}/leader`)).status).toBe(200);
});

it("[AP323] is patched as Kubernetes' own kinds are, and a wrong time is 422", async () => {
  await api.post(LEASES, lease({}));
  const type = "application/strategic-merge-patch+json";
  const patched = await api.patch(`${LEASES}/leader`, { spec: { holderIdentity: "one" } }, type);
  expect(patched.json["spec"]).toEqual({ holderIdentity: "one" });
  const wrong = await api.patch(`${LEASES}/leader`, { spec: { renewTime: "yesterday" } }, type);
  expect(wrong.status).toBe(422);
});
