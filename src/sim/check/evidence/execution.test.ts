import { expect, test } from "vitest";
import type { Replica } from "../../../core/model/objects.ts";
import { createExecutionChecker } from "./execution.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
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
const second = withStatus(replica, { incarnation: 2 });

function benchBound(...replicas: readonly Replica[]): CheckerHarness {
  const harness = new CheckerHarness(createExecutionChecker());
  for (const one of replicas) harness.commit({ command: "bind", put: [one] });
  return harness;
}

test("a process that starts once bound and ends before the release is fine [INV8]", () => {
  const harness = benchBound(bound(replica));
  const process = aProcess();
  harness.start(process);
  harness.commit({ command: "report", put: [bound(replica, "node-1", { stage: "serving" })] });
  harness.sample();
  harness.end(process);
  harness.commit({ command: "report", put: [freed(replica)] });
  harness.commit({ command: "bind", put: [bound(second, "node-2")] });
  harness.start(aProcess({ incarnation: 2, node: "node-2", startedMs: 9 }));
  harness.finish();
  expect(harness.found).toEqual([]);
});

test("a release while the process is still running is reported [INV8]", () => {
  const harness = benchBound(bound(replica));
  harness.start(aProcess({ leashed: false }));
  harness.commit({ command: "release", operation: "release/api", put: [freed(replica)] });
  expect(harness.found).toEqual([
    "INV8 release release/api freed Replica/payments/api.1.0 incarnation 1 from node-1 while its incarnation 1 is running on node-1.",
  ]);
});

test("a release while the process is frozen is fine, and its thawing is reported [INV8]", () => {
  const harness = benchBound(bound(replica));
  const process = aProcess();
  harness.start(process);
  harness.vanish(process);
  harness.commit({ command: "release", put: [freed(replica)] });
  expect(harness.found).toEqual([]);
  harness.running.push(process);
  harness.sample();
  expect(harness.found).toEqual([
    "INV8 A process of Replica/payments/api.1.0 incarnation 1 runs on node-1; incarnation 1 was freed and nothing is bound.",
  ]);
});

test("a removal of a replica whose process is running is reported [INV8]", () => {
  const harness = benchBound(bound(replica));
  harness.start(aProcess());
  harness.commit({ command: "delete", remove: [replica.key] });
  expect(harness.found).toHaveLength(1);
});

test("two live processes of one index are reported [INV8]", () => {
  const harness = benchBound(bound(replica));
  harness.start(aProcess());
  harness.start(aProcess({ startedMs: 5 }));
  expect(harness.found).toEqual([
    "INV8 Replica/payments/api.1.0 incarnation 1 was started on node-1 while its incarnation 1 is running on node-1.",
  ]);
});

test("a process for an incarnation that is not bound there is reported [INV8]", () => {
  const harness = benchBound(bound(second, "node-3"));
  harness.start(aProcess({ incarnation: 1 }));
  harness.vanish(harness.running[0]!);
  harness.start(aProcess({ replica: aReplica({ spec: { index: 7 } }).key }));
  expect(harness.found).toEqual([
    "INV8 A process of Replica/payments/api.1.0 incarnation 1 runs on node-1; incarnation 2 is bound to node-3.",
    "INV8 A process of Replica/payments/api.1.7 incarnation 1 runs on node-1; it was never bound.",
  ]);
});

const withGpu = (index: number, shareMillis = 1000): Replica => {
  const device = { class: "gpu", models: [], count: 1, shareMillis };
  return aReplica({ spec: { index, template: aTemplate({ ask: anAsk({ device }) }) } });
};

test("processes may share a device up to the whole of it, and not beyond [INV9]", () => {
  const [one, two, three] = [withGpu(0, 500), withGpu(1, 500), withGpu(2, 100)] as const;
  const onGpu = { deviceIds: ["g0"] };
  const harness = benchBound(
    bound(one, "node-1", onGpu),
    bound(two, "node-1", onGpu),
    bound(three, "node-1", onGpu),
  );
  harness.start(aProcess());
  const process = aProcess({ replica: two.key });
  harness.start(process);
  expect(harness.found).toEqual([]);
  harness.start(aProcess({ replica: three.key }));
  expect(harness.found).toEqual([
    "INV9 Replica/payments/api.1.2 incarnation 1 was started with device g0 of node-1 while Replica/payments/api.1.0 incarnation 1 is using it.",
  ]);
});

test("two processes with the same device are reported [INV9]", () => {
  const other = withGpu(1);
  const harness = benchBound(
    bound(withGpu(0), "node-1", { deviceIds: ["g0"] }),
    bound(other, "node-1", { deviceIds: ["g0"] }),
  );
  harness.start(aProcess());
  harness.start(aProcess({ replica: other.key }));
  expect(harness.found).toEqual([
    "INV9 Replica/payments/api.1.1 incarnation 1 was started with device g0 of node-1 while Replica/payments/api.1.0 incarnation 1 is using it.",
  ]);
});

test("a device is free again once its process has ended [INV9]", () => {
  const other = withGpu(1);
  const harness = benchBound(bound(withGpu(0), "node-1", { deviceIds: ["g0"] }));
  const process = aProcess();
  harness.start(process);
  harness.end(process);
  harness.commit({ command: "report", put: [freed(replica)] });
  harness.commit({ command: "bind", put: [bound(other, "node-1", { deviceIds: ["g0"] })] });
  harness.start(aProcess({ replica: other.key }));
  expect(harness.found).toEqual([]);
});
