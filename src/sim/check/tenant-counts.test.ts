import { expect, test } from "vitest";
import type { Quota } from "../../core/model/objects.ts";
import type { TenantCounts } from "../../core/model/limits/tenant-counts.ts";
import { CheckerBench } from "../../../test/builders/check/checker-bench.ts";
import { aQuota, aWorkload } from "../../../test/builders/check/fixtures.ts";
import { createTenantCountsChecker } from "./tenant-counts.ts";

function quota(counts: TenantCounts): Quota {
  const plain = aQuota();
  return { ...plain, spec: { ...plain.spec, counts } };
}

function counted(counts: TenantCounts): CheckerBench {
  const bench = new CheckerBench(createTenantCountsChecker());
  bench.commit({ put: [quota(counts)] });
  return bench;
}

const want = (name: string, replicas: number) => aWorkload({ name, spec: { replicas } });

test("[LB2] as many replicas as the quota counts pass, and one more is found", () => {
  const bench = counted({ replicas: 5 });
  bench.commit({ put: [want("a", 3)] });
  bench.commit({ put: [want("b", 2)] });
  expect(bench.found).toEqual([]);
  bench.commit({ put: [want("b", 3)] });
  expect(bench.found).toEqual([expect.stringMatching(/^LB2 .* ask for 6 replicas of 5/)]);
});

test("[LB2] who is over a count that was made smaller keeps what it has, and may ask for less", () => {
  const bench = counted({ replicas: 5 });
  bench.commit({ put: [want("a", 5)] });
  bench.commit({ put: [quota({ replicas: 2 })] });
  bench.commit({ put: [want("a", 5)] });
  bench.commit({ put: [want("a", 4)] });
  expect(bench.found).toEqual([]);
});

test("[LB3] as many workloads as the quota counts pass, and one more is found", () => {
  const bench = counted({ workloads: 1 });
  bench.commit({ put: [want("a", 1)] });
  bench.commit({ remove: [want("a", 1).key] });
  bench.commit({ put: [want("b", 1)] });
  expect(bench.found).toEqual([]);
  bench.commit({ put: [want("c", 1)] });
  expect(bench.found).toEqual([expect.stringMatching(/^LB3 .* number 2 of 1/)]);
});

test("[LB2] a tenant whose quota counts nothing is bounded all the same", () => {
  const bench = counted({});
  bench.commit({ put: [want("a", 20_000)] });
  expect(bench.found).toEqual([]);
  bench.commit({ put: [want("b", 1)] });
  expect(bench.found).toEqual([expect.stringMatching(/^LB2 /)]);
});
