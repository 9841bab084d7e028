import { expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { TenantMeasures, tenantFamilies } from "./tenant-measures.ts";

test("counts a tenant's replicas as they come to a stage, move on and go [AZ55]", () => {
  const measures = new TenantMeasures();
  const one = aReplica({ stage: "queued" });
  const next = { ...one, status: { ...one.status, stage: "serving" } } as const;
  const other = { ...one, meta: { ...one.meta, namespace: "fraud" } };
  measures.fold(undefined, one);
  measures.fold(undefined, one);
  measures.fold(undefined, other);
  measures.fold(one, next);
  const { namespace: tenant } = one.meta;
  const of = (stage: "queued" | "serving") => measures.replicasOf(tenant, stage);
  expect([of("queued"), of("serving"), measures.replicasOf("fraud", "queued")]).toEqual([1, 1, 1]);
  const seen = [{ tenant, seesReplicas: true, load: undefined }];
  const [replicas, workloads] = tenantFamilies(seen, measures);
  expect(replicas?.samples.every(({ labels }) => labels["tenant"] === tenant)).toBe(true);
  expect(workloads?.samples).toEqual([]);
  measures.fold(one, undefined);
  measures.fold(next, undefined);
  expect([of("queued"), of("serving")]).toEqual([0, 0]);
});
