/**
 * Agents of protocol 1, the build before, at the door of this one: they send no number, call the incarnation a life and
 * the index a slot, and are upgraded after the planes. The bodies here are written as that build wrote them.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AGENT_PROTOCOL, PROTOCOL_HEADER } from "../../src/shell/agent-protocol.ts";
import { bind, replica, serve, workload } from "./a-bound-replica.ts";
import { aWatch } from "./a-watch.ts";
import { anApiWithTenant, type AnyJson, type Api } from "./an-api.ts";

const TODAY = { [PROTOCOL_HEADER]: `${AGENT_PROTOCOL}` };

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
  await bind(api);
});
afterEach(() => api.close());

/** As an agent of protocol 1 sends a report. */
const report = (stage: string, more = ""): string =>
  `{"from":"agent:a-1","request":{"kind":"command","attempt":1,"command":{"intent":{"kind":"report",` +
  `"operation":"report/${replica}/u/1/${stage}","replica":"${replica}","life":1,"node":"a-1","session":1,` +
  `"stage":"${stage}"${more}},"epoch":${api.plane.epoch},"basis":${api.plane.revision},` +
  `"actor":{"role":"agent","name":"agent:a-1"}}}}`;

const send = (body: string): ReturnType<Api["post"]> =>
  api.post("/commands", JSON.parse(body) as unknown);

describe("an agent that says no protocol", () => {
  it("[AP110] reports its process in the earlier words, and ports keep their names", async () => {
    const address = `,"address":{"host":"10.0.0.1","ports":{"slot":8080,"life":8081}}`;
    for (const body of [report("starting"), report("ready", address), report("serving", address)]) {
      expect((await send(body)).json).toMatchObject({ outcome: { kind: "committed" } });
    }
    const { status } = api.plane.objects.replica(replica)!;
    expect([status.stage, status.incarnation]).toEqual(["serving", 1]);
    expect(status.address?.ports).toEqual({ slot: 8080, life: 8081 });
  });

  it("[AP110] is refused with the life that it is wrong about", async () => {
    const { json } = await send(report("starting").replace('"life":1', '"life":7'));
    expect(json).toMatchObject({ outcome: { kind: "conflict", code: "wrong-incarnation" } });
  });

  it("[AP112] lists its replicas in the earlier words, and as such objects were", async () => {
    await serve(api);
    const { json, text } = await api.get("/stream/list?node=a-1");
    expect(Object.keys(json)).toEqual(["revision", "epoch", "objects"]);
    const [object] = json["objects"] as unknown as readonly AnyJson[];
    expect(object!["spec"]).toMatchObject({ workload: "api", generation: 1, slot: 0 });
    expect(object!["status"]).toMatchObject({ stage: "serving", life: 1 });
    expect(text).not.toMatch(/"(?:incarnation|index)":/);
  });

  it("[AP112] watches in the earlier words, from what it missed on", async () => {
    const from = api.plane.revision - 1;
    const stream = await aWatch(api.app, `/stream/watch?node=a-1&from=${from}`);
    const [missed] = await stream.take(1);
    await serve(api);
    const [news] = await stream.take(1);
    stream.close();
    for (const line of [missed, news]) {
      const text = JSON.stringify(line);
      expect(text).toContain('"life":1');
      expect(text).toContain('"slot":0');
      expect(text).not.toMatch(/"(?:incarnation|index)":/);
    }
  });

  it("[AP110] as a controller, asks for indexes in the earlier words", async () => {
    const intent = { kind: "enqueue", operation: "e1", workload, generation: 1 };
    const actor = { role: "admit", name: "admit" };
    const { epoch, revision: basis } = api.plane;
    const command = { intent: { ...intent, slots: [{ slot: 1, life: 1 }] }, epoch, basis, actor };
    const request = { kind: "command", attempt: 1, command };
    const { json } = await api.post("/commands", { from: "admit", request });
    // The workload has one replica: the authority names the index that it was asked for.
    expect(json).toMatchObject({
      outcome: { code: "index-not-wanted", actual: "index 1 of generation 1" },
    });
  });
});

describe("an agent of this protocol", () => {
  it("[AP112] gets the core's own objects, and the number with the list", async () => {
    const { json } = await api.get("/stream/list?node=a-1", TODAY);
    expect(json["protocol"]).toBe(AGENT_PROTOCOL);
    const [object] = json["objects"] as unknown as readonly AnyJson[];
    expect(object).toEqual(JSON.parse(JSON.stringify(api.plane.objects.replica(replica))));
  });

  it("[AP110] is not understood in the earlier words", async () => {
    const { status } = await api.post("/commands", JSON.parse(report("starting")), TODAY);
    expect(status).toBe(400);
  });
});
