import * as fc from "fast-check";
import { expect, test } from "vitest";
import { aCommit } from "../../../test/builders/a-commit.ts";
import { aReplica, type ReplicaParts } from "../../../test/builders/a-replica.ts";
import { workloadKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { View } from "../observe/view.ts";
import { QueuedReplicas } from "./queued-replicas.ts";

const API = workloadKey("payments", "api");

const queued = (index: number, of: ReplicaParts = {}): Replica =>
  aReplica({ index, stage: "queued", ...of });

class Line {
  readonly view = new View({ kinds: new Set(["Replica"]), node: undefined });
  readonly queued = new QueuedReplicas();

  put(...replicas: readonly Replica[]): this {
    return this.fold({ put: replicas });
  }

  gone(...replicas: readonly Replica[]): this {
    return this.fold({ gone: replicas });
  }

  private fold(of: { put?: readonly Replica[]; gone?: readonly Replica[] }): this {
    const revision = this.view.revision + 1;
    const changes = this.view.follow([aCommit({ revision, ...of })], revision, 1);
    for (const change of changes) this.queued.follow(change);
    return this;
  }

  first(most = 100, before?: number): readonly string[] {
    return this.queued.first(API, most, this.view, before).map(({ meta }) => meta.name);
  }
}

test("the queued replicas of a workload come in the order of their indexes, whenever they joined", () => {
  const line = new Line().put(queued(10), queued(2)).put(queued(0));
  expect(line.first()).toEqual(["api.1.0", "api.1.2", "api.1.10"]);
  expect(line.first(2)).toEqual(["api.1.0", "api.1.2"]);
  expect(line.queued.count(API)).toBe(3);
});

test("the newest generation comes first: an old one is on its way out", () => {
  const line = new Line().put(queued(0), queued(1), queued(5, { generation: 2 }));
  expect(line.first()).toEqual(["api.2.5", "api.1.0", "api.1.1"]);
});

test("the generations before one are asked for by its number [RO9]", () => {
  const line = new Line().put(
    queued(0),
    queued(7, { generation: 3 }),
    queued(5, { generation: 2 }),
  );
  expect(line.first(100, 3)).toEqual(["api.2.5", "api.1.0"]);
  expect(line.first(100, 2)).toEqual(["api.1.0"]);
  expect(line.first(100, 1)).toEqual([]);
});

test("who was bound, ended or deleted is passed over, and who is queued again is in line again", () => {
  const line = new Line().put(queued(0), queued(1), queued(2), queued(3));
  expect(line.first(1)).toEqual(["api.1.0"]);
  line.put(
    aReplica({ index: 0, stage: "bound", node: "a-1" }),
    aReplica({ index: 2, stage: "released" }),
  );
  line.gone(queued(1));
  expect(line.first()).toEqual(["api.1.3"]);
  line.put(queued(0, { incarnation: 2 }));
  expect(line.first()).toEqual(["api.1.0", "api.1.3"]);
  expect(line.queued.count(API)).toBe(2);
});

test("only workloads with queued replicas are named", () => {
  const line = new Line().put(
    queued(0),
    queued(0, { workload: "web" }),
    aReplica({ workload: "db" }),
  );
  expect([...line.queued.workloads()]).toEqual([API, workloadKey("payments", "web")]);
  line.put(aReplica({ stage: "bound", node: "a-1" }));
  expect([...line.queued.workloads()]).toEqual([workloadKey("payments", "web")]);
  expect([line.first(), line.queued.count(API)]).toEqual([[], 0]);
});

test("a change that leaves a replica queued moves no other", () => {
  const line = new Line().put(queued(0), queued(1));
  line.put(queued(0, { revision: 9 }));
  expect(line.first()).toEqual(["api.1.0", "api.1.1"]);
});

const moves = fc.array(
  fc.record({
    generation: fc.integer({ min: 1, max: 2 }),
    index: fc.nat({ max: 150 }),
    stage: fc.constantFrom("queued", "queued", "bound", "gone"),
    looks: fc.nat({ max: 6 }).map((number) => number === 0),
  }),
  { maxLength: 400, size: "max" },
);

test("property: the line is what a sorted scan of the view finds, after any arrivals and departures between looks", () => {
  fc.assert(
    fc.property(moves, fc.integer({ min: 1, max: 20 }), (steps, most) => {
      const line = new Line();
      let incarnation = 0;
      for (const { generation, index, stage, looks } of steps) {
        incarnation += 1;
        if (stage === "gone") line.gone(queued(index, { generation }));
        else line.put(aReplica({ generation, index, stage, incarnation }));
        if (!looks) continue;
        const all = [...line.view.objects.all("Replica").values()]
          .filter(({ status }) => status.stage === "queued")
          .toSorted((a, b) => b.spec.generation - a.spec.generation || a.spec.index - b.spec.index);
        expect(line.queued.count(API)).toBe(all.length);
        expect(line.first(most)).toEqual(all.slice(0, most).map(({ meta }) => meta.name));
        expect(line.first(1_000)).toEqual(all.map(({ meta }) => meta.name));
      }
    }),
    { seed: 4, numRuns: 60 },
  );
});
