import { expect, test } from "vitest";
import type { Replica } from "../../../core/model/objects.ts";
import { createExecutionChecker } from "./execution.ts";
import { CheckerBench } from "../../../../test/builders/check/checker-bench.ts";
import {
  anAsk,
  aProcess,
  aReplica,
  aTemplate,
  bound,
  freed,
  withStatus,
} from "../../../../test/builders/check/fixtures.ts";

const replica = aReplica();
const second = withStatus(replica, { life: 2 });

function benchBound(...replicas: readonly Replica[]): CheckerBench {
  const bench = new CheckerBench(createExecutionChecker());
  for (const one of replicas) bench.commit({ command: "bind", put: [one] });
  return bench;
}

test("a process that starts once bound and ends before the release is fine [INV8]", () => {
  const bench = benchBound(bound(replica));
  const process = aProcess();
  bench.start(process);
  bench.commit({ command: "report", put: [bound(replica, "node-1", { stage: "serving" })] });
  bench.sample();
  bench.end(process);
  bench.commit({ command: "report", put: [freed(replica)] });
  bench.commit({ command: "bind", put: [bound(second, "node-2")] });
  bench.start(aProcess({ life: 2, node: "node-2", startedMs: 9 }));
  bench.finish();
  expect(bench.found).toEqual([]);
});

test("a release while the process is still running is reported [INV8]", () => {
  const bench = benchBound(bound(replica));
  bench.start(aProcess({ leashed: false }));
  bench.commit({ command: "release", operation: "release/api", put: [freed(replica)] });
  expect(bench.found).toEqual([
    "INV8 release release/api freed Replica/payments/api.1.0 life 1 from node-1 while its life 1 is running on node-1.",
  ]);
});

test("a release while the process is frozen is fine, and its thawing is reported [INV8]", () => {
  const bench = benchBound(bound(replica));
  const process = aProcess();
  bench.start(process);
  bench.vanish(process);
  bench.commit({ command: "release", put: [freed(replica)] });
  expect(bench.found).toEqual([]);
  bench.running.push(process);
  bench.sample();
  expect(bench.found).toEqual([
    "INV8 A process of Replica/payments/api.1.0 life 1 runs on node-1; life 1 was freed and nothing is bound.",
  ]);
});

test("a removal of a replica whose process is running is reported [INV8]", () => {
  const bench = benchBound(bound(replica));
  bench.start(aProcess());
  bench.commit({ command: "delete", remove: [replica.key] });
  expect(bench.found).toHaveLength(1);
});

test("two live processes of one slot are reported [INV8]", () => {
  const bench = benchBound(bound(replica));
  bench.start(aProcess());
  bench.start(aProcess({ startedMs: 5 }));
  expect(bench.found).toEqual([
    "INV8 Replica/payments/api.1.0 life 1 was started on node-1 while its life 1 is running on node-1.",
  ]);
});

test("a process for a life that is not bound there is reported [INV8]", () => {
  const bench = benchBound(bound(second, "node-3"));
  bench.start(aProcess({ life: 1 }));
  bench.vanish(bench.running[0]!);
  bench.start(aProcess({ replica: aReplica({ spec: { slot: 7 } }).key }));
  expect(bench.found).toEqual([
    "INV8 A process of Replica/payments/api.1.0 life 1 runs on node-1; life 2 is bound to node-3.",
    "INV8 A process of Replica/payments/api.1.7 life 1 runs on node-1; it was never bound.",
  ]);
});

const withGpu = (slot: number, shareMillis = 1000): Replica => {
  const device = { class: "gpu", models: [], count: 1, shareMillis };
  return aReplica({ spec: { slot, template: aTemplate({ ask: anAsk({ device }) }) } });
};

test("processes may share a device up to the whole of it, and not beyond [INV9]", () => {
  const [one, two, three] = [withGpu(0, 500), withGpu(1, 500), withGpu(2, 100)] as const;
  const onGpu = { deviceIds: ["g0"] };
  const bench = benchBound(
    bound(one, "node-1", onGpu),
    bound(two, "node-1", onGpu),
    bound(three, "node-1", onGpu),
  );
  bench.start(aProcess());
  const process = aProcess({ replica: two.key });
  bench.start(process);
  expect(bench.found).toEqual([]);
  bench.start(aProcess({ replica: three.key }));
  expect(bench.found).toEqual([
    "INV9 Replica/payments/api.1.2 life 1 was started with device g0 of node-1 while Replica/payments/api.1.0 life 1 is using it.",
  ]);
});

test("two processes with the same device are reported [INV9]", () => {
  const other = withGpu(1);
  const bench = benchBound(
    bound(withGpu(0), "node-1", { deviceIds: ["g0"] }),
    bound(other, "node-1", { deviceIds: ["g0"] }),
  );
  bench.start(aProcess());
  bench.start(aProcess({ replica: other.key }));
  expect(bench.found).toEqual([
    "INV9 Replica/payments/api.1.1 life 1 was started with device g0 of node-1 while Replica/payments/api.1.0 life 1 is using it.",
  ]);
});

test("a device is free again once its process has ended [INV9]", () => {
  const other = withGpu(1);
  const bench = benchBound(bound(withGpu(0), "node-1", { deviceIds: ["g0"] }));
  const process = aProcess();
  bench.start(process);
  bench.end(process);
  bench.commit({ command: "report", put: [freed(replica)] });
  bench.commit({ command: "bind", put: [bound(other, "node-1", { deviceIds: ["g0"] })] });
  bench.start(aProcess({ replica: other.key }));
  expect(bench.found).toEqual([]);
});
