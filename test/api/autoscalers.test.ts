import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Explanation } from "../../src/api/explain/explanation.ts";
import { explainText } from "../../src/cli/text/explain-text.ts";
import { bind, serve } from "./a-bound-replica.ts";
import { anApi, anApiWithTenant, type Api, aWorkloadObject, BERTH, WORKLOADS } from "./an-api.ts";

let api: Api;
afterEach(() => api.close());

const AUTOSCALERS = `${BERTH}/namespaces/payments/autoscalers`;
const SAMPLES = "/metrics-samples";

const anAutoscaler = (spec: Readonly<Record<string, unknown>> = {}, name = "api") => ({
  apiVersion: "berth.dev/v1",
  kind: "Autoscaler",
  metadata: { name },
  spec: { workload: "api", min: 1, max: 4, target: { cpu: 50 }, ...spec },
});

const cpu = (value: unknown, replica = "api.1.0") => ({
  samples: [{ namespace: "payments", replica, metric: "cpu", value }],
});

describe("an autoscaler over HTTP", () => {
  it("[AP200] says what it saw, what it would do, and what keeps it from that", async () => {
    api = await anApiWithTenant();
    await bind(api);
    await serve(api);
    expect((await api.post(AUTOSCALERS, anAutoscaler())).status).toBe(201);
    const reading = { sumMillis: 180_000, covered: 1, of: 1, windowMs: 30_000 };
    const key = "Autoscaler/payments/api" as never;
    await api.send({ kind: "observe", autoscaler: key, reading }, "gauge");
    const { status } = (await api.get(`${AUTOSCALERS}/api`)).json;
    expect(status).toMatchObject({
      replicas: 1,
      desired: 4,
      observed: { load: 180, covered: 1, of: 1, observation: 1 },
      conditions: [
        { type: "ScalingActive", status: "True", reason: "LoadHigh" },
        { type: "AbleToScale", status: "True", reason: "AllPlaced" },
        { type: "CapacityShort", status: "False" },
      ],
    });
    // A second one is wanted by hand, and admit has not given it an incarnation yet.
    await api.patch(`${BERTH}/namespaces/payments/workloads/api`, { spec: { replicas: 2 } });
    const shown = (await api.get(`${AUTOSCALERS}/api`)).json["status"];
    expect(shown).toMatchObject({
      reason: expect.stringContaining("another client set the number") as string,
      conditions: [
        { type: "ScalingActive", status: "False", reason: "ScaledByHand" },
        { type: "AbleToScale", status: "False", reason: "StaleView" },
        { type: "CapacityShort", status: "False" },
      ],
    });
  });

  it("[AP200] [AP184] is told of with its workload: what was seen, needed for and done, and what is in the way", async () => {
    api = await anApiWithTenant();
    await bind(api);
    await serve(api);
    const rowOf = async () =>
      (await api.get("/views/workloads")).json["rows"] as unknown as unknown[][];
    expect((await rowOf())[0]?.at(-2)).toBeNull();
    await api.post(AUTOSCALERS, anAutoscaler());
    expect((await rowOf())[0]?.at(-2)).toEqual({
      autoscaler: "api",
      min: 1,
      max: 4,
      observation: null,
    });
    const asked = "/explain?kind=workload&name=api&namespace=payments";
    const told = async () => explainText((await api.get(asked)).json as unknown as Explanation);
    expect(await told()).toContain("observed: no samples yet");
    const reading = { sumMillis: 180_000, covered: 1, of: 1, windowMs: 30_000 };
    const key = "Autoscaler/payments/api" as never;
    await api.send({ kind: "observe", autoscaler: key, reading }, "gauge");
    expect((await rowOf())[0]?.at(-2)).toMatchObject({ observation: 1 });
    const high = await told();
    expect(high).toMatch(
      /autoscaler api:\n {4}observed: a load of 180 each, target 50% cpu, sampled from 1 of 1 serving replica \(observation 1, \d+s ago\)\n/,
    );
    expect(high).toContain("needed: 4 replicas for this load; bounds 1 to 4");
    expect(high).toContain("decided: api 1 to 4: the load is above its target");
    expect(high).not.toContain("held back");
    await api.patch(`${BERTH}/namespaces/payments/workloads/api`, { spec: { replicas: 2 } });
    expect(await told()).toContain("held back: More replicas would not help");
  });

  it("[AP200] says all that is wrong with one at once, and that a workload has one", async () => {
    api = await anApiWithTenant();
    await bind(api);
    const wrong = anAutoscaler({ max: 1, min: 2, target: {}, down: { window: "2h" } });
    const { status, text } = await api.post(AUTOSCALERS, wrong);
    expect(status).toBe(422);
    expect(text).toMatch(/spec\.target: found none.*spec\.down\.window.*spec\.max: found 1/s);
    expect((await api.post(AUTOSCALERS, anAutoscaler())).status).toBe(201);
    const second = await api.post(AUTOSCALERS, anAutoscaler({}, "second"));
    expect(second.status).toBe(409);
    expect(second.text).toMatch(/Another autoscaler already scales the workload/);
  });
});

const as = (token: string) => ({ authorization: `Bearer ${token}` });

describe("the example", () => {
  it("[AP200] is one that the API takes, and shows as it was written", async () => {
    api = await anApiWithTenant();
    const file = new URL("../../examples/autoscaling/autoscaler.yaml", import.meta.url);
    const example = parse(readFileSync(file, "utf8")) as { readonly spec: unknown };
    await api.post(WORKLOADS, aWorkloadObject("risk-api"));
    expect((await api.post(AUTOSCALERS, example)).status).toBe(201);
    const shown = (await api.get(`${AUTOSCALERS}/risk-api`)).json["spec"];
    expect(shown).toEqual({
      ...(example.spec as object),
      down: { window: "5m", percent: 50, period: "1m" },
    });
  });
});

describe("POST /metrics-samples", () => {
  it("[AP201] takes the samples that an autoscaler uses, ignores the rest, and writes nothing to the log", async () => {
    api = await anApiWithTenant();
    await bind(api);
    await serve(api);
    expect((await api.post(SAMPLES, cpu(40))).json).toEqual({ taken: 0, ignored: 1 });
    await api.post(AUTOSCALERS, anAutoscaler());
    const { revision } = api.plane;
    expect((await api.post(SAMPLES, cpu(40.5))).json).toEqual({ taken: 1, ignored: 0 });
    expect((await api.post(SAMPLES, cpu(40, "ghost.1.0"))).json).toEqual({ taken: 0, ignored: 1 });
    expect(api.plane.revision).toBe(revision);
  });

  it.each([
    [{}, /samples: found undefined; expected a list/],
    [cpu(-1), /samples\[0\]: value: expected a number/],
    [cpu("many"), /samples\[0\]: value: expected a number/],
    [{ samples: [7] }, /samples\[0\]: expected an object/],
    [{ samples: [{ namespace: "payments", metric: "cpu", value: 1 }] }, /the name of a replica/],
  ])("[AP201] says what is wrong with a sample: %j", async (body, message) => {
    api = await anApi();
    const { status, json } = await api.post(SAMPLES, body);
    expect(status).toBe(400);
    expect(json["message"]).toMatch(message);
  });

  it.each(["namespace", "replica"])(
    "[IN7] remembers no %s that is longer than names are",
    async (field) => {
      api = await anApi();
      const [right] = cpu(1).samples;
      const samples = [{ ...right, [field]: "x".repeat(1_900_000) }];
      const { status, json } = await api.post(SAMPLES, { samples });
      expect(status).toBe(400);
      expect(json["message"]).toMatch(/samples\[0\]: expected names of at most 512 characters/);
    },
  );

  it("[AP201] takes an agent's word for its own node alone", async () => {
    const tokens = [
      { token: "of-a-1", kind: "agent", name: "a-1" },
      { token: "of-b-1", kind: "agent", name: "b-1" },
      { token: "ana", kind: "user", name: "ana" },
    ] as const;
    api = await anApi({ auth: { tokens } });
    const ana: Api = {
      ...api,
      post: (url, body) => api.post(url, body, as("ana")),
    };
    await ana.post(`${BERTH}/tenants`, {
      apiVersion: "berth.dev/v1",
      kind: "Tenant",
      metadata: { name: "payments" },
    });
    await bind(ana);
    expect((await api.post(SAMPLES, cpu(40), as("of-a-1"))).status).toBe(200);
    expect((await api.post(SAMPLES, cpu(40), as("of-b-1"))).status).toBe(403);
    expect((await api.post(SAMPLES, cpu(40), as("ana"))).status).toBe(200);
  });
});
