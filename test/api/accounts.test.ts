/** Accounts that do not add up are shown wherever somebody may look. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { bind } from "./a-bound-replica.ts";
import { anApiWithTenant, type Api, BERTH } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
  await bind(api);
});
afterEach(() => api.close());

const QUOTA = `${BERTH}/namespaces/payments/quotas/default`;

const conditions = async (): Promise<unknown> => {
  const { json } = await api.get(QUOTA);
  return (json["status"] as unknown as Readonly<Record<string, unknown>>)["conditions"];
};

it("[RP4] accounts that add up are nothing to speak of", async () => {
  expect(await conditions()).toBeUndefined();
  expect((await api.get("/metrics")).text).toMatch(/^berth_accounts_wrong 0$/m);
});

it("[RP4] accounts that do not are a condition of every quota, and a metric", async () => {
  api.plane.objects.quotaUsage.wrong = "the accounts have 2 and objects add up to 1";
  expect(await conditions()).toMatchObject([
    {
      type: "AccountsConsistent",
      status: "False",
      reason: "DoNotAddUp",
      message: expect.stringContaining("the accounts have 2 and objects add up to 1") as string,
    },
  ]);
  expect((await api.get("/metrics")).text).toMatch(/^berth_accounts_wrong 1$/m);
});
