import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  anApiWithTenant,
  type AnyJson,
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

const API = `${WORKLOADS}/api`;
const withSpec = (spec: Readonly<Record<string, unknown>>) => aWorkloadObject("api", { spec });
const versionOf = (json: AnyJson): string => textAt(json, "metadata", "resourceVersion");
const causesOf = (json: AnyJson) =>
  json["details"]!["causes"] as unknown as { reason: string; message: string; field: string }[];

describe("POST", () => {
  it("[AP60] the server sets uid, creationTimestamp, resourceVersion and generation", async () => {
    const { status, json } = await api.post(WORKLOADS, aWorkloadObject("api"));
    expect(status).toBe(201);
    expect(json["metadata"]).toMatchObject({
      name: "api",
      namespace: "payments",
      uid: expect.stringMatching(/.+/),
      creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      resourceVersion: String(api.plane.revision),
      generation: 1,
    });
    expect((await api.get(API)).json).toEqual(json);
  });

  it("[AP61] a name that is taken is 409 AlreadyExists", async () => {
    await api.post(WORKLOADS, aWorkloadObject("api"));
    const { status, json } = await api.post(WORKLOADS, aWorkloadObject("api"));
    expect(status).toBe(409);
    expect(json).toMatchObject({
      reason: "AlreadyExists",
      message: 'workloads.berth.dev "api" already exists',
      details: { name: "api", group: "berth.dev", kind: "workloads" },
    });
  });

  it("[AP62] generateName makes names that differ", async () => {
    const { metadata: _, ...rest } = aWorkloadObject();
    const body = { ...rest, metadata: { generateName: "job-" } };
    const names = new Set<string>();
    for (let at = 0; at < 5; at++) {
      const { status, json } = await api.post(WORKLOADS, body);
      expect(status).toBe(201);
      names.add(textAt(json, "metadata", "name"));
    }
    expect(names.size).toBe(5);
    for (const name of names) expect(name).toMatch(/^job-[a-z0-9]{5}$/);
    expect((await api.post(WORKLOADS, { ...rest, metadata: {} })).status).toBe(422);
  });

  it("[AP66] a repeated request meets what it did the first time", async () => {
    const key = { "idempotency-key": "once" };
    const first = await api.post(WORKLOADS, aWorkloadObject("api"), key);
    const again = await api.post(WORKLOADS, aWorkloadObject("api"), key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json["metadata"]!["uid"]).toBe(first.json["metadata"]!["uid"]);
    const { metadata: _, ...rest } = aWorkloadObject();
    const body = { ...rest, metadata: { generateName: "job-" } };
    const made = await api.post(WORKLOADS, body, key);
    expect((await api.post(WORKLOADS, body, key)).json["metadata"]!["name"]).toBe(
      made.json["metadata"]!["name"],
    );
  });

  it("[AP64] a namespace other than the path's, or a resourceVersion, is 400", async () => {
    const elsewhere = aWorkloadObject("api", { metadata: { namespace: "risk" } });
    expect((await api.post(WORKLOADS, elsewhere)).status).toBe(400);
    const known = aWorkloadObject("api", { metadata: { resourceVersion: "3" } });
    expect((await api.post(WORKLOADS, known)).status).toBe(400);
  });
});

describe("PUT", () => {
  beforeEach(() => api.post(WORKLOADS, aWorkloadObject("api")));

  it("[AP66] a repeated one meets its first outcome, whatever it expected and whatever was written since", async () => {
    const { json: read } = await api.get(`${WORKLOADS}/api`);
    const key = { "idempotency-key": "once" };
    const body = { ...read, spec: { ...read["spec"], replicas: 3 } };
    const first = await api.put(`${WORKLOADS}/api`, body, key);
    expect(first.status).toBe(200);
    const again = await api.put(`${WORKLOADS}/api`, body, key);
    expect(again.status).toBe(200);
    expect(again.json["metadata"]!["generation"]).toBe(first.json["metadata"]!["generation"]);
    await api.patch(`${WORKLOADS}/api`, { spec: { replicas: 5 } });
    const late = await api.put(`${WORKLOADS}/api`, body, key);
    expect(late.status).toBe(200);
    expect(late.json["spec"]!["replicas"]).toBe(3);
    expect((await api.get(`${WORKLOADS}/api`)).json["spec"]!["replicas"]).toBe(5);
    // Another request with the same expectation has not been carried out.
    const other = { "idempotency-key": "other" };
    expect((await api.put(`${WORKLOADS}/api`, body, other)).status).toBe(409);
  });

  it("[AP63] of a resourceVersion that is not the newest is 409 Conflict", async () => {
    const { json } = await api.get(API);
    expect((await api.put(API, { ...json, spec: withSpec({ replicas: 2 }).spec })).status).toBe(
      200,
    );
    const late = await api.put(API, { ...json, spec: withSpec({ replicas: 3 }).spec });
    expect(late.status).toBe(409);
    expect(late.json["reason"]).toBe("Conflict");
    expect(late.json["message"]).toContain("the object has been modified");
    expect((await api.get(API)).json["spec"]!["replicas"]).toBe(2);
  });

  it("[AP63] without a resourceVersion it overwrites", async () => {
    expect((await api.put(API, withSpec({ replicas: 4 }))).json["spec"]!["replicas"]).toBe(4);
  });

  it("[AP63] many unconditional writers at once all succeed", async () => {
    const writes = Array.from({ length: 5 }, (_, at) =>
      api.patch(API, { metadata: { labels: { [`l${at}`]: "x" } } }),
    );
    for (const { status } of await Promise.all(writes)) expect(status).toBe(200);
    const { json } = await api.get(API);
    expect(Object.keys(json["metadata"]!["labels"]!)).toHaveLength(5);
  });

  it("[AP63] of an object that is not there is 404", async () => {
    const { status, json } = await api.put(`${WORKLOADS}/web`, aWorkloadObject("web"));
    expect(status).toBe(404);
    expect(json["message"]).toBe('workloads.berth.dev "web" not found');
  });

  it("[AP64] another name is 400 and another uid 409", async () => {
    expect((await api.put(API, aWorkloadObject("web"))).status).toBe(400);
    const other = aWorkloadObject("api", { metadata: { uid: "u999" } });
    expect((await api.put(API, other)).status).toBe(409);
  });

  it("[AP65] a write that changes nothing keeps the resourceVersion", async () => {
    const { json } = await api.get(API);
    const { revision } = api.plane;
    expect(versionOf((await api.put(API, json)).json)).toBe(versionOf(json));
    expect((await api.patch(API, { spec: { resources: { cpu: "0.1" } } })).status).toBe(200);
    expect(api.plane.revision).toBe(revision);
  });

  it("[AP74] status in a write is ignored", async () => {
    const { json } = await api.get(API);
    const written = await api.put(API, { ...json, status: { replicas: 99, made: "up" } });
    expect(written.status).toBe(200);
    expect(written.json["status"]).toEqual(json["status"]);
  });

  it("[AP75] generation grows with spec and not with metadata", async () => {
    const generation = async () => (await api.get(API)).json["metadata"]!["generation"];
    await api.patch(API, { metadata: { labels: { a: "b" } } });
    expect(await generation()).toBe(1);
    await api.patch(API, { spec: { replicas: 2 } });
    expect(await generation()).toBe(2);
  });
});

describe("scale", () => {
  beforeEach(() => api.post(WORKLOADS, aWorkloadObject("api")));
  const SCALE = `${WORKLOADS}/api/scale`;

  it("[AP76] is read, put and patched", async () => {
    const { json } = await api.get(SCALE);
    expect(json).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "api", namespace: "payments" },
      spec: { replicas: 1 },
      status: { replicas: 0 },
    });
    expect((await api.put(SCALE, { ...json, spec: { replicas: 3 } })).json["spec"]).toEqual({
      replicas: 3,
    });
    await api.patch(SCALE, { spec: { replicas: 5 } });
    expect((await api.get(API)).json["spec"]!["replicas"]).toBe(5);
  });

  it("[AP76] keeps to the resourceVersion it is given", async () => {
    const { json } = await api.get(SCALE);
    await api.patch(SCALE, { spec: { replicas: 5 } });
    expect((await api.put(SCALE, { ...json, spec: { replicas: 3 } })).status).toBe(409);
    expect((await api.patch(SCALE, { spec: { replicas: -1 } })).status).toBe(422);
    expect((await api.get(`${WORKLOADS}/web/scale`)).status).toBe(404);
  });
});

describe("dryRun", () => {
  it("[AP77] checks a create and makes nothing", async () => {
    const { status, json } = await api.post(`${WORKLOADS}?dryRun=All`, aWorkloadObject("api"));
    expect(status).toBe(201);
    expect(json["metadata"]).not.toHaveProperty("resourceVersion");
    expect((await api.get(API)).status).toBe(404);
  });

  it("[AP77] checks changes and deletions and changes nothing", async () => {
    await api.post(WORKLOADS, aWorkloadObject("api"));
    const before = (await api.get(API)).json;
    const patched = await api.patch(`${API}?dryRun=All`, { spec: { replicas: 7 } });
    expect(patched.json["spec"]!["replicas"]).toBe(7);
    expect(versionOf(patched.json)).toBe(versionOf(before));
    const deleted = await api.delete(`${API}?dryRun=All`);
    expect(deleted.json["metadata"]).toHaveProperty("deletionTimestamp");
    expect((await api.delete(API, { dryRun: ["All"] })).status).toBe(200);
    expect((await api.get(API)).json).toEqual(before);
  });

  it("[AP77] shows the present status, and none of what is not there yet", async () => {
    const made = await api.post(`${WORKLOADS}?dryRun=All`, aWorkloadObject("web"));
    expect(made.json["status"]).toBeUndefined();
    await api.post(WORKLOADS, aWorkloadObject("api"));
    const { json: live } = await api.get(API);
    const tried = await api.patch(`${API}?dryRun=All`, { spec: { replicas: 7 } });
    expect(tried.json["status"]).toEqual(live["status"]);
  });

  it("[AP77] what would be refused is refused", async () => {
    const other = aWorkloadObject("api", { spec: { priorityClass: "none" } });
    expect((await api.post(`${WORKLOADS}?dryRun=All`, other)).status).toBe(422);
    expect((await api.post(`${WORKLOADS}?dryRun=Some`, aWorkloadObject("api"))).status).toBe(400);
  });
});

describe("dryRun in a namespace that does not exist", () => {
  const elsewhere = `${BERTH}/namespaces/fresh/workloads`;

  it("[AP321] checks the object as if the namespace had been created, and warns", async () => {
    const { status, headers, json } = await api.post(
      `${elsewhere}?dryRun=All`,
      aWorkloadObject("api"),
    );
    expect(status).toBe(201);
    expect(json["metadata"]).toMatchObject({ name: "api", namespace: "fresh" });
    expect(headers["warning"]).toContain('namespace \\"fresh\\" does not exist yet');
    expect((await api.get(`${BERTH}/tenants/fresh`)).status).toBe(404);
    expect((await api.post(elsewhere, aWorkloadObject("api"))).status).toBe(404);
  });

  it("[AP321] rejects what the authority would reject there", async () => {
    const other = aWorkloadObject("api", { spec: { priorityClass: "none" } });
    expect((await api.post(`${elsewhere}?dryRun=All`, other)).status).toBe(422);
    const wrong = `${BERTH}/namespaces/Fresh_1/workloads?dryRun=All`;
    expect((await api.post(wrong, aWorkloadObject("api"))).status).toBe(404);
  });
});

describe("fieldValidation", () => {
  const typo = aWorkloadObject("api", { spec: { replcas: 3 } });

  it("[AP78] Strict names the path of an unknown field and what was probably meant", async () => {
    const { status, json } = await api.post(`${WORKLOADS}?fieldValidation=Strict`, typo);
    expect(status).toBe(400);
    expect(json["message"]).toContain('strict decoding error: unknown field "spec.replcas"');
    expect(json["message"]).toContain('Did you mean "replicas"?');
  });

  it("[AP78] Warn drops the field and sends a Warning", async () => {
    const { status, headers, json } = await api.post(WORKLOADS, typo);
    expect(status).toBe(201);
    expect(headers["warning"]).toMatch(/^299 - "unknown field \\"spec.replcas\\"/);
    expect(json["spec"]).not.toHaveProperty("replcas");
    expect(json["spec"]!["replicas"]).toBe(1);
  });

  it("[AP78] Ignore drops the field without a word, and other words are 400", async () => {
    const { status, headers } = await api.post(`${WORKLOADS}?fieldValidation=Ignore`, typo);
    expect(status).toBe(201);
    expect(headers["warning"]).toBeUndefined();
    expect((await api.post(`${WORKLOADS}?fieldValidation=Maybe`, typo)).status).toBe(400);
  });

  it("[AP78] a field that is given twice is named", async () => {
    const text = JSON.stringify(aWorkloadObject("api")).replace(
      '"replicas":1',
      '"replicas":1,"replicas":2',
    );
    const strict = await api.post(`${WORKLOADS}?fieldValidation=Strict`, text);
    expect(strict.status).toBe(400);
    expect(strict.json["message"]).toContain('duplicate field "spec.replicas"');
    const yaml = "apiVersion: berth.dev/v1\nkind: Tenant\nkind: Tenant\nmetadata: {name: x}\n";
    const type = { "content-type": "application/yaml" };
    const found = await api.post(`${BERTH}/tenants?fieldValidation=Strict`, yaml, type);
    expect(found.json["message"]).toContain('duplicate field "line 3"');
  });

  it("[AP79] values that cannot be are 422 with a cause for each field", async () => {
    const { status, json } = await api.post(
      WORKLOADS,
      aWorkloadObject("api", { spec: { replicas: -1, resources: { cpu: "x", memory: "1Gi" } } }),
    );
    expect(status).toBe(422);
    expect(json["reason"]).toBe("Invalid");
    expect(causesOf(json).map(({ field }) => field)).toContain("spec.replicas");
  });

  it("[AP79] quantities that cannot be read are named with their field", async () => {
    const resources = { cpu: "fast", memory: "1Gi" };
    const { json } = await api.post(WORKLOADS, aWorkloadObject("api", { spec: { resources } }));
    expect(causesOf(json)).toMatchObject([{ field: "spec.resources.cpu" }]);
  });

  it("[AP79] an object of another kind is 400, and one without a spec 422", async () => {
    expect((await api.post(WORKLOADS, aTenantObject("x"))).status).toBe(400);
    expect((await api.post(WORKLOADS, { metadata: { name: "x" }, kind: 5 })).status).toBe(400);
    expect((await api.post(WORKLOADS, { metadata: { name: "x" } })).status).toBe(422);
  });

  it("[AP80] the annotation of client-side apply comes back", async () => {
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": "{}\n" };
    await api.post(WORKLOADS, aWorkloadObject("api", { metadata: { annotations } }));
    expect((await api.get(API)).json["metadata"]!["annotations"]).toEqual(annotations);
  });
});
