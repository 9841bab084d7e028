/** From a sample to replicas, through a plane with all its controllers. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ObjectKey, replicaKey, workloadKey } from "../../src/core/model/ids.ts";
import { createControllers } from "../../src/host/controllers.ts";
import { Gauge } from "../../src/host/scale/gauge.ts";
import { SampleWindow } from "../../src/host/scale/sample-window.ts";
import { until } from "../host/a-running-plane.ts";
import {
  anApiWithTenant,
  aNodeObject,
  type Api,
  aWorkloadObject,
  BERTH,
  textAt,
  WORKLOADS,
} from "./an-api.ts";

let api: Api;
let gauge: Gauge;
const window = new SampleWindow();
const clock = { nowMs: () => 0 };
beforeEach(async () => {
  api = await anApiWithTenant({ controllers: () => createControllers({ schedulers: 1 }) });
  gauge = new Gauge({ plane: api.plane, clock, window });
});
afterEach(async () => {
  gauge.close();
  await api.close();
});

const AUTOSCALER = "Autoscaler/payments/api" as ObjectKey;
const workload = workloadKey("payments", "api");
const index = (at: number): ObjectKey =>
  replicaKey({ tenant: "payments", workload: "api", generation: 1, index: at });

/** One replica serves, of as many as are asked for; there is quota for so many. */
async function running(replicas: number, quota: number): Promise<void> {
  await api.post(`${BERTH}/namespaces/payments/quotas`, {
    apiVersion: "berth.dev/v1",
    kind: "Quota",
    metadata: { name: "default" },
    spec: { limit: { cpu: quota, memory: "4Gi" } },
  });
  await api.post(`${BERTH}/nodes`, aNodeObject());
  await api.send({ kind: "lease", node: "a-1", session: 1, seq: 1, kept: [] }, "agent");
  const resources = { cpu: 1, memory: "64Mi" };
  await api.post(WORKLOADS, aWorkloadObject("api", { spec: { replicas, resources } }));
  await until("the first replica to be bound", () =>
    api.plane.objects.replica(index(0))?.status.stage === "bound" ? true : undefined,
  );
  for (const stage of ["starting", "ready", "serving"] as const) {
    const report = {
      kind: "report",
      replica: index(0),
      incarnation: 1,
      node: "a-1",
      session: 1,
    } as const;
    await api.send({ ...report, stage }, "agent");
  }
  await api.post(`${BERTH}/namespaces/payments/autoscalers`, {
    apiVersion: "berth.dev/v1",
    kind: "Autoscaler",
    metadata: { name: "api" },
    spec: { workload: "api", min: 1, max: 4, target: { metric: { name: "load", value: 100 } } },
  });
}

async function measured(load: number): Promise<void> {
  const sample = { of: workload, metric: "load", valueMillis: load * 1_000 };
  expect(window.take(api.plane.objects, [sample], 0)).toBe(1);
  expect(await gauge.observe()).toBe(1);
}

it("what was measured becomes an observation, a decision and replicas with a place [AS2] [AS5]", async () => {
  await running(1, 4);
  await measured(300);
  await until("all to have a node", () =>
    [0, 1, 2].every((at) => api.plane.objects.replica(index(at))?.status.node === "a-1")
      ? true
      : undefined,
  );
  const scaled = api.plane.since()!.find(({ command }) => command === "scale");
  expect(scaled).toMatchObject({
    actor: { role: "scale", name: "scale" },
    evidence: { kind: "load-observed", autoscaler: AUTOSCALER, observation: 1 },
  });
  const audit = await api.get("/audit?command=scale");
  expect(textAt(audit.json, "entries")).toContain("scaled payments/api from 1 to 3");
});

it("a scale-up that would serve no load is refused, and every client sees why [AS6] [AP200]", async () => {
  await running(2, 1);
  await measured(300);
  await until("the autoscaler to refuse", () =>
    api.plane.decisions
      .about(AUTOSCALER)
      .find(({ decision }) => decision.kind === "wait" && decision.reason === "scale-refused"),
  );
  expect(api.plane.objects.workload(workload)?.spec.replicas).toBe(2);
  const said =
    /more replicas would not help \(quota\): a replica waits for quota of tenant payments/;
  const events = await api.get(
    `/api/v1/namespaces/payments/events?fieldSelector=involvedObject.kind=Autoscaler`,
  );
  expect(events.text).toMatch(said);
  const shown = await api.get(`${BERTH}/namespaces/payments/autoscalers/api`);
  expect(textAt(shown.json, "status", "conditions")).toContain(
    '"AbleToScale","status":"False","reason":"Quota"',
  );
  const decisions = await api.get(`/decisions?key=${AUTOSCALER}`);
  expect(decisions.text).toMatch(said);
});
