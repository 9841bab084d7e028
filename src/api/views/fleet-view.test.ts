import { expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { FleetView } from "./fleet-view.ts";

function indexOf(...all: readonly AnyObject[]): ObjectIndex {
  const objects = new ObjectIndex();
  for (const after of all) objects.fold({ key: after.key, before: undefined, after });
  return objects;
}

const held = (incarnation: number, cpuMillis: number, why: "preemptor" | "recovery") =>
  aReservation(aReplica(), {
    incarnation,
    amounts: { cpuMillis, memoryMiB: 0, deviceMillis: 0 },
    for: why,
    room: { node: "a-1", deviceIds: [], epoch: 1 },
  });

const cpuOf = (objects: ObjectIndex): unknown => new FleetView({ objects }).row("a-1")?.[9];

test("[AP183] room that is held and empty is reserved or kept for recovery, and all parts add up", () => {
  const replica = aReplica({ node: "a-1", stage: "serving", cpuMillis: 1_000 });
  const node = aNode({ cpuMillis: 4_000 });
  const kept = held(1, 500, "recovery");
  expect(cpuOf(indexOf(node, replica, kept, held(2, 700, "preemptor")))).toEqual([
    4_000, 1_000, 0, 700, 500, 1_800,
  ]);
  // Whoever is to leave for it has not left yet: it is counted with that one.
  expect(cpuOf(indexOf(node, replica, kept, held(2, 2_900, "preemptor")))).toEqual([
    4_000, 1_000, 0, 2_500, 500, 0,
  ]);
  // A node that shrank holds more than it has.
  expect(cpuOf(indexOf(aNode({ cpuMillis: 600 }), replica, kept))).toEqual([
    600, 1_000, 0, 0, 0, 0,
  ]);
});
