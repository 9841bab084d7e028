/** What was not measured, and why: from whoever measures to whoever looks. */
import { afterEach, expect, it } from "vitest";
import { Gauge } from "../../src/host/scale/gauge.ts";
import { SampleWindow } from "../../src/host/scale/sample-window.ts";
import { replicaKey } from "../../src/core/model/ids.ts";
import { bind, serve } from "./a-bound-replica.ts";
import { anApiWithTenant, type Api, BERTH } from "./an-api.ts";

let api: Api;
afterEach(() => api.close());

const AUTOSCALERS = `${BERTH}/namespaces/payments/autoscalers`;
const SAMPLES = "/metrics-samples";
const WHY = "GET /metrics at 127.0.0.1:8080 answered 404";

async function anAutoscaler(): Promise<void> {
  api = await anApiWithTenant();
  await bind(api);
  await serve(api);
  const answer = await api.post(AUTOSCALERS, {
    apiVersion: "berth.dev/v1",
    kind: "Autoscaler",
    metadata: { name: "api" },
    spec: { workload: "api", min: 1, max: 4, target: { requests: 50 } },
  });
  expect(answer.status).toBe(201);
}

const unmeasured = (said: object) => ({
  samples: [{ namespace: "payments", replica: "api.1.0", metric: "requests", ...said }],
});

it("[AP224] takes in place of a value the reason why there is none, where an autoscaler uses it", async () => {
  await anAutoscaler();
  const { revision } = api.plane;
  expect((await api.post(SAMPLES, unmeasured({ missing: WHY }))).json).toEqual({
    taken: 1,
    ignored: 0,
  });
  expect(api.plane.revision).toBe(revision);
});

it.each([
  [{ missing: WHY, value: 1 }, /samples\[0\]: expected a value, or why it is missing, and found/],
  [{ missing: 404 }, /samples\[0\]: missing: expected a line of at most 256 characters/],
  [{ missing: "" }, /samples\[0\]: missing: expected a line/],
  [{ missing: "x".repeat(257) }, /samples\[0\]: missing: expected a line/],
  [{ missing: "two\nlines" }, /samples\[0\]: missing: expected a line/],
])("[AP224] says what is wrong with a reason: %j", async (said, message) => {
  await anAutoscaler();
  const { status, json } = await api.post(SAMPLES, unmeasured(said));
  expect(status).toBe(400);
  expect(json["message"]).toMatch(message);
});

it("[AP225] an autoscaler shows of which replica nothing was measured, and why", async () => {
  await anAutoscaler();
  const window = new SampleWindow();
  const gauge = new Gauge({ plane: api.plane, clock: { nowMs: () => 0 }, window });
  const of = replicaKey({ tenant: "payments", workload: "api", generation: 1, index: 0 });
  window.take(api.plane.objects, [{ of, metric: "requests", missing: WHY }], 0);
  expect(await gauge.observe()).toBe(1);
  gauge.close();
  const { status } = (await api.get(`${AUTOSCALERS}/api`)).json;
  expect(status).toMatchObject({
    observed: { covered: 0, of: 1, missing: `api.1.0: ${WHY}` },
    reason: expect.stringMatching(
      new RegExp(`no sample from 1 serving replica\\).*not measured: api.1.0: ${WHY}$`),
    ) as string,
    conditions: [
      { type: "ScalingActive", message: expect.stringContaining(WHY) as string },
      {},
      {},
    ],
  });
});

it("[AP225] one whose replicas tell of no requests says that they do not", async () => {
  await anAutoscaler();
  const reading = { sumMillis: 0, covered: 0, of: 1, windowMs: 30_000 };
  const autoscaler = "Autoscaler/payments/api" as never;
  await api.send({ kind: "observe", autoscaler, reading }, "gauge");
  const { status } = (await api.get(`${AUTOSCALERS}/api`)).json;
  expect(status).toMatchObject({
    reason: expect.stringMatching(/its template has no metrics port for requests$/) as string,
  });
});
