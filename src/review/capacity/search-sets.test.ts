import * as fc from "fast-check";
import { expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";

import { keyOf, workloadKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { LossPlanner } from "../../core/explain/plan-loss.ts";
import { argueCapacity } from "./argue-capacity.ts";
import { atMost, boundOfSets } from "./bound-of-sets.ts";
import { type CapacityQuestion, type Place, placesOf } from "./capacity-question.ts";
import { outcomeOf } from "./outcome-of-loss.ts";
import { searchSets } from "./search-sets.ts";

function indexed(objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  return index;
}

interface Drawn {
  readonly nodes: readonly { readonly cpu: number; readonly zone: string; readonly gpus: number }[];
  readonly workloads: readonly {
    readonly cpu: number;
    readonly gpu: boolean;
    readonly high: boolean;
    readonly rule: "none" | "spread" | "cap" | "apart";
    /** The nodes that it tries to have its replicas on. */
    readonly on: readonly number[];
  }[];
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  nodes: fc.array(
    fc.record({
      cpu: fc.constantFrom(3, 5, 8, 14),
      zone: fc.constantFrom("a", "b", "c"),
      gpus: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 3, maxLength: 7 },
  ),
  workloads: fc.array(
    fc.record({
      cpu: fc.integer({ min: 1, max: 4 }),
      gpu: fc.boolean(),
      high: fc.boolean(),
      rule: fc.constantFrom("none", "none", "spread", "cap", "apart"),
      on: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

const RULES = {
  none: {},
  spread: { spread: [{ by: "zone", maxSkew: 1 }] },
  cap: { maxPerNode: 1 },
  apart: {
    affinity: {
      required: [],
      preferred: [],
      antiRequired: [{ by: "node", labels: { app: "apart" } }],
      antiPreferred: [],
    },
  },
} as const;

/** Replicas are put where they are drawn as long as there is room; the others do not exist. */
function fleetOf({ nodes, workloads }: Drawn): ObjectIndex {
  const free = nodes.map(({ cpu, gpus }) => ({ cpu, gpus }));
  const objects: AnyObject[] = nodes.map(({ cpu, zone, gpus }, at) =>
    aNode({
      name: `n-${at}`,
      zone,
      cpuMillis: cpu * 100,
      memoryMiB: 10_000,
      deviceIds: Array.from({ length: gpus }, (_, id) => `gpu-${id}`),
    }),
  );
  const key = keyOf({ kind: "PriorityClass", namespace: "", name: "high" });
  objects.push({ kind: "PriorityClass", key, meta: aMeta(key), spec: { value: 9 }, status: {} });
  for (const [number, { cpu, gpu, high, rule, on }] of workloads.entries()) {
    const parts = {
      ...RULES[rule],
      cpuMillis: cpu * 100,
      memoryMiB: 1,
      ...(gpu ? { devices: 1 } : {}),
      ...(high ? { priorityClass: "high" } : {}),
    };
    const name = `w-${number}`;
    let replicas = 0;
    for (const at of on) {
      const room = free[at];
      if (room === undefined || room.cpu < cpu || (gpu && room.gpus === 0)) continue;
      room.cpu -= cpu;
      if (gpu) room.gpus -= 1;
      const placed = {
        workload: name,
        index: replicas,
        node: `n-${at}`,
        stage: "serving",
        deviceIds: gpu ? [`gpu-${room.gpus}`] : [],
      } as const;
      const replica = aReplica({ ...parts, ...placed });
      const labels = rule === "apart" ? { app: "apart" } : {};
      objects.push({ ...replica, meta: { ...replica.meta, labels } });
      replicas += 1;
    }
    if (replicas > 0) objects.push(aWorkload({ ...parts, name, replicas }));
  }
  return indexed(objects);
}

function* setsOf(places: readonly Place[], count: number): Iterable<readonly number[]> {
  const chosen: number[] = [];
  function* from(first: number): Iterable<readonly number[]> {
    if (chosen.length === count) {
      yield [...chosen];
      return;
    }
    for (let at = first; at < places.length; at += 1) {
      chosen.push(at);
      yield* from(at + 1);
      chosen.pop();
    }
  }
  yield* from(0);
}

interface Asked {
  readonly anyOf: number;
  readonly lose: string;
  readonly counted: CapacityQuestion["counted"];
  readonly only: boolean;
  readonly spare: number;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  anyOf: fc.integer({ min: 1, max: 3 }),
  lose: fc.constantFrom("node", "zone"),
  counted: fc.constantFrom("hard", "hard", "reclaimable", "soft"),
  only: fc.boolean(),
  spare: fc.integer({ min: 0, max: 2 }),
});

function questionOf({ only, spare, ...of }: Asked): CapacityQuestion {
  const workload = workloadKey("payments", "w-0");
  return {
    ...of,
    ...(only ? { onlyWorkload: workload } : {}),
    ...(spare > 0 ? { spare: { workload, count: spare } } : {}),
  };
}

test("no set that is tried by brute force leaves more missing than its bound", () => {
  let proved = 0;
  let missed = 0;
  fc.assert(
    fc.property(drawn, asked, (fleet, of) => {
      const planner = new LossPlanner(fleetOf(fleet));
      const question = questionOf(of);
      const places = placesOf(planner.objects, question);
      const bound = boundOfSets(planner, places, question);
      for (const set of setsOf(places, Math.min(of.anyOf, places.length))) {
        const lost = set.map((at) => places[at] as Place);
        const sum = set.reduce((total, at) => total + (bound.values[at] ?? 0), 0);
        const { missing, plan } = outcomeOf(planner, lost, question);
        expect(missing).toBeLessThanOrEqual(atMost(bound, sum));
        if (atMost(bound, sum) === 0 && plan.lost > 0) proved += 1;
        if (missing > 0) missed += 1;
      }
    }),
    { numRuns: 400 },
  );
  // A bound that proves nothing, or fleets in which nothing is ever missing, would show nothing.
  expect(proved).toBeGreaterThan(100);
  expect(missed).toBeGreaterThan(100);
});

test("the worst set that is found is as bad as the worst of all sets by brute force", () => {
  fc.assert(
    fc.property(drawn, asked, (fleet, of) => {
      const planner = new LossPlanner(fleetOf(fleet));
      const question = questionOf(of);
      const places = placesOf(planner.objects, question);
      const { outcomes, isProved } = searchSets(planner, places, question);
      const all = [...setsOf(places, Math.min(of.anyOf, places.length))].map(
        (set) =>
          outcomeOf(
            planner,
            set.map((at) => places[at] as Place),
            question,
          ).missing,
      );
      expect(isProved).toBe(true);
      expect(Math.max(0, ...outcomes.map(({ missing }) => missing))).toBe(Math.max(0, ...all));
    }),
    { numRuns: 400 },
  );
});

test("a bound that proves every set needs few trials, however many sets there are", () => {
  const nodes = Array.from({ length: 40 }, (_, at) =>
    aNode({ name: `n-${at}`, cpuMillis: 1_000, memoryMiB: 1_000 }),
  );
  const replicas = Array.from({ length: 40 }, (_, index) =>
    aReplica({ index, node: `n-${index}`, stage: "serving", cpuMillis: 300, memoryMiB: 10 }),
  );
  const fleet = indexed([
    ...nodes,
    aWorkload({ replicas: 40, cpuMillis: 300, memoryMiB: 10 }),
    ...replicas,
  ]);
  const question = { lose: "node", anyOf: 4, counted: "hard" } as const;
  expect(argueCapacity(fleet, question)).toMatchObject({
    searched: "proved for all 91,390 sets of 4 nodes (1 tried, the others cannot be worse)",
    isProved: true,
    broken: 0,
  });
});

test("a search that is cut says how far it came", () => {
  const nodes = Array.from({ length: 12 }, (_, at) =>
    aNode({ name: `n-${at}`, cpuMillis: 1_000 + at, memoryMiB: 1_000 }),
  );
  const replicas = Array.from({ length: 12 }, (_, index) =>
    aReplica({ index, node: `n-${index}`, stage: "serving", cpuMillis: 400, memoryMiB: 10 }),
  );
  const fleet = indexed([
    ...nodes,
    aWorkload({ replicas: 12, cpuMillis: 400, memoryMiB: 10, maxPerNode: 2 }),
    ...replicas,
  ]);
  const question = { lose: "node", anyOf: 6, counted: "hard", setsMost: 20 } as const;
  expect(argueCapacity(fleet, question)).toMatchObject({
    searched: "searched 20 of 924 sets of 6 nodes, worst found",
    isProved: false,
  });
});

/** Two fillers that keep apart close the last two nodes to a replica, if each takes what is named. */
function aTightFleet(filler: { readonly cpuMillis: number; readonly devices?: number }) {
  const gpus = ["g-0", "g-1"];
  const big = { cpuMillis: 500, memoryMiB: 1, devices: 2 };
  const small = { memoryMiB: 1, maxPerNode: 1, ...filler };
  const filled = (index: number, node: string) =>
    aReplica({ ...small, workload: "a-filler", index, node, stage: "serving", deviceIds: [] });
  return indexed([
    aNode({ name: "n-0", zone: "a", cpuMillis: 4_000, deviceIds: [...gpus, "g-2", "g-3"] }),
    aNode({ name: "n-1", zone: "b", cpuMillis: 600, deviceIds: gpus }),
    aNode({ name: "n-2", zone: "b", cpuMillis: 600, deviceIds: gpus }),
    aWorkload({ ...big, name: "z-big" }),
    aWorkload({ ...small, name: "a-filler", replicas: 2 }),
    aReplica({ ...big, workload: "z-big", node: "n-0", stage: "serving", deviceIds: gpus }),
    filled(0, "n-0"),
    filled(1, "n-0"),
  ]);
}

test.each([
  { of: "CPU", filler: { cpuMillis: 101 }, missing: 1 },
  { of: "CPU, by one less", filler: { cpuMillis: 100 }, missing: 0 },
  { of: "devices", filler: { cpuMillis: 1, devices: 1 }, missing: 1 },
])("what just suffices to close a node counts: $of", ({ filler, missing }) => {
  const planner = new LossPlanner(aTightFleet(filler));
  const onlyWorkload = workloadKey("payments", "z-big");
  const question = { lose: "zone", which: "a", counted: "hard", onlyWorkload } as const;
  const places = placesOf(planner.objects, question);
  expect(outcomeOf(planner, places, question).missing).toBe(missing);
  const bound = boundOfSets(planner, places, question);
  expect(Math.min(1, atMost(bound, bound.values[0] ?? 0))).toBe(missing);
});
