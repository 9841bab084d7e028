import { afterEach, describe, expect, it } from "vitest";
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
    api = await anApiWithTenant({ limits: { peopleSeats: 4, commonSeats: 0, levelWaiting: 8 } });
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
    // Two were under way and three of one caller may wait, three eighths of eight.
    expect(answered.filter((one) => one.endsWith("429"))).toEqual(["w5 429", "w6 429"]);
    expect(answered.indexOf("lease 200")).toBeLessThan(answered.indexOf("w2 201"));
    const refused = all[5]!;
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.json).toMatchObject({
      kind: "Status",
      reason: "TooManyRequests",
      details: { retryAfterSeconds: 1, causes: [{ reason: "people-caller" }] },
    });
    const { text } = await api.get("/metrics");
    expect(text).toContain('berth_api_refused_total{level="people",bound="caller"} 2');
    expect(text).toContain('berth_api_seats{level="people"} 0');
    expect(text).toContain('berth_api_seats_wanted{level="people"} 0');
    // What was turned away was not kept: it can be sent again as it was.
    expect((await api.post(WORKLOADS, aWorkloadObject("w6"))).status).toBe(201);
  });
});
