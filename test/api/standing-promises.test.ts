import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHostClock } from "../../src/host/host-clock.ts";
import { PromiseWatch } from "../../src/promises/promise-watch.ts";
import { bind } from "./a-bound-replica.ts";
import { anApiWithTenant, aNodeObject, type AnyJson, type Api, BERTH, textAt } from "./an-api.ts";

/** One plane for all: each thread that checks promises takes a while to start. */
let api: Api;
beforeAll(async () => {
  await aFleet();
});
afterAll(() => api.close());

const COMMITMENTS = `${BERTH}/namespaces/payments/commitments`;
const ROOM = { headroom: { workload: "api" }, when: { lose: "node" } };

const promise = (spec: object, name = "room") => ({
  apiVersion: "berth.dev/v1",
  kind: "Commitment",
  metadata: { name },
  spec,
});

async function until(
  what: string,
  url: string,
  look: (json: AnyJson) => boolean,
): Promise<AnyJson> {
  for (const endMs = Date.now() + 120_000; ; await sleep(20)) {
    const { json } = await api.get(url);
    if (look(json)) return json;
    if (Date.now() > endMs) throw new Error(`Waited in vain for ${what}: ${JSON.stringify(json)}`);
  }
}

const untilVerdict = (verdict: string, name = "room") =>
  until(verdict, `${COMMITMENTS}/${name}`, (json) => textAt(json, "status", "verdict") === verdict);

/** Two ready nodes, one of which has the only replica. */
async function aFleet(): Promise<void> {
  api = await anApiWithTenant({ promisesQuietMs: 1 });
  await bind(api);
  const other = aNodeObject("a-2");
  await api.post(`${BERTH}/nodes`, { ...other, spec: { ...other.spec, zone: "eu-b" } });
  await api.send({ kind: "lease", node: "a-2", session: 1, seq: 1, kept: [] }, "agent");
}

const cordon = (...holders: readonly string[]) =>
  api.patch(
    `${BERTH}/nodes/a-2`,
    { spec: { cordons: holders.map((holder) => ({ holder, reason: "" })) } },
    "application/merge-patch+json",
    { "berth-as": "ada" },
  );

const metrics = async (): Promise<readonly string[]> =>
  (await api.get("/metrics")).text
    .split("\n")
    .filter((line) => line.startsWith("berth_commitments{"));

describe("promises of a running plane", () => {
  it("[CM5] a plane has the thread only while it has promises", async () => {
    const watch = new PromiseWatch({
      plane: api.plane,
      clock: createHostClock(),
      onTrouble: (error) => expect.fail(String(error)),
      quietMs: 1,
    });
    expect(watch.isRunning).toBe(false);
    await api.post(COMMITMENTS, promise(ROOM));
    expect(watch.isRunning).toBe(true);
    await api.delete(`${COMMITMENTS}/room`);
    expect(watch.isRunning).toBe(false);
    watch.close();
  });

  it("[CM4] a verdict follows the fleet, and its change is an event, a problem and a metric", async () => {
    await api.post(COMMITMENTS, promise(ROOM));
    const held = await untilVerdict("holds");
    expect(held["status"]).toMatchObject({
      reason: "Room for 39 more payments/api after the loss of a-1.",
      history: [],
    });
    expect((await cordon("ada")).status).toBe(200);
    const { status } = (await untilVerdict("breached")) as unknown as { status: AnyJson };
    expect(status).toMatchObject({
      reason: expect.stringContaining(
        "1 of 1 replica finds no free or reserved room after the loss of a-1",
      ),
      revision: api.plane.revision,
      fix: "add 1 node like a-2 in zone eu-b",
      history: [{ verdict: "holds", reason: textAt(held, "status", "reason") }],
    });
    expect(await metrics()).toContain('berth_commitments{verdict="breached"} 1');
    const { json: wrong } = await api.get("/problems");
    expect(wrong["problems"]).toContainEqual({
      of: "promise",
      namespace: "payments",
      name: "room",
      reason: "PromiseBreached",
      message: textAt(status, "reason"),
    });
    const { json: told } = await api.get("/api/v1/events");
    const reasons = (told["items"] as unknown as readonly AnyJson[]).map((each) => each["reason"]);
    expect(reasons).toEqual(expect.arrayContaining(["PromiseHolds", "PromiseBreached"]));
    await cordon();
    await untilVerdict("holds");
  });

  it("[CM6] what only time can show is shown by runs of the twin", async () => {
    const recovers = { recover: { workload: "api", within: "5m" }, when: { lose: "node" } };
    await api.post(COMMITMENTS, promise(recovers, "back"));
    const { status } = (await untilVerdict("holds", "back")) as unknown as { status: AnyJson };
    expect(status["reason"]).toMatch(/3 of 3 runs kept it/);
    await api.delete(`${COMMITMENTS}/back`);
  });

  it("[AP127] GET /promises says what the loss of each zone would leave without a place now", async () => {
    await cordon("ada");
    const { revision } = api.plane;
    const shown = await until(
      "a round",
      "/promises",
      (json) => Number(json["checkedRevision"]) >= revision,
    );
    expect(shown).toMatchObject({ isCurrent: true });
    expect(shown["losses"]).toContainEqual({
      by: "zone",
      place: "eu-a",
      nodes: 1,
      replicas: 1,
      placed: 0,
      homeless: [{ namespace: "payments", name: "api", count: 1 }],
    });
    expect(shown["promises"]).toContainEqual(
      expect.objectContaining({ name: "room", workload: "payments/api", verdict: "breached" }),
    );
    await cordon();
  });

  it("[CM4] a promise that was rewritten has no verdict until it was checked", async () => {
    await untilVerdict("holds");
    const rewritten = { ...ROOM, headroom: { workload: "api", replicas: 1_000 } };
    const { json } = await api.put(`${COMMITMENTS}/room`, promise(rewritten));
    expect(json["status"]).toEqual({});
    await untilVerdict("breached");
  });
});
