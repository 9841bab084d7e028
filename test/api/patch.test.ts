import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anApiWithTenant, type AnyJson, type Api, aWorkloadObject, WORKLOADS } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const API = `${WORKLOADS}/api`;
const JSON_PATCH = "application/json-patch+json";
const APPLY = "application/apply-patch+yaml";

const jsonPatch = (operations: unknown) => api.patch(API, operations, JSON_PATCH);
const apply = (manager: string, body: unknown, query = "") =>
  api.patch(`${API}?fieldManager=${manager}${query}`, body, APPLY);

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly fieldsV1: AnyJson;
}
const managersOf = async (): Promise<readonly Entry[]> =>
  ((await api.get(API)).json["metadata"]!["managedFields"] ?? []) as unknown as Entry[];

describe("JSON patch", () => {
  beforeEach(() => api.post(WORKLOADS, aWorkloadObject("api")));

  it("[AP67] carries out its operations in order", async () => {
    const { status, json } = await jsonPatch([
      { op: "test", path: "/spec/replicas", value: 1 },
      { op: "replace", path: "/spec/replicas", value: 2 },
      { op: "add", path: "/metadata/labels", value: { "a/b": "x", c: "y" } },
      { op: "move", from: "/metadata/labels/c", path: "/metadata/labels/d" },
      { op: "copy", from: "/metadata/labels/a~1b", path: "/metadata/labels/e" },
      { op: "add", path: "/spec/run/command/-", value: "--fast" },
      { op: "add", path: "/spec/run/command/1", value: "--now" },
    ]);
    expect(status).toBe(200);
    expect(json["spec"]!["replicas"]).toBe(2);
    expect(json["metadata"]!["labels"]).toEqual({ "a/b": "x", d: "y", e: "x" });
    expect(json["spec"]!["run"]!["command"]).toEqual(["serve", "--now", "--fast"]);
  });

  it("[AP67] a test that fails is 422 and nothing is changed", async () => {
    const { status, json } = await jsonPatch([
      { op: "replace", path: "/spec/replicas", value: 9 },
      { op: "test", path: "/spec/type", value: "batch" },
    ]);
    expect(status).toBe(422);
    expect(json["reason"]).toBe("Invalid");
    expect((await api.get(API)).json["spec"]!["replicas"]).toBe(1);
  });

  it.each([
    { what: "removes what is not there", operation: { op: "remove", path: "/spec/nothing" } },
    { what: "goes through a value", operation: { op: "add", path: "/spec/replicas/x", value: 1 } },
    {
      what: "passes a list's end",
      operation: { op: "add", path: "/spec/run/command/9", value: "" },
    },
    { what: "moves into itself", operation: { op: "move", from: "/spec", path: "/spec/run" } },
    { what: "reaches for __proto__", operation: { op: "add", path: "/__proto__/x", value: 1 } },
  ])("[AP67] a patch that $what is 422", async ({ operation }) => {
    expect((await jsonPatch([operation])).status).toBe(422);
  });

  it.each([
    { what: "no list", body: { op: "add" } },
    { what: "an unknown operation", body: [{ op: "mend", path: "/spec" }] },
    { what: "no value", body: [{ op: "add", path: "/spec/x" }] },
    { what: "a path that is no pointer", body: [{ op: "remove", path: "spec" }] },
  ])("[AP67] a patch with $what is 400", async ({ body }) => {
    expect((await jsonPatch(body)).status).toBe(400);
  });
});

describe("merge patch", () => {
  beforeEach(() =>
    api.post(WORKLOADS, aWorkloadObject("api", { metadata: { labels: { a: "b", c: "d" } } })),
  );

  it("[AP68] merges objects, replaces lists, and removes what is null", async () => {
    const { json } = await api.patch(API, {
      metadata: { labels: { a: null, e: "f" } },
      spec: { run: { command: ["other"] } },
    });
    expect(json["metadata"]!["labels"]).toEqual({ c: "d", e: "f" });
    expect(json["spec"]!["run"]!["command"]).toEqual(["other"]);
    expect(json["spec"]!["resources"]).toEqual({ cpu: "100m", memory: "64Mi" });
  });

  it("[AP68] a resourceVersion in the patch is a precondition", async () => {
    const version = (await api.get(API)).json["metadata"]!["resourceVersion"];
    const patch = { metadata: { resourceVersion: version, labels: { x: "y" } } };
    expect((await api.patch(API, patch)).status).toBe(200);
    const late = { metadata: { resourceVersion: version, labels: { x: "z" } } };
    expect((await api.patch(API, late)).status).toBe(409);
  });

  it("[AP68] unknown fields are checked as in a whole object", async () => {
    const url = `${API}?fieldValidation=Strict`;
    expect((await api.patch(url, { spec: { replcas: 2 } })).status).toBe(400);
    expect((await api.patch(API, { metadata: { name: "web" } })).status).toBe(400);
    expect((await api.patch(API, [])).status).toBe(400);
  });

  it("[AP69] strategic merge patch changes a namespace", async () => {
    const type = "application/strategic-merge-patch+json";
    const patch = { metadata: { labels: { team: "a" }, finalizers: ["x.dev/a"] } };
    const first = await api.patch("/api/v1/namespaces/payments", patch, type);
    expect(first.status).toBe(200);
    const more = {
      metadata: {
        labels: { team: null, tier: "b" },
        "$deleteFromPrimitiveList/finalizers": ["x.dev/a"],
      },
    };
    const { json } = await api.patch("/api/v1/namespaces/payments", more, type);
    expect(json["metadata"]).toMatchObject({ labels: { tier: "b" } });
    expect(json["metadata"]?.["finalizers"]).toBeUndefined();
    expect((await api.patch("/api/v1/namespaces/payments", [], type)).status).toBe(400);
  });

  it("[AP69] strategic merge patch of Berth's own kinds is 415, and so is plain JSON", async () => {
    for (const type of ["application/strategic-merge-patch+json", "application/json"]) {
      expect((await api.patch(API, {}, type)).status).toBe(415);
    }
  });
});

describe("server-side apply", () => {
  it("[AP70] needs a fieldManager", async () => {
    expect((await api.patch(API, aWorkloadObject("api"), APPLY)).status).toBe(400);
  });

  it("[AP70] creates what is not there, from YAML too", async () => {
    const yaml = `apiVersion: berth.dev/v1
kind: Workload
metadata: { name: api }
spec:
  resources: { cpu: 0.5, memory: 64Mi }
  run: { command: [serve] }
`;
    const { status } = await apply("me", yaml);
    expect(status).toBe(201);
    expect(await managersOf()).toMatchObject([{ manager: "me", operation: "Apply" }]);
    const again = await apply("me", yaml);
    expect(again.status).toBe(200);
    expect(api.plane.revision).toBe(Number(again.json["metadata"]!["resourceVersion"]));
  });

  it("[AP70] refuses managedFields and another name in what is applied", async () => {
    const managed = aWorkloadObject("api", { metadata: { managedFields: [] } });
    expect((await apply("me", managed)).status).toBe(400);
    expect((await apply("me", aWorkloadObject("web"))).status).toBe(400);
  });

  it("[AP71] what another manager set otherwise is a conflict with its cause", async () => {
    await apply("a", aWorkloadObject("api", { spec: { replicas: 2 } }));
    const { status, json } = await apply("b", aWorkloadObject("api", { spec: { replicas: 3 } }));
    expect(status).toBe(409);
    expect(json["reason"]).toBe("Conflict");
    expect(json["details"]!["causes"]).toEqual([
      { reason: "FieldManagerConflict", message: 'conflict with "a"', field: ".spec.replicas" },
    ]);
    expect((await api.get(API)).json["spec"]!["replicas"]).toBe(2);
  });

  it("[AP71] force takes the field over", async () => {
    await apply("a", aWorkloadObject("api", { spec: { replicas: 2 } }));
    const forced = aWorkloadObject("api", { spec: { replicas: 3 } });
    expect((await apply("b", forced, "&force=true")).json["spec"]!["replicas"]).toBe(3);
    const [b, a] = (await managersOf()).toSorted((x, y) => (x.manager < y.manager ? 1 : -1));
    expect(b!.fieldsV1["f:spec"]).toHaveProperty("f:replicas");
    expect(a!.fieldsV1["f:spec"]).not.toHaveProperty("f:replicas");
  });

  it("[AP233] kubectl's server-side apply takes over from its client-side apply", async () => {
    const csa = "kubectl-client-side-apply";
    const labels = { old: "1" };
    await api.post(
      `${WORKLOADS}?fieldManager=${csa}`,
      aWorkloadObject("api", { spec: { replicas: 2 }, metadata: { labels } }),
    );
    const next = aWorkloadObject("api", { spec: { replicas: 3 } });
    expect((await apply("another", next)).status).toBe(409);
    const { status, json } = await apply("kubectl", next);
    expect([status, json["spec"]?.["replicas"]]).toEqual([200, 3]);
    expect(json["metadata"]?.["labels"]).toBeUndefined();
    expect((await managersOf()).map(({ manager }) => manager)).not.toContain(csa);
  });

  it("[AP71] the same value in other words is no conflict", async () => {
    await apply(
      "a",
      aWorkloadObject("api", { spec: { resources: { cpu: "500m", memory: "1Gi" } } }),
    );
    const same = aWorkloadObject("api", { spec: { resources: { cpu: 0.5, memory: "1024Mi" } } });
    expect((await apply("b", same)).status).toBe(200);
  });

  it("[AP72] what a manager no longer names is removed, unless another owns it too", async () => {
    const labels = { mine: "1", ours: "1" };
    await apply("a", aWorkloadObject("api", { metadata: { labels } }));
    await apply("b", {
      apiVersion: "berth.dev/v1",
      kind: "Workload",
      metadata: { name: "api", labels: { ours: "1" } },
    });
    const { json } = await apply("a", aWorkloadObject("api"));
    expect(json["metadata"]!["labels"]).toEqual({ ours: "1" });
  });

  it("[AP73] a write that is no apply owns what it changed, and takes it from an apply", async () => {
    await apply("a", aWorkloadObject("api", { spec: { replicas: 2 } }));
    await api.patch(`${API}?fieldManager=scaler`, { spec: { replicas: 6 } });
    const entries = await managersOf();
    expect(entries.map(({ manager, operation }) => `${operation} ${manager}`)).toEqual([
      "Apply a",
      "Update scaler",
    ]);
    expect(entries[1]!.fieldsV1).toEqual({ "f:spec": { "f:replicas": {} } });
    expect((await apply("a", aWorkloadObject("api", { spec: { replicas: 2 } }))).status).toBe(409);
  });

  it("[AP73] at most ten updaters are kept apart", async () => {
    await api.post(`${WORKLOADS}?fieldManager=maker`, aWorkloadObject("api"));
    for (let at = 0; at < 15; at++) {
      const labels = { [`l${at}`]: "x" };
      await api.patch(`${API}?fieldManager=m${at}`, { metadata: { labels } });
    }
    const entries = await managersOf();
    expect(entries).toHaveLength(10);
    expect(entries.map(({ manager }) => manager)).toContain("ancient-changes");
  });

  it("[AP73] the user agent names a writer that does not name itself", async () => {
    await api.post(WORKLOADS, aWorkloadObject("api"), { "user-agent": "kubectl/v1.32 (linux)" });
    expect(await managersOf()).toMatchObject([{ manager: "kubectl", operation: "Update" }]);
  });

  it("[AP237] an apply of berth follows its other commands without a conflict", async () => {
    const file = aWorkloadObject("api", { spec: { replicas: 2, stopGrace: "3s" } });
    await apply("berth", file);
    await api.patch(`${API}?fieldManager=berth`, { spec: { replicas: 6 } });
    const { status, json } = await apply("berth", file);
    expect(status).toBe(200);
    expect(json["spec"]!["replicas"]).toBe(2);
    expect((await managersOf()).map(({ manager }) => manager)).toEqual(["berth"]);
    await api.patch(`${API}?fieldManager=scaler`, { spec: { replicas: 7 } });
    expect((await apply("berth", file)).status).toBe(409);
  });

  it.each(["berth-apply", "berth-up"])(
    "[AP237] an apply of berth succeeds %s, and removes what only that named",
    async (old) => {
      await apply(old, aWorkloadObject("api", { metadata: { labels: { gone: "1", kept: "1" } } }));
      const next = aWorkloadObject("api", { metadata: { labels: { kept: "2" } } });
      const { status, json } = await apply("berth", next);
      expect(status).toBe(200);
      expect(json["metadata"]!["labels"]).toEqual({ kept: "2" });
      expect((await managersOf()).map(({ manager }) => manager)).toEqual(["berth"]);
      const back = aWorkloadObject("api", { metadata: { labels: { kept: "1" } } });
      expect((await apply(old, back)).status).toBe(409);
    },
  );
});
