/** The JavaScript client library as its users use it, over a real socket. */
import {
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
} from "@kubernetes/client-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addressOf } from "./a-watch.ts";
import { anApiWithTenant, type Api, aTenantObject, aWorkloadObject, BERTH } from "./an-api.ts";

let api: Api;
let config: KubeConfig;
beforeEach(async () => {
  api = await anApiWithTenant();
  config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: "berth", server: await addressOf(api.app), skipTLSVerify: true },
    { name: "local" },
  );
});
afterEach(() => api.close());

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("@kubernetes/client-node", () => {
  it("[AP116] creates, reads, lists and deletes objects it knows only by discovery", async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const spec = aWorkloadObject("api", { metadata: { namespace: "payments" } });
    const made = await objects.create(spec as unknown as KubernetesObject);
    expect(made.metadata?.uid).toMatch(/.+/);
    const header = { metadata: { name: "api", namespace: "payments" } };
    const kind = { apiVersion: "berth.dev/v1", kind: "Workload", ...header };
    expect((await objects.read(kind)).metadata?.resourceVersion).toBe(
      made.metadata?.resourceVersion,
    );
    const list = await objects.list("berth.dev/v1", "Workload", "payments");
    expect(list.items).toHaveLength(1);
    await objects.delete(kind);
    expect((await objects.read(kind)).metadata?.deletionTimestamp).toBeDefined();
  });

  it("[AP116] its informer sees what is there, what changes and what goes", async () => {
    const custom = config.makeApiClient(CustomObjectsApi);
    const list = () =>
      custom.listClusterCustomObject({ group: "berth.dev", version: "v1", plural: "tenants" });
    const informer = makeInformer<KubernetesObject>(config, `${BERTH}/tenants`, list);
    const seen: string[] = [];
    for (const verb of ["add", "update", "delete"] as const) {
      informer.on(verb, ({ metadata }) => void seen.push(`${verb} ${metadata?.name}`));
    }
    informer.on("error", (error: unknown) => void seen.push(`error ${String(error)}`));
    await informer.start();
    await until(() => seen.includes("add payments"));
    await api.post(`${BERTH}/tenants`, aTenantObject("risk"));
    await api.patch(`${BERTH}/tenants/risk`, { metadata: { labels: { a: "b" } } });
    await api.delete(`${BERTH}/tenants/risk`);
    await until(() => seen.includes("delete risk"));
    expect(seen).toEqual(["add payments", "add risk", "update risk", "delete risk"]);
    await informer.stop();
  });
});
