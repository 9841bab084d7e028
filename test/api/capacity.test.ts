import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bind } from "./a-bound-replica.ts";
import { anApiWithTenant, aNodeObject, type Api, BERTH } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const amounts = (cpu: string, memory: string) => ({ cpu, memory, devices: 0 });
const NOTHING = amounts("0", "0");

describe("GET /capacity", () => {
  it("[AP120] what there is, by region and in three classes that add up, and what groups share", async () => {
    await bind(api);
    await api.put(`${BERTH}/namespaces/payments/quotas/default`, {
      apiVersion: "berth.dev/v1",
      kind: "Quota",
      metadata: { name: "default" },
      spec: { limit: { cpu: 8, memory: "8Gi" }, group: "retail" },
    });
    const forecast = aNodeObject("later");
    await api.post(`${BERTH}/nodes`, { ...forecast, spec: { ...forecast.spec, supply: "soft" } });
    const { status, json } = await api.get("/capacity");
    expect(status).toBe(200);
    const row = {
      hard: {
        capacity: amounts("4", "4Gi"),
        overcommitted: NOTHING,
        committed: amounts("100m", "64Mi"),
        reserved: NOTHING,
        recovery: NOTHING,
        free: amounts("3900m", "4032Mi"),
      },
      reclaimable: NOTHING,
      soft: amounts("4", "4Gi"),
      outOfReach: NOTHING,
    };
    expect(json).toEqual({
      revision: api.plane.revision,
      total: row,
      regions: [{ name: "eu", ...row }],
      groups: [
        {
          name: "retail",
          tenants: ["payments"],
          limit: amounts("8", "8Gi"),
          used: amounts("100m", "64Mi"),
          reserved: NOTHING,
          free: amounts("7900m", "8128Mi"),
          overdrawn: NOTHING,
        },
      ],
    });
  });
});
