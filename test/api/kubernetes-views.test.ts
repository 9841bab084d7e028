/** Berth's objects under the names that Kubernetes' tools know: pods, owners, conditions, topology labels. */
import { get, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bind, serve } from "./a-bound-replica.ts";
import { addressOf, aWatch } from "./a-watch.ts";
import { type Api, anApiWithTenant, BERTH, textAt, WORKLOADS } from "./an-api.ts";

const PODS = "/api/v1/namespaces/payments/pods";
const POD = `${PODS}/api.1.0`;
const REPLICA = `${BERTH}/namespaces/payments/replicas/api.1.0`;
const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const NODE = `${BERTH}/nodes/a-1`;

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const ready = (of: { readonly [name: string]: unknown }): unknown =>
  (of["conditions"] as readonly { type: string; status: string }[]).find(
    ({ type }) => type === "Ready",
  )?.status;

describe("a pod", () => {
  it("[AP234] is a replica: its node, its phase, its container and its conditions", async () => {
    await bind(api);
    const bound = (await api.get(POD)).json;
    expect(bound).toMatchObject({
      apiVersion: "v1",
      kind: "Pod",
      spec: { nodeName: "a-1", containers: [{ name: "api", command: ["serve"] }] },
      status: { phase: "Pending" },
    });
    expect(ready(bound["status"]!)).toBe("False");
    await serve(api);
    const { json } = await api.get(POD);
    expect(json["status"]).toMatchObject({ phase: "Running", podIP: "10.0.0.1" });
    expect(json["status"]?.["containerStatuses"]?.[0]).toMatchObject({ ready: true });
    expect(ready(json["status"]!)).toBe("True");
    const { json: table } = await api.get(PODS, TABLE);
    expect(table["rows"]?.[0]?.["cells"]).toEqual(
      expect.arrayContaining(["api.1.0", "1/1", "Running", 0, "10.0.0.1", "a-1"]),
    );
  });

  it("[AP234] is selected by node and phase, listed everywhere, and watched", async () => {
    await bind(api);
    const count = async (url: string): Promise<unknown> =>
      (await api.get(url)).json["items"]?.["length"];
    expect(await count(`/api/v1/pods?fieldSelector=spec.nodeName%3Da-1`)).toBe(1);
    expect(await count(`${PODS}?fieldSelector=status.phase%3DRunning`)).toBe(0);
    const watch = await aWatch(api.app, `${PODS}?watch=true`);
    await serve(api);
    const lines = await watch.take(4);
    expect(lines.map((line) => textAt(line, "object", "status", "phase"))).toEqual([
      "Pending",
      "Running",
      "Running",
      "Running",
    ]);
    watch.close();
  });

  it("[AP234] is not written, and goes with its workload", async () => {
    await bind(api);
    expect((await api.post(PODS, {})).status).toBe(405);
    expect((await api.put(POD, {})).status).toBe(405);
    await api.delete(`${WORKLOADS}/api`);
    expect((await api.delete(POD)).status).toBe(200);
  });

  it("[AP234] has the log of its replica, under the name of its container", async () => {
    await bind(api);
    expect((await api.get(`${POD}/log?container=other`)).status).toBe(400);
    const from = api.plane.revision;
    const agent = await aWatch(api.app, `/stream/watch?node=a-1&from=${from}`);
    await agent.next();
    const address = await addressOf(api.app);
    const reading = new Promise<IncomingMessage>((resolve, reject) => {
      get(`${address}${POD}/log?container=api`, { agent: false }, resolve).on("error", reject);
    });
    const asked = await agent.next();
    if (asked === "end") throw new Error("The stream ended.");
    const id = textAt(asked, "log", "id");
    const body = "hello\n";
    await fetch(`${address}/stream/logs/${id}?part=0&last=true`, { method: "POST", body });
    let text = "";
    for await (const part of (await reading).setEncoding("utf8")) text += String(part);
    expect(text).toBe(body);
    agent.close();
  });
});

describe("a replica", () => {
  it("[AP235] names its workload as its owner, and says whether it is ready", async () => {
    await bind(api);
    const { uid } = (await api.get(`${WORKLOADS}/api`)).json["metadata"] as unknown as {
      uid: string;
    };
    const { json } = await api.get(REPLICA);
    expect(json["metadata"]?.["ownerReferences"]).toEqual([
      {
        apiVersion: "berth.dev/v1",
        kind: "Workload",
        name: "api",
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(ready(json["status"]!)).toBe("False");
    await serve(api);
    expect(ready((await api.get(REPLICA)).json["status"]!)).toBe("True");
  });
});

describe("a node", () => {
  it("[AP236] has the labels of its place and its name, and can be selected by them", async () => {
    await bind(api);
    const place = {
      "kubernetes.io/hostname": "a-1",
      "topology.kubernetes.io/region": "eu",
      "topology.kubernetes.io/zone": "eu-a",
    };
    expect((await api.get(NODE)).json["metadata"]?.["labels"]).toEqual(place);
    const selected = async (zone: string): Promise<unknown> => {
      const selector = encodeURIComponent(`topology.kubernetes.io/zone=${zone}`);
      return (await api.get(`${BERTH}/nodes?labelSelector=${selector}`)).json["items"]?.["length"];
    };
    expect([await selected("eu-a"), await selected("eu-b")]).toEqual([1, 0]);
  });

  it("[AP236] keeps none of them when a client sends back what it was shown", async () => {
    await bind(api);
    const { json } = await api.get(NODE);
    const labels = { ...(json["metadata"]?.["labels"] as object), mine: "1" };
    const metadata = { ...(json["metadata"] as object), labels };
    expect((await api.put(NODE, { ...(json as object), metadata })).status).toBe(200);
    expect([...api.plane.objects.all("Node").values()][0]?.meta.labels).toEqual({ mine: "1" });
  });
});
