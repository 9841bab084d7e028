/** What a replica is shown of the decisions that are taken for its whole workload. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { createControllers } from "../../src/host/controllers.ts";
import { until } from "../host/a-running-plane.ts";
import {
  anApiWithTenant,
  aNodeObject,
  type Api,
  aWorkloadObject,
  BERTH,
  WORKLOADS,
} from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant({ controllers: () => createControllers({ schedulers: 1 }) });
});
afterEach(() => api.close());

const about = async (name: string) =>
  (await api.get(`/decisions?key=Replica/payments/${name}`)).json;

const quota = (cpu: number) =>
  api.post(`${BERTH}/namespaces/payments/quotas`, {
    apiVersion: "berth.dev/v1",
    kind: "Quota",
    metadata: { name: "default" },
    spec: { limit: { cpu, memory: "4Gi" } },
  });

const waiting = (controller: string) =>
  until(`${controller} to wait`, () =>
    api.plane.owed().find((owed) => owed.controller === controller),
  );

it("[AP117] a queued replica is shown what its workload's scheduler waits for, and why", async () => {
  await quota(4);
  await api.post(`${BERTH}/nodes`, aNodeObject());
  await api.post(WORKLOADS, aWorkloadObject("api"));
  await waiting("place-1");
  const shown = await about("api.1.0");
  expect(shown["waits"]).toMatchObject([{ controller: "place-1", reason: "no-feasible-node" }]);
  expect(shown["decisions"]).toMatchObject([
    { controller: "admit", decision: { kind: "propose", intents: [{ kind: "enqueue" }] } },
    {
      controller: "place-1",
      decision: {
        kind: "wait",
        because: { rejected: { schedulable: {} }, queue: { position: 1, of: 1, replicasAhead: 0 } },
      },
    },
  ]);
});

it("[AP117] a replica that waits for quota is shown that, and not what others of its workload wait for", async () => {
  await quota(0);
  await api.post(WORKLOADS, aWorkloadObject("api"));
  await waiting("admit");
  const shown = await about("api.1.0");
  expect(shown["waits"]).toMatchObject([{ controller: "admit", reason: "quota-exhausted" }]);
  const other = await about("other.1.0");
  expect([other["waits"], other["decisions"]]).toEqual([[], []]);
});
