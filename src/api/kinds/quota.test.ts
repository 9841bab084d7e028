import { expect, test } from "vitest";
import { aPlane } from "../../../test/builders/a-plane.ts";
import { quotaKey } from "../../core/model/ids.ts";
import { checkObject } from "../schema/check-object.ts";
import { quotaKind } from "./quota.ts";

test("a quota shows what is used, reserved and free, which add up to the limit [QT2]", () => {
  const plane = aPlane({ quota: { cpuMillis: 1000 }, wish: { replicas: 2, cpuMillis: 300 } });
  plane.bound({ slot: 0 });
  plane.reserved(1);
  const quota = plane.get(quotaKey("payments"))!;
  const { objects } = plane.ledger;
  expect(quotaKind.toApi(quota, objects).status).toMatchObject({
    used: { cpu: "300m" },
    reserved: { cpu: "300m" },
    free: { cpu: "400m" },
  });
  const cpu = quotaKind.columns.find(({ name }) => name === "CPU")!;
  expect(cpu.cell(quota, objects)).toBe("600m/1");
});

const quotaNamed = (name: string) => ({
  apiVersion: "berth.dev/v1",
  kind: "Quota",
  metadata: { name, namespace: "payments" },
  spec: { limit: { cpu: 1, memory: "1Gi" } },
});

test("a quota has one name", () => {
  expect(checkObject(quotaKind, quotaNamed("default")).mistakes).toEqual([]);
  expect(checkObject(quotaKind, quotaNamed("big")).mistakes).toEqual([
    { field: "metadata.name", message: 'found "big"; expected default.' },
  ]);
});

test("a limit that cannot be read is named", () => {
  expect(quotaKind.toDesired({ limit: { cpu: "-1", memory: "1Gi" } })).toEqual([
    {
      field: "spec.limit.cpu",
      message: 'found "-1", which is negative; expected CPUs such as 2, 1.5 or 500m.',
    },
  ]);
});
