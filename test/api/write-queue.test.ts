import { EventEmitter } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { createWriteQueue } from "../../src/api/bounds/request-queues.ts";
import {
  anApiWithTenant,
  aNodeObject,
  type Answer,
  type Api,
  aWorkloadObject,
  BERTH,
  WORKLOADS,
} from "./an-api.ts";

let api: Api;
afterEach(() => api.close());

const aLease = (epoch: number) => ({
  from: "agent:a-1",
  request: {
    kind: "command",
    attempt: 1,
    command: {
      intent: { kind: "lease", operation: "lease/a-1", node: "a-1", session: 1, seq: 1, kept: [] },
      epoch,
      basis: 0,
      actor: { role: "agent", name: "agent:a-1" },
    },
  },
});

describe("more writes than the server takes on at once", () => {
  it("[AP99] some are under way, some wait, the others are 429; a lease that comes last overtakes all that wait", async () => {
    api = await anApiWithTenant({ limits: { writesUnderWay: 2, writesWaiting: 6 } });
    await api.post(`${BERTH}/nodes`, aNodeObject());
    const answered: string[] = [];
    const noted = async (name: string, answer: Promise<Answer>): Promise<Answer> => {
      const { status, ...rest } = await answer;
      answered.push(`${name} ${status}`);
      return { status, ...rest };
    };
    const writes = Array.from({ length: 7 }, (_, at) =>
      noted(`w${at}`, api.post(WORKLOADS, aWorkloadObject(`w${at}`))),
    );
    const lease = noted("lease", api.post("/commands", aLease(api.plane.epoch)));
    const all = await Promise.all([...writes, lease]);
    // Two were under way and three of one caller may wait, half of six.
    expect(answered.filter((one) => one.endsWith("429"))).toEqual(["w5 429", "w6 429"]);
    expect(answered.indexOf("lease 200")).toBeLessThan(answered.indexOf("w2 201"));
    const refused = all[5]!;
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.json.message).toContain("2 writes are in progress and 3 wait");
    const { text } = await api.get("/metrics");
    expect(text).toContain("berth_api_writes_turned_away_total 2");
    expect(text).toContain("berth_api_writes_under_way 0");
    expect(text).toContain("berth_api_writes_waiting 0");
    // What was turned away was not kept: it can be sent again as it was.
    expect((await api.post(WORKLOADS, aWorkloadObject("w6"))).status).toBe(201);
  });

  it("[AP99] callers take turns, and who has left takes none", async () => {
    api = await anApiWithTenant();
    const queue = createWriteQueue({
      writesUnderWay: 1,
      writesUnderWayPerCaller: 1,
      writesWaiting: 20,
    });
    const senders = new Map<string, EventEmitter>();
    const order: string[] = [];
    const enter = (caller: string, name: string): void => {
      const sender = new EventEmitter();
      senders.set(name, sender);
      queue.enter(caller, sender).then(
        () => order.push(name),
        () => order.push(`${name} left`),
      );
    };
    for (const name of ["a1", "a2", "a3", "a4"]) enter("ana", name);
    enter("bo", "b1");
    senders.get("a3")?.emit("close");
    for (const name of ["a1", "a2", "b1", "a4"]) {
      await new Promise(setImmediate);
      expect(order.at(-1)).toBe(name === "a1" ? "a3 left" : name);
      senders.get(name)?.emit("finish");
      senders.get(name)?.emit("close");
    }
    expect(order).toEqual(["a1", "a3 left", "a2", "b1", "a4"]);
    expect([queue.underWay, queue.waiting, queue.turnedAway]).toEqual([0, 0, 0]);
  });

  it("[HB11] a caller leaves places to others, and those that wait for their own do not block them", async () => {
    api = await anApiWithTenant();
    const queue = createWriteQueue({
      writesUnderWay: 3,
      writesUnderWayPerCaller: 2,
      writesWaiting: 20,
    });
    const senders = new Map<string, EventEmitter>();
    const begun: string[] = [];
    const enter = async (caller: string, name: string): Promise<void> => {
      const sender = new EventEmitter();
      senders.set(name, sender);
      await queue.enter(caller, sender);
      begun.push(name);
    };
    for (const name of ["a1", "a2", "a3", "a4"]) void enter("ana", name);
    void enter("bo", "b1");
    void enter("bo", "b2");
    await new Promise(setImmediate);
    expect(begun).toEqual(["a1", "a2", "b1"]);
    // Ana is first in turn and has all of her places, so Bo's next takes the one that became free.
    senders.get("b1")?.emit("close");
    await new Promise(setImmediate);
    expect(begun.at(-1)).toBe("b2");
    senders.get("a1")?.emit("finish");
    await new Promise(setImmediate);
    expect(begun.at(-1)).toBe("a3");
    for (const name of ["a2", "a3", "b2", "a4"]) {
      await new Promise(setImmediate);
      senders.get(name)?.emit("close");
    }
    expect([queue.underWay, queue.waiting, queue.turnedAway]).toEqual([0, 0, 0]);
  });

  it("[HB11] a write gives its place back when its answer is made, once", async () => {
    api = await anApiWithTenant();
    const queue = createWriteQueue({
      writesUnderWay: 1,
      writesUnderWayPerCaller: 1,
      writesWaiting: 20,
    });
    const [slow, next] = [new EventEmitter(), new EventEmitter()];
    await queue.enter("mallory", slow);
    const entered = queue.enter("ana", next);
    // Its reader takes nothing: neither "finish" nor "close" has come.
    queue.answered(slow);
    await entered;
    expect([queue.underWay, queue.waiting]).toEqual([1, 0]);
    slow.emit("close");
    expect(queue.underWay).toBe(1);
    queue.answered(next);
    queue.answered(new EventEmitter());
    expect(queue.underWay).toBe(0);
  });
});
