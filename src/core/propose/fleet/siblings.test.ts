import { array, assert, boolean, constantFrom, nat, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { aCommit } from "../../../../test/builders/a-commit.ts";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aPolicy, aRevision } from "../../../../test/builders/a-policy.ts";
import { aReplica, type ReplicaParts } from "../../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../../test/builders/a-workload.ts";
import { KINDS } from "../../model/ids.ts";
import type { AnyObject, Replica } from "../../model/objects.ts";
import { View } from "../../observe/view.ts";
import { createBestFit } from "../policies/best-fit.ts";
import { NodeFinder } from "./node-finder.ts";

const SMALL = { cpuMillis: 100, memoryMiB: 10 };

/** Places one replica after the other, as a scheduler does, or takes them away again. */
class Placing {
  readonly view = new View({ kinds: new Set(KINDS), node: undefined });
  readonly finder = new NodeFinder(this.view, createBestFit());

  constructor(...objects: readonly AnyObject[]) {
    this.put(...objects);
  }

  put(...objects: readonly AnyObject[]): void {
    const revision = this.view.revision + 1;
    const commit = aCommit({ revision, put: objects });
    for (const change of this.view.follow([commit], revision, 1)) this.finder.follow(change);
  }

  /** The node that it is placed on. */
  place(of: ReplicaParts): string | undefined {
    const node = this.finder.find(aReplica({ ...SMALL, stage: "queued", ...of }))?.node;
    if (node !== undefined) this.put(aReplica({ ...SMALL, ...of, stage: "bound", node }));
    return node;
  }

  placeAll(count: number, of: ReplicaParts = {}): readonly (string | undefined)[] {
    return Array.from({ length: count }, (_, index) => this.place({ ...of, index }));
  }
}

const BUSY = aNode({ name: "a-1", zone: "eu-a", cpuMillis: 1000 });
const FLEET = [
  BUSY,
  aNode({ name: "a-2", zone: "eu-a", cpuMillis: 8000 }),
  aNode({ name: "b-1", zone: "eu-b", cpuMillis: 16_000 }),
];
/** Fills the first node so that best fit prefers it by far. */
const FULL = aReplica({
  workload: "other",
  stage: "serving",
  node: "a-1",
  cpuMillis: 500,
  memoryMiB: 500,
});

describe("[PR5] replicas of a service without a stated spread", () => {
  test("take nodes and zones without siblings first, however full the others are", () => {
    const placing = new Placing(...FLEET, FULL, aWorkload({ replicas: 3, ...SMALL }));
    expect(placing.placeAll(3)).toEqual(["a-1", "b-1", "a-2"]);
  });

  test("share a node rather than wait", () => {
    const placing = new Placing(BUSY, aWorkload({ replicas: 3, ...SMALL }));
    expect(placing.placeAll(3)).toEqual(["a-1", "a-1", "a-1"]);
  });

  test("leave the others of other services and generations out of account", () => {
    const workloads = ["api", "web"].map((name) => aWorkload({ name, replicas: 2, ...SMALL }));
    const placing = new Placing(...FLEET, FULL, ...workloads);
    expect(placing.place({ workload: "api" })).toBe("a-1");
    expect(placing.place({ workload: "web" })).toBe("a-1");
    expect(placing.place({ workload: "api", generation: 2 })).toBe("a-1");
    expect(placing.place({ workload: "api", index: 1 })).toBe("b-1");
  });

  test("pack as the scoring says if they are a batch, a gang or under an empty spread", () => {
    const batch = aWorkload({ type: "batch", replicas: 3, ...SMALL });
    const jobs = new Placing(...FLEET, FULL, batch);
    expect(jobs.placeAll(3, { type: "batch" })).toEqual(["a-1", "a-1", "a-1"]);
    const gang = aWorkload({ replicas: 3, gang: { deadlineMs: 60_000 }, ...SMALL });
    expect(new Placing(...FLEET, FULL, gang).placeAll(3)).toEqual(["a-1", "a-1", "a-1"]);
    const packed = new Placing(...FLEET, FULL, aWorkload({ replicas: 3, ...SMALL }));
    packed.put(aRevision("r-1", { spread: [] }), aPolicy({ active: "r-1" }));
    expect(packed.placeAll(3)).toEqual(["a-1", "a-1", "a-1"]);
  });
});

test("property: scores that were kept are those that a new finder computes [PR5]", () => {
  const names = ["api", "web", "db"];
  const step = record({
    workload: constantFrom(...names),
    index: nat(5),
    leaves: boolean(),
  });
  assert(
    property(array(step, { maxLength: 40 }), (steps) => {
      const workloads = names.map((name) => aWorkload({ name, replicas: 6, ...SMALL }));
      const placing = new Placing(...FLEET, FULL, ...workloads);
      const placed = new Map<string, Replica>();
      for (const { workload, index, leaves } of steps) {
        const replica = aReplica({ ...SMALL, workload, index, stage: "queued" });
        const held = placed.get(replica.key);
        if (leaves || held !== undefined) {
          if (held !== undefined) placing.put(replica);
          placed.delete(replica.key);
          continue;
        }
        const fresh = new NodeFinder(placing.view, createBestFit());
        expect(placing.finder.find(replica)).toEqual(fresh.find(replica));
        if (placing.place({ workload, index }) !== undefined) placed.set(replica.key, replica);
      }
    }),
    { seed: 4, numRuns: 200 },
  );
});

/** How many rows are scored after the first bind. */
const scored = (nodes: number): number => {
  const policy = createBestFit();
  const score = policy.score.bind(policy);
  let count = 0;
  policy.score = (...of) => {
    count += 1;
    return score(...of);
  };
  const fleet = Array.from({ length: nodes }, (_, at) =>
    aNode({ name: `n-${at}`, zone: `zone-${at % 3}`, cpuMillis: 8_000 }),
  );
  const workloads = ["api", "web"].map((name) => aWorkload({ name, replicas: 20, ...SMALL }));
  const placing = new Placing(...fleet, ...workloads);
  const finder = new NodeFinder(placing.view, policy);
  let atFirst = 0;
  for (let index = 0; index < 20; index += 1) {
    for (const workload of ["api", "web"]) {
      const of = { ...SMALL, workload, index };
      const node = finder.find(aReplica({ ...of, stage: "queued" }))?.node;
      if (index === 0) atFirst = count;
      const revision = placing.view.revision + 1;
      const commit = aCommit({
        revision,
        put: [aReplica({ ...of, stage: "bound", node: node! })],
      });
      for (const change of placing.view.follow([commit], revision, 1)) finder.follow(change);
    }
  }
  return count - atFirst;
};

test("keeping apart scores as many rows for each bind in a fleet of any size [PR5]", () => {
  expect(scored(300)).toBe(scored(60));
  expect(scored(60)).toBeLessThanOrEqual(2 * 40);
});
