/** Lists and reads are answered from texts that are at hand; they must never be older than what they show. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { bind, serve } from "./a-bound-replica.ts";
import { anApiWithTenant, type Api, BERTH, textAt, WORKLOADS } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const API = `${WORKLOADS}/api`;

it("[AP50] a list and a read show what has changed in the object since they were last asked", async () => {
  await bind(api);
  for (const replicas of [2, 3, 4]) {
    await api.patch(API, { spec: { replicas } });
    const { json } = await api.get(`${WORKLOADS}?limit=10`);
    expect(json["items"]![0]!["spec"]!["replicas"]).toBe(replicas);
    expect((await api.get(API)).json).toEqual(json["items"]![0]);
  }
});

it("[AP50] a list and a read show what has changed in others since they were last asked", async () => {
  await bind(api);
  const ready = async (): Promise<string> =>
    textAt((await api.get(`${WORKLOADS}?limit=10`)).json["items"]![0]!, "status", "readyReplicas");
  const used = async (): Promise<string> =>
    textAt((await api.get(`${BERTH}/nodes/a-1`)).json, "status", "allocated", "replicas");
  const endpoints = `${BERTH}/namespaces/payments/endpoints/api`;
  const addresses = async (): Promise<unknown> =>
    (await api.get(endpoints)).json["status"]!["addresses"];
  expect([await ready(), await used(), await addresses()]).toEqual(["0", "1", []]);
  await serve(api);
  expect([await ready(), await used()]).toEqual(["1", "1"]);
  expect(await addresses()).toHaveLength(1);
});

it("[AP21] pages are in order when objects come and go between lists", async () => {
  const names = async (): Promise<readonly unknown[]> => {
    const { json } = await api.get(`${BERTH}/tenants?limit=3`);
    const items = json["items"] as unknown as { metadata: { name: string } }[];
    return items.map(({ metadata }) => metadata.name);
  };
  const make = (name: string) =>
    api.post(`${BERTH}/tenants`, {
      apiVersion: "berth.dev/v1",
      kind: "Tenant",
      metadata: { name },
    });
  expect(await names()).toEqual(["payments"]);
  await make("b");
  expect(await names()).toEqual(["b", "payments"]);
  await make("z");
  await make("a");
  expect(await names()).toEqual(["a", "b", "payments"]);
  await api.delete(`${BERTH}/tenants/b`);
  expect(await names()).toEqual(["a", "payments", "z"]);
});
