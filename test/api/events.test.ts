/** Events: what kubectl shows below an object, read off the log and the decisions. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EventLog } from "../../src/api/events/event-log.ts";
import { createControllers } from "../../src/host/controllers.ts";
import { until } from "../host/a-running-plane.ts";
import { bind, replica, serve, workload } from "./a-bound-replica.ts";
import { aWatch } from "./a-watch.ts";
import {
  anApiWithTenant,
  aNodeObject,
  type AnyJson,
  type Api,
  aWorkloadObject,
  BERTH,
  textAt,
  WORKLOADS,
} from "./an-api.ts";

const EVENTS = "/api/v1/namespaces/payments/events";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const of = (name: string, kind = "Replica"): string =>
  `fieldSelector=${encodeURIComponent(`involvedObject.name=${name},involvedObject.kind=${kind}`)}`;
const itemsOf = (json: AnyJson): readonly AnyJson[] => json["items"] as unknown as AnyJson[];
const reasonsOf = async (url: string): Promise<readonly unknown[]> =>
  itemsOf((await api.get(url)).json).map((event) => event["reason"]);

const fail = (incarnation = 1): Promise<void> =>
  api.send(
    {
      kind: "report",
      replica,
      incarnation,
      node: "a-1",
      session: 1,
      stage: "failed",
      reason: "Exit 3.",
    },
    "agent",
  );

describe("events", () => {
  it("[AP118] tell how far a replica has come, in order, and why it failed", async () => {
    await bind(api);
    await serve(api);
    await fail();
    const url = `${EVENTS}?${of("api.1.0")}`;
    expect(await reasonsOf(url)).toEqual([
      "Admitted",
      "Queued",
      "Bound",
      "Started",
      "Ready",
      "Serving",
      "Failed",
    ]);
    const { json } = await api.get(url);
    expect(json).toMatchObject({ kind: "EventList", apiVersion: "v1" });
    expect(itemsOf(json)[2]).toMatchObject({ message: "Bound to node a-1.", type: "Normal" });
    const held = api.plane.objects.get(replica)!;
    expect(itemsOf(json)[6]).toMatchObject({
      apiVersion: "v1",
      kind: "Event",
      metadata: { namespace: "payments" },
      involvedObject: {
        apiVersion: "berth.dev/v1",
        kind: "Replica",
        namespace: "payments",
        name: "api.1.0",
        uid: held.meta.uid,
      },
      type: "Warning",
      message: "Failed on a-1: Exit 3.",
      count: 1,
      source: { component: "agent:a-1" },
    });
  });

  it("[AP118] tell how nodes are doing, under the namespace default", async () => {
    await api.post(`${BERTH}/nodes`, aNodeObject());
    await api.send({ kind: "lease", node: "a-1", session: 1, seq: 1, kept: [] }, "agent");
    await api.send(
      {
        kind: "transition",
        key: "Node//a-1" as never,
        session: 1,
        from: "ready",
        to: "fenced",
        evidence: { kind: "person", name: "ana", statement: "I pulled the plug." },
      },
      "user",
    );
    const { json } = await api.get(`/api/v1/events?${of("a-1", "Node")}`);
    const told = itemsOf(json).map(
      (event) => `${textAt(event, "type")} ${textAt(event, "reason")}: ${textAt(event, "message")}`,
    );
    expect(told).toEqual([
      "Normal NodeReady: The agent renews its lease.",
      "Warning NodeFenced: The session has ended; its processes are gone. ana confirmed: I pulled the plug.",
    ]);
    expect(itemsOf(json)[0]!["metadata"]!["namespace"]).toBe("default");
    expect(await reasonsOf("/api/v1/namespaces/default/events")).toHaveLength(2);
    expect(await reasonsOf(EVENTS)).toEqual([]);
  });

  it("[AP118] are counted when the same happens again", async () => {
    await bind(api);
    await serve(api);
    await api.patch(`${WORKLOADS}/api`, { spec: { replicas: 2 } });
    await api.patch(`${WORKLOADS}/api`, { spec: { replicas: 1 } });
    await api.patch(`${WORKLOADS}/api`, { spec: { replicas: 2 } });
    const { json } = await api.get(`${EVENTS}?${of("api", "Workload")}`);
    const told = itemsOf(json).map(
      (event) => `${textAt(event, "message")} ${textAt(event, "count")}`,
    );
    expect(told).toEqual(["Scaled from 2 to 1 replica. 1", "Scaled from 1 to 2 replicas. 2"]);
  });

  it("[AP118] are shown as a table, got by name, selected by type, and never changed by clients", async () => {
    await bind(api);
    const table = await api.get(EVENTS, {
      accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
    });
    const columns = table.json["columnDefinitions"] as unknown as readonly AnyJson[];
    expect(
      columns.filter(({ priority }) => Number(priority) === 0).map(({ name }) => name),
    ).toEqual(["Last Seen", "Type", "Reason", "Object", "Message"]);
    const [first] = itemsOf((await api.get(EVENTS)).json);
    const name = textAt(first!, "metadata", "name");
    expect((await api.get(`${EVENTS}/${name}`)).json).toEqual(first);
    expect((await api.get(`${EVENTS}/none`)).status).toBe(404);
    expect(await reasonsOf(`${EVENTS}?fieldSelector=type%3DWarning`)).toEqual([]);
    expect((await api.get(`${EVENTS}?fieldSelector=nonsense%3D1`)).status).toBe(400);
    expect((await api.delete(`${EVENTS}/${name}`)).status).toBe(404);
    expect((await api.patch(`${EVENTS}/${name}`, { count: 9 })).status).toBe(404);
  });

  it("[AP119] are watched from the list on, and again from where a client was", async () => {
    await bind(api);
    const { json } = await api.get(EVENTS);
    const version = textAt(json, "metadata", "resourceVersion");
    const watch = await aWatch(api.app, `${EVENTS}?watch=1&resourceVersion=${version}`);
    await serve(api);
    const seen = await watch.take(3);
    watch.close();
    expect(
      seen.map((line) => `${textAt(line, "type")} ${textAt(line, "object", "reason")}`),
    ).toEqual(["ADDED Started", "ADDED Ready", "ADDED Serving"]);
    const at = textAt(seen[1]!, "object", "metadata", "resourceVersion");
    const again = await aWatch(
      api.app,
      `${EVENTS}?watch=1&resourceVersion=${at}&allowWatchBookmarks=true&timeoutSeconds=1`,
    );
    const rest = await again.rest();
    expect(rest.map(({ type }) => type)).toEqual(["ADDED", "BOOKMARK"]);
    expect(rest[0]!["object"]!["reason"]).toBe("Serving");
    const whole = await aWatch(api.app, `${EVENTS}?watch=1&timeoutSeconds=1`);
    expect((await whole.rest()).length).toBe(itemsOf((await api.get(EVENTS)).json).length);
  });

  it("[AP119] of a version that is not ours any more are 410", async () => {
    for (const version of ["7", String(Number.MAX_SAFE_INTEGER)]) {
      const watch = await aWatch(api.app, `${EVENTS}?watch=1&resourceVersion=${version}`);
      expect(watch.status).toBe(410);
      watch.close();
    }
  });
});

describe("the event log", () => {
  it("[AP118] begins anew from what the log retains", async () => {
    await bind(api);
    await serve(api);
    const again = new EventLog(api.plane, 1);
    const told = [...again.all()].filter(({ about }) => about.kind === "Replica");
    expect(told.map(({ reason }) => reason)).toEqual([
      "Admitted",
      "Queued",
      "Bound",
      "Started",
      "Ready",
      "Serving",
    ]);
    again.close();
  });

  it("[AP118] is bounded, for each object and over all, and says what it forgot", async () => {
    const log = new EventLog(api.plane, 1, { perObject: 2, overall: 3 });
    const before = log.version;
    const gone: string[] = [];
    log.onChange((type, { reason }) => {
      if (type === "DELETED") gone.push(reason);
    });
    await bind(api);
    expect([...log.all()].map(({ reason }) => reason)).toEqual(["NodeReady", "Queued", "Bound"]);
    await serve(api);
    expect([...log.all()].map(({ reason }) => reason)).toEqual(["NodeReady", "Ready", "Serving"]);
    await api.patch(`${WORKLOADS}/api`, { spec: { replicas: 2 } });
    expect([...log.all()].map(({ reason }) => reason)).toEqual(["Ready", "Serving", "Scaled"]);
    expect(gone).toEqual(["Admitted", "Queued", "Bound", "Started", "NodeReady"]);
    expect(log.since(before)).toBeUndefined();
    expect(log.since(log.version)).toEqual([]);
    log.close();
  });
});

it("[AP118] events tell what is being waited for", async () => {
  await api.close();
  api = await anApiWithTenant({ controllers: () => createControllers({ schedulers: 1 }) });
  await api.post(`${BERTH}/namespaces/payments/quotas`, {
    apiVersion: "berth.dev/v1",
    kind: "Quota",
    metadata: { name: "default" },
    spec: { limit: { cpu: 4, memory: "4Gi" } },
  });
  await api.post(WORKLOADS, aWorkloadObject("api"));
  await until("the replica to wait for a node", () =>
    [replica, workload]
      .flatMap((key) => api.plane.decisions.about(key))
      .find(({ controller, decision }) => controller === "place-1" && decision.kind === "wait"),
  );
  const { json } = await api.get(`${EVENTS}?${of("api.1.0")}`);
  const wait = itemsOf(json).find((event) => textAt(event, "reason") === "Pending");
  expect(wait).toMatchObject({ type: "Warning", source: { component: "place-1" } });
  expect(textAt(wait!, "message")).toMatch(/^Pending: /);
});
