import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tenantKey, workloadKey } from "../../src/core/model/ids.ts";
import { bind, replica } from "./a-bound-replica.ts";
import { addressOf, aWatch } from "./a-watch.ts";
import {
  anApiWithTenant,
  aNodeObject,
  type Api,
  aTenantObject,
  aWorkloadObject,
  BERTH,
  textAt,
  WORKLOADS,
} from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const NODES = `${BERTH}/nodes`;
const TENANTS = `${BERTH}/tenants`;
const RISK = `${TENANTS}/risk`;
const API = `${WORKLOADS}/api`;

describe("DELETE", () => {
  it("[AP81] answers a Status that names what is gone", async () => {
    const { json: made } = await api.post(TENANTS, aTenantObject("risk"));
    const { status, json } = await api.delete(RISK);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      kind: "Status",
      status: "Success",
      details: { name: "risk", kind: "tenants", uid: made["metadata"]!["uid"] },
    });
    expect((await api.get(RISK)).status).toBe(404);
    expect((await api.delete(RISK)).status).toBe(404);
  });

  it("[AP66] a repeated deletion meets what it did the first time, also when a namesake has come since", async () => {
    const { json: made } = await api.post(TENANTS, aTenantObject("risk"));
    const key = { "idempotency-key": "once" };
    const first = await api.delete(RISK, undefined, key);
    const again = await api.delete(RISK, undefined, key);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.json["details"]!["uid"]).toBe(made["metadata"]!["uid"]);
    await api.post(TENANTS, aTenantObject("risk"));
    expect((await api.delete(RISK, undefined, key)).status).toBe(200);
    expect((await api.get(RISK)).status).toBe(200);
    // Another request finds nothing to delete, and one that only asks what would happen has not happened.
    await api.delete(RISK);
    const other = { "idempotency-key": "other" };
    expect((await api.delete(RISK, undefined, other)).status).toBe(404);
    expect((await api.delete(`${RISK}?dryRun=All`, undefined, key)).status).toBe(404);
  });

  it("[AP81] preconditions that do not hold are 409", async () => {
    const { json } = await api.post(TENANTS, aTenantObject("risk"));
    const { uid, resourceVersion } = json["metadata"]!;
    await api.patch(RISK, { metadata: { labels: { a: "b" } } });
    expect((await api.delete(RISK, { preconditions: { uid: "u0" } })).status).toBe(409);
    expect((await api.delete(RISK, { preconditions: { resourceVersion } })).status).toBe(409);
    expect((await api.delete(RISK, { preconditions: { uid } })).status).toBe(200);
  });

  it("[AP82] what has finalizers is marked, and asking again is no mistake", async () => {
    await api.post(WORKLOADS, aWorkloadObject("api"));
    const first = await api.delete(API);
    expect(first.json).toMatchObject({ kind: "Workload" });
    expect(first.json["metadata"]!["deletionTimestamp"]).toMatch(/Z$/);
    const again = await api.delete(API);
    expect(again.status).toBe(200);
    expect(again.json["metadata"]).toEqual(first.json["metadata"]);
    expect((await api.patch(API, { spec: { replicas: 3 } })).status).toBe(409);
  });

  it("[AP82] the object goes when the last finalizer is taken off", async () => {
    const finalizers = ["example.com/hold"];
    const metadata = { name: "risk", finalizers };
    await api.post(TENANTS, { ...aTenantObject("risk"), metadata });
    await api.delete(RISK);
    expect((await api.get(RISK)).status).toBe(200);
    const last = await api.patch(RISK, { metadata: { finalizers: null, labels: { a: "b" } } });
    expect(last.status).toBe(200);
    // As it is, not as it was before.
    expect(last.json["metadata"]).toMatchObject({ labels: { a: "b" } });
    expect(last.json["metadata"]?.["finalizers"]).toBeUndefined();
    expect((await api.get(RISK)).status).toBe(404);
  });

  it("[AP82] asking for what another deletion has come to first is no mistake", async () => {
    await api.post(WORKLOADS, aWorkloadObject("api"));
    const submit = api.plane.submit.bind(api.plane);
    // The tenant's deletion reaches the workload while this request is on its way.
    api.plane.submit = async (intent, actor) => {
      api.plane.submit = submit;
      if (intent.kind === "delete")
        await api.send({ kind: "delete", key: intent.key, expect: {} }, "user");
      return submit(intent, actor);
    };
    const { status, json } = await api.delete(API);
    expect([status, json["kind"]]).toEqual([200, "Workload"]);
  });

  it("[AP232] a replica whose workload is being deleted may be deleted, too", async () => {
    await api.post(WORKLOADS, aWorkloadObject("api"));
    const workload = workloadKey("payments", "api");
    await api.send({ kind: "admit", workload, generation: 1, index: 0, incarnation: 1 }, "admit");
    const url = `${BERTH}/namespaces/payments/replicas/api.1.0`;
    const early = await api.delete(url);
    expect([early.status, early.json["reason"]]).toEqual([409, "Conflict"]);
    await api.delete(API);
    const late = await api.delete(url);
    expect([late.status, late.json["kind"]]).toEqual([200, "Replica"]);
    expect((await api.delete(`${url}7`)).status).toBe(404);
  });

  it("[AP340] a deleted replica restarts: a watch sees it go and another come", async () => {
    await bind(api);
    const url = `${BERTH}/namespaces/payments/replicas`;
    const { json: made } = await api.get(`${url}/api.1.0`);
    const uid = textAt(made, "metadata", "uid");
    const resourceVersion = textAt(made, "metadata", "resourceVersion");
    const pods = "/api/v1/namespaces/payments/pods";
    const other = { preconditions: { uid } };
    expect((await api.delete(`${pods}/api.1.0`, other)).status).toBe(409);
    const own = { preconditions: { uid: `${uid}.pod` } };
    const { status, json } = await api.delete(`${pods}/api.1.0`, own);
    expect([status, json["kind"]]).toEqual([200, "Pod"]);
    expect(json["metadata"]).toHaveProperty("deletionTimestamp");
    const gone = { replica, incarnation: 1, node: "a-1", session: 1, stage: "released" } as const;
    await api.send({ kind: "report", ...gone }, "agent");
    const workload = workloadKey("payments", "api");
    await api.send({ kind: "admit", workload, generation: 1, index: 0, incarnation: 2 }, "admit");
    const watch = await aWatch(api.app, `${url}?watch=1&resourceVersion=${resourceVersion}`);
    expect(await watch.story(4)).toEqual([
      "MODIFIED api.1.0",
      "MODIFIED api.1.0",
      "DELETED api.1.0",
      "ADDED api.1.0",
    ]);
    watch.close();
    expect((await api.get(`${url}/api.1.0`)).json["metadata"]!["uid"]).not.toBe(uid);
  });

  it("[AP82] a user does not take the plane's own finalizer off", async () => {
    await api.post(WORKLOADS, aWorkloadObject("api"));
    await api.delete(API);
    await api.patch(API, { metadata: { finalizers: null } });
    expect((await api.get(API)).json["metadata"]!["finalizers"]).toEqual(["berth.dev/replicas"]);
    const held = api.plane.objects.workload(workloadKey("payments", "api"))!;
    await api.send(
      {
        kind: "put",
        key: held.key,
        desired: { kind: "Workload", spec: held.spec },
        labels: {},
        finalizers: [],
        expect: {},
      },
      "admit",
    );
    expect((await api.get(API)).status).toBe(404);
  });

  it.each(["Background", "Foreground"])("[AP83] %s is accepted", async (propagationPolicy) => {
    await api.post(TENANTS, aTenantObject("risk"));
    const body = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy };
    expect((await api.delete(RISK, { ...body, gracePeriodSeconds: 5 })).status).toBe(200);
  });

  it("[AP83] Orphan is 422, in the body and in the query", async () => {
    await api.post(TENANTS, aTenantObject("risk"));
    expect((await api.delete(RISK, { propagationPolicy: "Orphan" })).status).toBe(422);
    expect((await api.delete(`${RISK}?propagationPolicy=Orphan`)).status).toBe(422);
    expect(api.plane.objects.get(tenantKey("risk"))).toBeDefined();
  });

  it("[AP89] a node that replicas hold goes with Orphan, and is 409 without", async () => {
    const node = `${BERTH}/nodes/a-1`;
    await bind(api);
    expect((await api.delete(node)).status).toBe(409);
    expect((await api.delete(node, { propagationPolicy: "Orphan" })).status).toBe(200);
    expect((await api.get(node)).status).toBe(404);
    expect(api.plane.objects.replica(replica)?.status.node).toBe("a-1");
  });

  it("[AP84] of a collection deletes what the selectors match", async () => {
    for (const name of ["a", "b", "c"]) {
      const metadata = { name, labels: { app: name === "c" ? "keep" : "go" } };
      await api.post(TENANTS, { ...aTenantObject(name), metadata });
    }
    const { status, json } = await api.delete(`${TENANTS}?labelSelector=app%3Dgo`);
    expect(status).toBe(200);
    expect(json["items"]).toHaveLength(2);
    const left = (await api.get(TENANTS)).json["items"] as unknown as {
      metadata: { name: string };
    }[];
    expect(left.map(({ metadata }) => metadata.name)).toEqual(["c", "payments"]);
  });

  it("[AP84] of a collection says what could not be deleted", async () => {
    await bind(api);
    await api.post(NODES, aNodeObject("b-2"));
    const { status, json } = await api.delete(NODES);
    expect(status).toBe(409);
    expect(json["message"]).toContain("a-1");
    expect((await api.get(`${NODES}/b-2`)).status).toBe(404);
  });

  it("[HB5] of a collection tells in parts what it deleted, also where it only says what it would", async () => {
    const small = await anApiWithTenant({ limits: { answerChunkBytes: 1_000 } });
    try {
      const names = ["a", "b", "c", "d"];
      const annotations = { note: "x".repeat(1_000) };
      for (const name of names)
        await small.post(TENANTS, { ...aTenantObject(name), metadata: { name, annotations } });
      const url = `${await addressOf(small.app)}${TENANTS}?fieldSelector=metadata.name!%3Dpayments`;
      for (const query of ["&dryRun=All", ""]) {
        const response = await fetch(`${url}${query}`, { method: "DELETE" });
        expect(response.headers.get("transfer-encoding")).toBe("chunked");
        const { items } = (await response.json()) as {
          readonly items: readonly { readonly metadata: { readonly name: string } }[];
        };
        expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
      }
      expect((await small.get(`${TENANTS}/a`)).status).toBe(404);
    } finally {
      await small.close();
    }
  });

  it.each([5, { toString: 1 }, [{ toString: 1 }], ["All", "Some"], "Some"])(
    "[IN9] a dryRun of %j in its options is 400",
    async (dryRun) => {
      await api.post(TENANTS, aTenantObject("risk"));
      const { status, json } = await api.delete(RISK, { dryRun });
      expect(status).toBe(400);
      expect(json["message"]).toContain("it can be All");
      expect((await api.get(RISK)).status).toBe(200);
    },
  );
});
