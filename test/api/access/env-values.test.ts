/** Values of environment variables, as callers with and without the power `env` read and write them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiToken } from "../../../src/api/identity/token-registry.ts";
import { keyOf, type ObjectKey } from "../../../src/core/model/ids.ts";
import type { Workload } from "../../../src/core/model/objects.ts";
import { createControllers } from "../../../src/host/controllers.ts";
import { putting } from "../../builders/a-plane.ts";
import { grant } from "../../builders/grant.ts";
import { until } from "../../host/a-running-plane.ts";
import { type AWatch, aWatch } from "../a-watch.ts";
import { anApi, type Api, aTenantObject, aWorkloadObject, BERTH, textAt } from "../an-api.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const asRoot = bearer("token-of-root-0001");
/** Reads: `view`. */
const asVic = bearer("token-of-vic-00001");
/** Writes workloads, and has no `env`. */
const asDep = bearer("token-of-dep-00001");
const tokens: readonly ApiToken[] = [
  { token: "token-of-root-0001", kind: "local", name: "root" },
  { token: "token-of-vic-00001", kind: "user", name: "vic" },
  { token: "token-of-dep-00001", kind: "user", name: "dep" },
];
const OWN = `${BERTH}/namespaces/payments`;
const API = `${OWN}/workloads/api`;
const APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const MARK = "envmark";

const controllers = () => createControllers({ schedulers: 1 });
let api: Api;
const env = (values: Readonly<Record<string, string>>) => ({
  spec: { run: { command: ["serve"], env: values } },
});
const heldOf = (name: string): Workload =>
  api.plane.objects.get(`Workload/payments/${name}` as ObjectKey) as Workload;
const valuesOf = (name = "api") => heldOf(name).spec.template.run?.env;

beforeAll(async () => {
  api = await anApi({ auth: { tokens }, admins: [], controllers });
  await api.post(`${BERTH}/tenants`, aTenantObject(), asRoot);
  const limit = { cpu: 40, memory: "40Gi" };
  const metadata = { name: "default" };
  const quota = { apiVersion: "berth.dev/v1", kind: "Quota", metadata, spec: { limit } };
  await api.post(`${OWN}/quotas`, quota, asRoot);
  const resources = ["workloads", "workloads/scale", "workloads/status", "replicas"];
  const rule = { apiGroups: ["berth.dev"], resources };
  const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];
  const spec = { rules: [{ ...rule, verbs }] };
  const key = keyOf({ kind: "ClusterRole", namespace: "", name: "deploy" });
  await api.send(putting(key, { kind: "ClusterRole", spec }), "user");
  const [view, deploy] = ["view", "deploy"].map((name) => ({ kind: "ClusterRole", name }) as const);
  await grant(api.plane, { user: "vic", role: view!, namespace: "payments" });
  await grant(api.plane, { user: "dep", role: deploy!, namespace: "payments" });
  const applied = JSON.stringify(aWorkloadObject("api", env({ KEY: `${MARK}-0` })));
  const first = aWorkloadObject("api", {
    ...env({ KEY: `${MARK}-1`, LOG: `${MARK}-info` }),
    metadata: { annotations: { [APPLIED]: applied } },
  });
  await api.post(`${OWN}/workloads`, first, asRoot);
  await until("a replica", () => api.plane.objects.all("Replica").size > 0 || undefined);
  await api.patch(API, env({ KEY: `${MARK}-2` }), undefined, asRoot);
  await until("an earlier template", () => heldOf("api").status.history?.[0]);
});
afterAll(() => api.close());

const lines = async (watch: AWatch, count: number): Promise<string> => {
  const taken = JSON.stringify(await watch.take(count));
  watch.close();
  return taken;
};

const apply = (values: Readonly<Record<string, string>>, manager: string, as: object) =>
  api.patch(
    `${API}?fieldManager=${manager}`,
    { apiVersion: "berth.dev/v1", kind: "Workload", metadata: { name: "api" }, ...env(values) },
    "application/apply-patch+yaml",
    as as Record<string, string>,
  );

describe("a caller without env", () => {
  const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const PARTIAL = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

  test("reads names, and no value in any form [AZ49]", async () => {
    for (const path of [
      API,
      `${OWN}/workloads`,
      `${OWN}/workloads?limit=1`,
      `${OWN}/workloads?resourceVersion=${api.plane.revision}&resourceVersionMatch=Exact`,
      `${OWN}/replicas`,
      `${OWN}/replicas?resourceVersion=${api.plane.revision - 1}&resourceVersionMatch=Exact`,
      `${API}?resourceVersion=${heldOf("api").meta.revision}&resourceVersionMatch=Exact`,
      `${API}/status`,
      "/diff?from=1",
    ]) {
      for (const accept of ["application/json", "application/yaml", TABLE, PARTIAL]) {
        for (const includeObject of ["Object", "Metadata"]) {
          const whole = `${path}${path.includes("?") ? "&" : "?"}includeObject=${includeObject}`;
          const { status, text } = await api.get(whole, { ...asVic, accept });
          expect([whole, accept, status, text.includes(MARK)]).toEqual([whole, accept, 200, false]);
        }
      }
    }
    const { json } = await api.get(API, asVic);
    expect(json["spec"]?.["run"]?.["env"]).toEqual({ KEY: "<hidden>", LOG: "<hidden>" });
    expect(textAt(json, "status", "history", "0", "template", "run", "env", "KEY")).toBe(
      "<hidden, of generation 1>",
    );
    expect((await api.get(API, asRoot)).text).toContain(`${MARK}-2`);
  });

  test("watches no value, beside a caller who watches them [AZ49]", async () => {
    for (const of of ["workloads", "replicas"]) {
      const path = `${OWN}/${of}?watch=true`;
      expect(await lines(await aWatch(api.app, path, asRoot), 1)).toContain(MARK);
      expect(await lines(await aWatch(api.app, path, asVic), 1)).not.toContain(MARK);
    }
    const from = `${OWN}/workloads?watch=true&resourceVersion=${api.plane.revision}`;
    const both = [await aWatch(api.app, from, asRoot), await aWatch(api.app, from, asVic)] as const;
    await api.patch(API, { metadata: { labels: { a: "b" } } }, undefined, asRoot);
    expect(await lines(both[0], 1)).toContain(MARK);
    expect(await lines(both[1], 1)).not.toContain(MARK);
  });

  test("writes, and keeps the values that it does not see [AZ49]", async () => {
    const before = valuesOf();
    const read = await api.get(API, asDep);
    const labels = { tier: "one" };
    const relabelled = { ...read.json, metadata: { ...read.json["metadata"], labels } };
    const put = await api.put(API, relabelled, asDep);
    expect([put.status, put.text.includes(MARK)]).toEqual([200, false]);
    expect(valuesOf()).toEqual(before);
    expect(heldOf("api").meta.labels).toEqual(labels);
    expect(heldOf("api").meta.annotations?.[APPLIED]).toContain(`${MARK}-0`);
    const { revision } = heldOf("api").meta;
    await api.put(API, relabelled, asDep);
    expect(heldOf("api").meta.revision).toBe(revision);
    const merged = await api.patch(API, env({ LOG: "debug" }), undefined, asDep);
    expect([merged.status, merged.text.includes(MARK)]).toEqual([200, false]);
    expect(valuesOf()).toEqual({ ...before, LOG: "debug" });
    const scaled = { spec: { replicas: 1 } };
    expect((await api.patch(`${API}/scale`, scaled, undefined, asDep)).status).toBe(200);
    expect(valuesOf()).toEqual({ ...before, LOG: "debug" });
  });

  test("owns what it changed, and nothing that it left [AZ49]", async () => {
    expect((await apply({ OWNED: `${MARK}-own` }, "one", asRoot)).status).toBe(200);
    expect((await apply({ OWNED: "<hidden>" }, "two", asDep)).status).toBe(200);
    expect(valuesOf()?.["OWNED"]).toBe(`${MARK}-own`);
    const taken = await apply({ OWNED: "other" }, "three", asDep);
    expect([taken.status, taken.text.includes(MARK)]).toEqual([409, false]);
    expect(taken.text).toContain('conflict with \\"one\\"');
  });

  test("goes back to an earlier template with its values [AZ49]", async () => {
    const { json } = await api.get(API, asDep);
    const back = json["status"]?.["history"]?.[0]?.["template"]?.["run"];
    const patch = { spec: { run: { ...back, env: { ...back?.["env"], OWNED: null } } } };
    const undone = await api.patch(API, patch, undefined, asDep);
    expect([undone.status, undone.text.includes(MARK)]).toEqual([200, false]);
    expect(valuesOf()).toMatchObject({ KEY: `${MARK}-1`, LOG: `${MARK}-info` });
  });

  test("cannot move a value to where it may read it [AZ49]", async () => {
    const JSON_PATCH = "application/json-patch+json";
    const from = "/spec/run/env/KEY";
    const copies = ["/metadata/annotations/a", "/spec/run/command/0", "/metadata/labels/a"];
    for (const path of copies) {
      const { text } = await api.patch(API, [{ op: "copy", from, path }], JSON_PATCH, asDep);
      expect(text).not.toContain(MARK);
      expect((await api.get(API, asDep)).text).not.toContain(MARK);
    }
    const guess = [{ op: "test", path: from, value: `${MARK}-1` }];
    expect((await api.patch(API, guess, JSON_PATCH, asDep)).status).not.toBe(200);
    const status = [{ op: "copy", from, path: "/status/conditions/0/message" }];
    const { text } = await api.patch(`${API}/status`, status, JSON_PATCH, asDep);
    expect(text).not.toContain(MARK);
  });

  test("is told of a placeholder with nothing behind it [AZ49]", async () => {
    const refused = await api.post(
      `${OWN}/workloads`,
      aWorkloadObject("copy", env({ KEY: "<hidden>" })),
      asDep,
    );
    expect(refused.status).toBe(422);
    expect(textAt(refused.json, "message")).toBe(
      'Workload.berth.dev "copy" is invalid: spec.run.env.KEY: is the placeholder for a value that its reader may not see, and there is no such value to keep: write the value itself, or leave the variable out.',
    );
    const other = await api.patch(API, env({ NEW: "<hidden>" }), undefined, asRoot);
    expect(other.status).toBe(422);
  });
});
