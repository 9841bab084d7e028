import { expect, test } from "vitest";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { AssumedBinds } from "./assumed-binds.ts";

const bind = (index: number, notedMs: number, node = "a-1") => ({
  replica: aReplica({ index, stage: "queued" }),
  node,
  region: "eu",
  deviceIds: [],
  notedMs,
});

test("a bind is in the assumed until it is removed, once per replica", () => {
  const assumed = new AssumedBinds();
  expect(assumed.isEmpty).toBe(true);
  assumed.add(bind(0, 0));
  assumed.add(bind(0, 5, "b-1"));
  expect([...assumed.all()].map(({ node }) => node)).toEqual(["b-1"]);
  assumed.remove(bind(0, 0).replica.key);
  assumed.remove(bind(0, 0).replica.key);
  expect([assumed.isEmpty, assumed.get(bind(0, 0).replica.key)]).toEqual([true, undefined]);
});

test("binds are overdue three seconds after they were last noted, the oldest first", () => {
  const assumed = new AssumedBinds();
  for (const each of [bind(0, 0), bind(1, 1_000), bind(2, 1_500)]) assumed.add(each);
  assumed.add(bind(0, 2_000));
  const overdue = (nowMs: number) =>
    assumed.overdue(nowMs).map(({ replica }) => replica.spec.index);
  expect(overdue(3_999)).toEqual([]);
  expect(overdue(4_000)).toEqual([1]);
  expect(overdue(5_000)).toEqual([1, 2, 0]);
});

test("what is asked for is summed by tenant and region, and taken off again", () => {
  const assumed = new AssumedBinds();
  assumed.add(bind(0, 0));
  assumed.add(bind(1, 0));
  expect(assumed.inRegion("payments", "eu")).toMatchObject({ cpuMillis: 200, memoryMiB: 200 });
  expect(assumed.inRegion("payments", "us").cpuMillis).toBe(0);
  assumed.remove(bind(0, 0).replica.key);
  expect(assumed.inRegion("payments", "eu").cpuMillis).toBe(100);
});
