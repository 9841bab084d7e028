import { expect, test } from "vitest";
import type { LeaderLease, Quota } from "../../core/model/objects.ts";
import { leaderLeaseKey } from "../../core/model/ids.ts";
import type { TenantCounts } from "../../core/model/limits/tenant-counts.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import { aQuota, aWorkload } from "../../../test/builders/check/fixtures.ts";
import { createTenantCountsChecker } from "./tenant-counts.ts";

function quota(counts: TenantCounts): Quota {
  const plain = aQuota();
  return { ...plain, spec: { ...plain.spec, counts } };
}

function counted(counts: TenantCounts): CheckerHarness {
  const harness = new CheckerHarness(createTenantCountsChecker());
  harness.commit({ put: [quota(counts)] });
  return harness;
}

function lease(name: string): LeaderLease {
  const { meta } = aQuota();
  const key = leaderLeaseKey(meta.namespace, name);
  return { kind: "LeaderLease", key, meta: { ...meta, name }, spec: {}, status: {} };
}

const want = (name: string, replicas: number) => aWorkload({ name, spec: { replicas } });

test("[LB2] as many replicas as the quota counts pass, and one more is found", () => {
  const harness = counted({ replicas: 5 });
  harness.commit({ put: [want("a", 3)] });
  harness.commit({ put: [want("b", 2)] });
  expect(harness.found).toEqual([]);
  harness.commit({ put: [want("b", 3)] });
  expect(harness.found).toEqual([expect.stringMatching(/^LB2 .* ask for 6 replicas of 5/)]);
});

test("[LB2] who is over a count that was made smaller keeps what it has, and may ask for less", () => {
  const harness = counted({ replicas: 5 });
  harness.commit({ put: [want("a", 5)] });
  harness.commit({ put: [quota({ replicas: 2 })] });
  harness.commit({ put: [want("a", 5)] });
  harness.commit({ put: [want("a", 4)] });
  expect(harness.found).toEqual([]);
});

test("[LB3] as many workloads as the quota counts pass, and one more is found", () => {
  const harness = counted({ workloads: 1 });
  harness.commit({ put: [want("a", 1)] });
  harness.commit({ remove: [want("a", 1).key] });
  harness.commit({ put: [want("b", 1)] });
  expect(harness.found).toEqual([]);
  harness.commit({ put: [want("c", 1)] });
  expect(harness.found).toEqual([expect.stringMatching(/^LB3 .* number 2 of 1/)]);
});

test("[LB2] a tenant whose quota counts nothing is bounded all the same", () => {
  const harness = counted({});
  harness.commit({ put: [want("a", 20_000)] });
  expect(harness.found).toEqual([]);
  harness.commit({ put: [want("b", 1)] });
  expect(harness.found).toEqual([expect.stringMatching(/^LB2 /)]);
});

test("[LB9] as many objects of a kind as the quota counts pass, and one more is found", () => {
  const harness = counted({ objects: { leaderleases: 1 } });
  harness.commit({ put: [lease("a")] });
  harness.commit({ put: [lease("a")] });
  harness.commit({ remove: [lease("a").key] });
  harness.commit({ put: [lease("b")] });
  expect(harness.found).toEqual([]);
  harness.commit({ put: [lease("c")] });
  expect(harness.found).toEqual([expect.stringMatching(/^LB9 .* number 2 of 1/)]);
});
