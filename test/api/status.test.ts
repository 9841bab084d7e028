import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  anApiWithTenant,
  type AnyJson,
  aNodeObject,
  type Api,
  aWorkloadObject,
  BERTH,
  WORKLOADS,
} from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
  await api.post(WORKLOADS, aWorkloadObject("api"));
});
afterEach(() => api.close());

const API = `${WORKLOADS}/api`;
const STATUS = `${API}/status`;
const JSON_PATCH = "application/json-patch+json";
const APPLY = "application/apply-patch+yaml";

const reviewed = (of: Readonly<Record<string, unknown>> = {}) => ({
  type: "example.com/Reviewed",
  status: "True",
  reason: "LooksGood",
  message: "Ana has read it.",
  lastTransitionTime: "2024-05-01T12:00:00Z",
  ...of,
});

const conditionsOf = (json: AnyJson): readonly AnyJson[] =>
  json["status"]!["conditions"] as unknown as readonly AnyJson[];
const typesOf = (json: AnyJson) => conditionsOf(json).map(({ type }) => type);
const read = async (): Promise<AnyJson> => (await api.get(API)).json;
const applying = (conditions: readonly unknown[]) => ({
  apiVersion: "berth.dev/v1",
  kind: "Workload",
  metadata: { name: "api" },
  status: { conditions },
});

describe("a condition of a client's own", () => {
  it("[AP85] comes with PUT, is shown everywhere, and raises no generation", async () => {
    const before = await read();
    const status = {
      ...(before["status"] as object),
      conditions: [...conditionsOf(before), reviewed()],
    };
    const written = await api.put(STATUS, { ...before, status });
    expect(written.status).toBe(200);
    expect(typesOf(written.json)).toEqual(["Available", "Progressing", "example.com/Reviewed"]);
    const after = await read();
    expect(conditionsOf(after)[2]).toEqual(reviewed());
    expect(after["metadata"]!["generation"]).toBe(1);
    expect(after["metadata"]!["resourceVersion"]).not.toBe(before["metadata"]!["resourceVersion"]);
    expect((await api.get(STATUS)).json).toEqual(after);
  });

  it("[AP85] comes with a merge patch that names nothing else, and goes with another", async () => {
    const patched = await api.patch(STATUS, { status: { conditions: [reviewed()] } });
    expect(patched.status).toBe(200);
    expect(typesOf(await read())).toEqual(["Available", "Progressing", "example.com/Reviewed"]);
    await api.patch(STATUS, { status: { conditions: [] } });
    expect(typesOf(await read())).toEqual(["Available", "Progressing"]);
  });

  it("[AP85] comes with a JSON patch", async () => {
    const add = [{ op: "add", path: "/status/conditions/-", value: reviewed() }];
    expect((await api.patch(STATUS, add, JSON_PATCH)).status).toBe(200);
    expect(conditionsOf(await read())[2]).toEqual(reviewed());
  });

  it("[AP85] stays through writes of the object, scaling and deletion", async () => {
    await api.patch(STATUS, { status: { conditions: [reviewed()] } });
    await api.put(API, aWorkloadObject("api", { spec: { replicas: 4 } }));
    await api.put(`${API}/scale`, { spec: { replicas: 2 } });
    expect(conditionsOf(await read())[2]).toEqual(reviewed());
    await api.delete(API);
    expect((await api.patch(STATUS, { status: { conditions: [] } })).status).toBe(200);
    expect(typesOf(await read())).toEqual(["Available", "Progressing"]);
  });

  it("[AP85] is kept on nodes and quotas, too, and not on endpoints", async () => {
    await api.post(`${BERTH}/nodes`, aNodeObject());
    const node = await api.patch(`${BERTH}/nodes/a-1/status`, {
      status: { conditions: [reviewed()] },
    });
    expect(typesOf(node.json)).toEqual(["Ready", "Schedulable", "example.com/Reviewed"]);
    const quotas = `${BERTH}/namespaces/payments/quotas`;
    const metadata = { name: "default" };
    const spec = { limit: { cpu: 1, memory: "1Gi" } };
    await api.post(quotas, { apiVersion: "berth.dev/v1", kind: "Quota", metadata, spec });
    const quota = await api.patch(`${quotas}/default/status`, {
      status: { conditions: [reviewed()] },
    });
    expect(typesOf(quota.json)).toEqual(["example.com/Reviewed"]);
    await api.patch(STATUS, { status: { conditions: [reviewed()] } });
    const endpoints = await api.get(`${BERTH}/namespaces/payments/endpoints/api`);
    expect(endpoints.json["status"]).toEqual({ addresses: [] });
  });

  it("[AP85] that an apply no longer names goes, and what others keep stays", async () => {
    const [a, b] = [reviewed({ type: "A" }), reviewed({ type: "B" })];
    const as = (who: string, conditions: readonly unknown[], more = "") =>
      api.patch(`${STATUS}?fieldManager=${who}${more}`, applying(conditions), APPLY);
    expect((await as("ana", [a])).status).toBe(200);
    expect((await as("bob", [b])).status).toBe(200);
    expect(typesOf(await read()).slice(2)).toEqual(["A", "B"]);
    const contested = await as("bob", [b, { ...a, status: "False" }]);
    expect(contested.status).toBe(409);
    expect(contested.json["message"]).toBe(
      'Apply failed with 1 conflict: conflict with "ana": .status.conditions[type="A"]',
    );
    expect((await as("bob", [b, { ...a, status: "False" }], "&force=true")).status).toBe(200);
    expect((await as("ana", [])).status).toBe(200);
    expect(typesOf(await read()).slice(2)).toEqual(["B", "A"]);
    expect((await as("bob", [])).status).toBe(200);
    expect(typesOf(await read()).slice(2)).toEqual([]);
    expect((await api.patch(STATUS, applying([a]), APPLY)).status).toBe(400);
  });

  it("[AP85] has an owner in managedFields that writes of the object leave alone", async () => {
    await api.patch(`${STATUS}?fieldManager=reviewer`, { status: { conditions: [reviewed()] } });
    await api.patch(API, { metadata: { labels: { a: "b" } } });
    const entries = (await read())["metadata"]!["managedFields"] as unknown as readonly AnyJson[];
    const [entry, ...others] = entries.filter(({ subresource }) => subresource !== undefined);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      manager: "reviewer",
      operation: "Update",
      subresource: "status",
      fieldsV1: { "f:status": { "f:conditions": { 'k:{"type":"example.com/Reviewed"}': {} } } },
    });
  });
});

describe("a write of /status", () => {
  it("[AP74] passes over spec and metadata", async () => {
    const before = await read();
    const { status } = await api.patch(STATUS, {
      metadata: { labels: { a: "b" }, finalizers: ["x/y"] },
      spec: { replicas: 77, nonsense: true },
    });
    expect(status).toBe(200);
    expect(await read()).toEqual(before);
  });

  it("[AP74] sends back what is shown without changing anything", async () => {
    await api.patch(STATUS, { status: { conditions: [reviewed()] } });
    const { revision } = api.plane;
    expect((await api.put(STATUS, await read())).status).toBe(200);
    expect(api.plane.revision).toBe(revision);
  });

  it("[AP74] with a resourceVersion that is no longer the newest is 409", async () => {
    const before = await read();
    await api.patch(API, { metadata: { labels: { a: "b" } } });
    expect((await api.put(STATUS, before)).status).toBe(409);
    const { resourceVersion } = before["metadata"]!;
    const patched = await api.patch(STATUS, { metadata: { resourceVersion }, status: {} });
    expect(patched.status).toBe(409);
  });

  it("[AP74] of another name or type is 400, of an object that is not there 404", async () => {
    const object = await read();
    expect((await api.put(STATUS, { ...object, kind: "Node" })).status).toBe(400);
    const metadata = { ...(object["metadata"] as object), name: "web" };
    expect((await api.put(STATUS, { ...object, metadata })).status).toBe(400);
    expect((await api.patch(`${WORKLOADS}/web/status`, { status: {} })).status).toBe(404);
  });

  it("[AP74] of what only the plane writes is 405", async () => {
    const { status, headers } = await api.put(`${BERTH}/namespaces/payments/replicas/x/status`, {});
    expect(status).toBe(405);
    expect(headers["allow"]).toBe("GET, HEAD");
  });

  it("[AP74] is tried out with dryRun=All", async () => {
    const tried = await api.patch(`${STATUS}?dryRun=All`, { status: { conditions: [reviewed()] } });
    expect(typesOf(tried.json)).toContain("example.com/Reviewed");
    expect(typesOf(await read())).not.toContain("example.com/Reviewed");
  });

  it.each([
    [{ readyReplicas: 9 }, "status.readyReplicas"],
    [{ made: "up" }, "status.made"],
    [{ conditions: [reviewed({ type: "Available" })] }, "status.conditions[0]"],
    [{ conditions: [reviewed({ type: "Complete" })] }, "status.conditions[0]"],
  ])("[AP86] of what the plane computes is 422 and says so: %j", async (status, field) => {
    const answer = await api.patch(STATUS, { status });
    expect(answer.status).toBe(422);
    const [cause] = answer.json["details"]!["causes"] as unknown as readonly AnyJson[];
    expect(cause).toMatchObject({ field });
    expect(cause!["message"]).toContain("is owned by the plane");
  });

  it("[AP86] of what the plane has changed since the client looked is 409", async () => {
    const before = await read();
    await api.send(
      {
        kind: "admit",
        workload: "Workload/payments/api" as never,
        generation: 1,
        index: 0,
        incarnation: 1,
      },
      "admit",
    );
    const conditions = [...conditionsOf(before), reviewed()];
    const status = { ...(before["status"] as object), conditions };
    expect((await api.put(STATUS, { ...before, status })).status).toBe(409);
    const { resourceVersion: _, ...metadata } = before["metadata"] as object as AnyJson;
    expect((await api.put(STATUS, { ...before, metadata, status })).status).toBe(422);
  });
});

describe("the form of a condition", () => {
  it.each([
    [{ type: "" }, "type"],
    [{ type: "has space" }, "type"],
    [{ type: "x".repeat(317) }, "type"],
    [{ status: "Maybe" }, "status"],
    [{ reason: "" }, "reason"],
    [{ reason: "two words" }, "reason"],
    [{ message: 7 }, "message"],
    [{ message: "x".repeat(32_769) }, "message"],
    [{ lastTransitionTime: "yesterday" }, "lastTransitionTime"],
    [{ lastTransitionTime: "2024-13-45T99:00:00Z" }, "lastTransitionTime"],
    [{ observedGeneration: -1 }, "observedGeneration"],
    [{ extra: 1 }, "extra"],
  ])("[AP87] that cannot be is 422 and named: %j", async (of, field) => {
    const { status, json } = await api.patch(STATUS, { status: { conditions: [reviewed(of)] } });
    expect(status).toBe(422);
    const causes = json["details"]!["causes"] as unknown as readonly AnyJson[];
    expect(causes.map((cause) => cause["field"])).toEqual([`status.conditions[0].${field}`]);
  });

  it.each([
    ["no list", "x", "status.conditions"],
    ["no condition", ["x"], "status.conditions[0]"],
    ["twice the same type", [reviewed(), reviewed({ status: "False" })], "status.conditions"],
    [
      "too many",
      Array.from({ length: 33 }, (_, at) => reviewed({ type: `T${at}` })),
      "status.conditions",
    ],
  ])("[AP87] %s is 422", async (_, conditions, field) => {
    const { status, json } = await api.patch(STATUS, { status: { conditions } });
    expect(status).toBe(422);
    const causes = json["details"]!["causes"] as unknown as readonly AnyJson[];
    expect(causes[0]).toMatchObject({ field });
  });

  it("[AP87] leaves the time to the server, which keeps it while the status stays", async () => {
    const { lastTransitionTime: _, ...timeless } = reviewed();
    await api.patch(STATUS, { status: { conditions: [reviewed()] } });
    await api.patch(STATUS, { status: { conditions: [{ ...timeless, message: "Again." }] } });
    expect(conditionsOf(await read())[2]).toMatchObject({
      message: "Again.",
      lastTransitionTime: "2024-05-01T12:00:00Z",
    });
    await api.patch(STATUS, { status: { conditions: [{ ...timeless, status: "False" }] } });
    const [, , changed] = conditionsOf(await read());
    expect(changed!["lastTransitionTime"]).not.toBe("2024-05-01T12:00:00Z");
  });
});
