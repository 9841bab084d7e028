import { expect, test } from "vitest";
import type { Replica } from "../../../core/model/objects.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  amounts,
  anAsk,
  aProcess,
  aReplica,
  aTemplate,
  bound,
} from "../../../../test/builders/check/fixtures.ts";
import { createMachinesChecker } from "./machines.ts";

const asking = (index: number, cpuMillis: number, memoryMiB: number): Replica => {
  const ask = anAsk({ amounts: amounts({ cpuMillis, memoryMiB }) });
  return aReplica({ spec: { index, template: aTemplate({ ask }) } });
};

function started(of: { replicas: readonly Replica[]; cpuMillis?: number; deviceIds?: string[] }) {
  const { replicas, cpuMillis = 1_000, deviceIds = [] } = of;
  const harness = new CheckerHarness(createMachinesChecker());
  harness.machines.set("node-1", {
    capacity: { cpuMillis, memoryMiB: 1_000 },
    deviceIds,
    notes: [],
  });
  harness.commit({ put: replicas });
  for (const { key } of replicas) harness.start(aProcess({ replica: key }));
  return harness.found;
}

test("processes that fill their machine to the brim are fine [INV21]", () => {
  const replicas = [bound(asking(0, 400, 500)), bound(asking(1, 600, 500))];
  expect(started({ replicas })).toEqual([]);
});

test("a start that overfills the machine is reported, whatever the Node object says [INV21]", () => {
  const replicas = [bound(asking(0, 400, 500)), bound(asking(1, 601, 500))];
  expect(started({ replicas })).toEqual([
    "INV21 Replica/payments/api.1.1 was started on node-1: 1001m and 1000Mi are used there of 1000m and 1000Mi.",
  ]);
});

test("a start with a device that has died is reported [INV21]", () => {
  const replicas = [bound(asking(0, 100, 100), "node-1", { deviceIds: ["g0", "g1"] })];
  expect(started({ replicas, deviceIds: ["g0"] })).toEqual([
    "INV21 Replica/payments/api.1.0 was started on node-1, whose device g1 is not there.",
  ]);
});
