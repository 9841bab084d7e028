import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bind, serve, workload } from "./a-bound-replica.ts";
import { aWatch, type AWatch } from "./a-watch.ts";
import {
  anApiWithTenant,
  aNodeObject,
  type AnyJson,
  type Api,
  aTenantObject,
  aWorkloadObject,
  BERTH,
  textAt,
  WORKLOADS,
} from "./an-api.ts";

let api: Api;
let watches: AWatch[];
beforeEach(async () => {
  api = await anApiWithTenant();
  watches = [];
});
afterEach(async () => {
  for (const each of watches) each.close();
  await api.close();
});

async function watch(path: string, headers: Record<string, string> = {}): Promise<AWatch> {
  const made = await aWatch(api.app, path, headers);
  watches.push(made);
  return made;
}

const held = (json: AnyJson) => textAt(json, "status", "conditions");

const TENANTS = `${BERTH}/tenants`;
const makeTenant = (name: string, labels: Record<string, string> = {}) =>
  api.post(TENANTS, { ...aTenantObject(name), metadata: { name, labels } });
const label = (name: string, labels: Record<string, string | null>) =>
  api.patch(`${TENANTS}/${name}`, { metadata: { labels } });
const versionOf = (line: AnyJson): number =>
  Number(line["object"]!["metadata"]!["resourceVersion"]);

describe("watches", () => {
  it("[AP40] each event is a line, and a deletion shows the last state at its own revision", async () => {
    const stream = await watch(`${TENANTS}?watch=true&resourceVersion=${api.plane.revision}`);
    expect(stream.status).toBe(200);
    expect(stream.contentType).toBe("application/json");
    await makeTenant("risk");
    await label("risk", { a: "b" });
    await api.delete(`${TENANTS}/risk`);
    const [added, modified, deleted] = await stream.take(3);
    expect([added!["type"], modified!["type"], deleted!["type"]]).toEqual([
      "ADDED",
      "MODIFIED",
      "DELETED",
    ]);
    expect(deleted!["object"]!["metadata"]!["labels"]).toEqual({ a: "b" });
    expect(versionOf(deleted!)).toBe(versionOf(modified!) + 1);
    expect(versionOf(deleted!)).toBe(api.plane.revision);
  });

  it("[AP54] a watch that was cut off among the events of one commit is told all of them again", async () => {
    await bind(api);
    await api.patch(`${WORKLOADS}/api`, { spec: { replicas: 4 } });
    const replicas = `${BERTH}/namespaces/payments/replicas?watch=1&resourceVersion=`;
    const from = api.plane.revision;
    const indexes = [1, 2, 3].map((index) => ({ index, incarnation: 1 }));
    const enqueue = {
      kind: "enqueue",
      workload,
      generation: 1,
      indexes,
      deadlineMs: 1_000,
    } as const;
    await api.send(enqueue, "admit");
    await serve(api);
    const whole = await watch(`${replicas}${from}`);
    const lines = await whole.take(6);
    expect(lines.slice(0, 3).map(versionOf)).toEqual([from + 1, from + 1, from + 1]);
    const resumed = await watch(`${replicas}${versionOf(lines[0]!)}`);
    expect(await resumed.take(6)).toEqual(lines);
    const later = await watch(`${replicas}${versionOf(lines[3]!)}`);
    expect(await later.take(2)).toEqual(lines.slice(4));
  });

  it("[AP41] a watch that is resumed from any event misses nothing and repeats nothing", async () => {
    const from = api.plane.revision;
    for (let at = 0; at < 20; at++) {
      await makeTenant(`t${at}`);
      await label(`t${at}`, { at: String(at) });
    }
    const whole = await watch(`${TENANTS}?watch=1&resourceVersion=${from}`);
    const lines = await whole.take(40);
    for (const at of [0, 7, 38]) {
      const resumed = await watch(`${TENANTS}?watch=1&resourceVersion=${versionOf(lines[at]!)}`);
      expect(await resumed.take(39 - at)).toEqual(lines.slice(at + 1));
    }
  });

  it("[AP41] what happens while a watch begins is seen once", async () => {
    await watch(`${TENANTS}?watch=1`);
    const from = api.plane.revision;
    const writes = Array.from({ length: 30 }, (_, at) => makeTenant(`t${at}`));
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => watch(`${TENANTS}?watch=1&resourceVersion=${from}`)),
    );
    await Promise.all(writes);
    for (const stream of streams) {
      const versions = (await stream.take(30)).map(versionOf);
      expect(versions).toEqual(Array.from({ length: 30 }, (_, at) => from + at + 1));
    }
  });

  it.each(["watch=true", "watch=1&resourceVersion=0"])(
    "[AP42] with %s the present objects come first",
    async (query) => {
      await makeTenant("risk");
      const stream = await watch(`${TENANTS}?${query}`);
      expect(await stream.story(2)).toEqual(["ADDED payments", "ADDED risk"]);
      await makeTenant("web");
      expect(await stream.story(1)).toEqual(["ADDED web"]);
    },
  );

  it("[AP43] a revision that is no longer kept is 410 before the stream begins", async () => {
    api.forget(api.plane.revision);
    const stream = await watch(`${TENANTS}?watch=1&resourceVersion=1`);
    expect(stream.status).toBe(410);
    expect(await stream.next()).toMatchObject({ kind: "Status", reason: "Expired", code: 410 });
  });

  it("[AP45] what comes into the selection is ADDED and what leaves it DELETED", async () => {
    const stream = await watch(`${TENANTS}?watch=1&labelSelector=app%3Dweb`);
    await makeTenant("risk");
    await label("risk", { app: "web" });
    await label("risk", { tier: "front" });
    await label("risk", { app: "db" });
    await label("risk", { app: "web" });
    await api.delete(`${TENANTS}/risk`);
    const lines = await stream.take(5);
    expect(lines.map(({ type }) => type)).toEqual([
      "ADDED",
      "MODIFIED",
      "DELETED",
      "ADDED",
      "DELETED",
    ]);
    expect(lines[2]!["object"]!["metadata"]!["labels"]).toMatchObject({ app: "web" });
  });

  it("[AP45] a watch of one name sees that object alone", async () => {
    const stream = await watch(`${TENANTS}?watch=1&fieldSelector=metadata.name%3Drisk`);
    await makeTenant("web");
    await makeTenant("risk");
    expect(await stream.story(1)).toEqual(["ADDED risk"]);
  });

  it("[AP46] the time-out ends the stream cleanly", async () => {
    const stream = await watch(`${TENANTS}?watch=1&timeoutSeconds=1`);
    expect((await stream.rest()).map(({ type }) => type)).toEqual(["ADDED"]);
    expect((await api.get(`${TENANTS}?watch=1&timeoutSeconds=soon`)).status).toBe(400);
  });

  it("[AP48] initial events end with a marked bookmark", async () => {
    const query = "watch=1&sendInitialEvents=true&allowWatchBookmarks=true";
    const stream = await watch(`${TENANTS}?${query}&resourceVersionMatch=NotOlderThan`);
    const [added, bookmark] = await stream.take(2);
    expect(added!["type"]).toBe("ADDED");
    expect(bookmark).toEqual({
      type: "BOOKMARK",
      object: {
        kind: "Tenant",
        apiVersion: "berth.dev/v1",
        metadata: {
          resourceVersion: String(api.plane.revision),
          annotations: { "k8s.io/initial-events-end": "true" },
        },
      },
    });
    await makeTenant("risk");
    expect(await stream.story(1)).toEqual(["ADDED risk"]);
  });

  it("[AP48] initial events without NotOlderThan are Invalid", async () => {
    const { status, json } = await api.get(`${TENANTS}?watch=1&sendInitialEvents=true`);
    expect(status).toBe(422);
    expect(json["reason"]).toBe("Invalid");
    expect((await api.get(`${TENANTS}?watch=1&resourceVersionMatch=Exact`)).status).toBe(422);
    expect((await api.get(`${TENANTS}?sendInitialEvents=true`)).status).toBe(422);
  });

  it("[AP49] events come as tables of one row", async () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const stream = await watch(`${TENANTS}?watch=1`, { accept });
    const [line] = await stream.take(1);
    expect(line!["object"]).toMatchObject({ kind: "Table", apiVersion: "meta.k8s.io/v1" });
    expect(line!["object"]!["rows"]![0]!["cells"]![0]).toBe("payments");
    expect(versionOf(line!)).toBeGreaterThan(0);
  });

  it("[AP49] events come as metadata alone", async () => {
    const accept = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    const stream = await watch(`${TENANTS}?watch=1`, { accept });
    const [line] = await stream.take(1);
    expect(line!["object"]).toMatchObject({
      kind: "PartialObjectMetadata",
      metadata: { name: "payments" },
    });
  });

  it("[AP50] a workload is MODIFIED when its replicas change", async () => {
    await api.post(WORKLOADS, aWorkloadObject("api"));
    const made = await api.get(`${WORKLOADS}/api`);
    const version = textAt(made.json, "metadata", "resourceVersion");
    const stream = await watch(`${WORKLOADS}?watch=1&resourceVersion=${version}`);
    await api.send({ kind: "admit", workload, generation: 1, index: 0, incarnation: 1 }, "admit");
    const [line] = await stream.take(1);
    expect(line!["type"]).toBe("MODIFIED");
    expect(line!["object"]!["status"]!["stages"]).toEqual({ admitted: 1 });
    expect(versionOf(line!)).toBe(api.plane.revision);
    const now = await api.get(`${WORKLOADS}/api`);
    expect(now.json["metadata"]!["resourceVersion"]).toBe(String(api.plane.revision));
  });

  it("[AP50] a write may expect the revision of such an event, or the one before it", async () => {
    await api.post(WORKLOADS, aWorkloadObject("api"));
    const before = (await api.get(`${WORKLOADS}/api`)).json;
    await api.send({ kind: "admit", workload, generation: 1, index: 0, incarnation: 1 }, "admit");
    const after = (await api.get(`${WORKLOADS}/api`)).json;
    expect((await api.put(`${WORKLOADS}/api`, { ...before, spec: spec(2) })).status).toBe(200);
    expect((await api.put(`${WORKLOADS}/api`, { ...after, spec: spec(3) })).status).toBe(409);
  });

  it("[AP50] [OV13] an override is MODIFIED when what is to be true at its end begins to be", async () => {
    await bind(api);
    const OVERRIDES = `${BERTH}/overrides`;
    const made = await api.post(OVERRIDES, {
      apiVersion: "berth.dev/v1",
      kind: "Override",
      metadata: { name: "until-it-serves" },
      spec: {
        action: "pause-expansion",
        reason: "one at a time",
        ttl: "1h",
        postcondition: { tenant: "payments", workload: "api", serving: 1 },
      },
    });
    expect(made.status).toBe(201);
    expect(held(made.json)).toContain('"PostconditionHolds","status":"False"');
    const stream = await watch(`${OVERRIDES}?watch=1&resourceVersion=${api.plane.revision}`);
    await serve(api);
    const [line] = await stream.take(1);
    expect(line!["type"]).toBe("MODIFIED");
    expect(held(line!["object"]!)).toContain('"PostconditionHolds","status":"True"');
    const now = (await api.get(`${OVERRIDES}/until-it-serves`)).json;
    expect(textAt(now, "metadata", "resourceVersion")).toBe(String(versionOf(line!)));
    // What the override shows is as it was while only others' words change.
    await api.patch(`${BERTH}/nodes/a-1`, { metadata: { labels: { disk: "ssd" } } });
    await api.patch(`${WORKLOADS}/api`, { spec: { replicas: 0 } });
    expect(await stream.story(1)).toEqual(["MODIFIED until-it-serves"]);
    expect(held((await api.get(`${OVERRIDES}/until-it-serves`)).json)).toContain("TooFewServe");
  });

  it("[AP50] a region is MODIFIED when a node leaves it", async () => {
    await api.post(`${BERTH}/nodes`, aNodeObject());
    const stream = await watch(`${BERTH}/regions?watch=1&resourceVersion=${api.plane.revision}`);
    await api.post(`${BERTH}/regions`, {
      apiVersion: "berth.dev/v1",
      kind: "Region",
      metadata: { name: "eu" },
      spec: { zones: ["eu-a"] },
    });
    await api.delete(`${BERTH}/nodes/a-1`);
    expect(await stream.story(2)).toEqual(["ADDED eu", "MODIFIED eu"]);
  });
});

const spec = (replicas: number) => aWorkloadObject("api", { spec: { replicas } }).spec;
