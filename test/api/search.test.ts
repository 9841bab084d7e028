import { expect, it } from "vitest";
import { aNodeObject, anApiWithTenant, aWorkloadObject, BERTH, WORKLOADS } from "./an-api.ts";

it("[AP300] names are found by their parts, the best first, and at most twenty of them", async () => {
  const api = await anApiWithTenant();
  await api.post(WORKLOADS, aWorkloadObject("api"));
  await api.post(WORKLOADS, aWorkloadObject("api-gateway"));
  await api.post(WORKLOADS, aWorkloadObject("old-api"));
  await api.post(`${BERTH}/nodes`, aNodeObject("api-node"));
  const search = async (text: string) => {
    const { json } = await api.get(`/search?q=${encodeURIComponent(text)}`);
    const { found, count } = json as unknown as {
      found: { kind: string; namespace: string; name: string }[];
      count: number;
    };
    return [count, ...found.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)];
  };
  expect(await search("API")).toEqual([
    4,
    "Workload payments/api",
    "Workload payments/api-gateway",
    "Node /api-node",
    "Workload payments/old-api",
  ]);
  expect(await search("pay gate")).toEqual([1, "Workload payments/api-gateway"]);
  expect(await search("payments")).toEqual([
    4,
    "Tenant /payments",
    "Workload payments/api",
    "Workload payments/api-gateway",
    "Workload payments/old-api",
  ]);
  expect(await search("nothing-like-that")).toEqual([0]);
  expect(await search(" ")).toEqual([0]);

  for (let at = 0; at < 25; at += 1) await api.post(`${BERTH}/nodes`, aNodeObject(`rack-${at}`));
  const [count, ...found] = await search("rack");
  expect([count, found.length]).toEqual([25, 20]);
  expect((await api.get(`/search?q=${"x".repeat(257)}`)).status).toBe(400);
  await api.close();
});
