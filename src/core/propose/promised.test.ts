import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Controller } from "../controller.ts";
import type { Decision } from "../decision.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import { emptyNodeUse } from "../observe/usage.ts";
import { createPlace } from "./place.ts";
import { Promised } from "./promised.ts";

const queued = (slot: number, of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ slot, stage: "queued", ...of });

const look = (place: Controller, replica: Replica, objects: readonly AnyObject[]): Decision =>
  place.reconcile(replica.key, aView(place, objects), aLook(1_000));

const bindOf = (decision: Decision): unknown =>
  decision.kind === "propose" ? decision.intents[0] : undefined;

describe("room that one scheduler has asked for", () => {
  test("is not offered to the next replica, which waits a moment", () => {
    const place = createPlace();
    const objects = [aNode({ cpuMillis: 150 }), queued(0), queued(1)];
    expect(bindOf(look(place, queued(0), objects))).toMatchObject({ node: "a-1" });
    expect(look(place, queued(1), objects)).toMatchObject({
      kind: "wait",
      reason: "room-promised",
      deadlineMs: 2_000,
      because: { rejected: { "room-promised": { count: 1, example: "Node//a-1" } } },
    });
  });

  test("includes the devices", () => {
    const place = createPlace();
    const replicas = [queued(0, { devices: 1 }), queued(1, { devices: 1 })];
    const objects = [aNode({ deviceIds: ["g0", "g1"] }), ...replicas];
    expect(bindOf(look(place, replicas[0]!, objects))).toMatchObject({ deviceIds: ["g0"] });
    expect(bindOf(look(place, replicas[1]!, objects))).toMatchObject({ deviceIds: ["g1"] });
  });

  test("counts for the spreading of siblings", () => {
    const place = createPlace();
    const spread = [{ by: "zone", maxSkew: 1 }] as const;
    const replicas = [queued(0, { spread }), queued(1, { spread })];
    const objects = [
      aNode({ name: "a-1", zone: "a" }),
      aNode({ name: "b-1", zone: "b" }),
      ...replicas,
    ];
    expect(bindOf(look(place, replicas[0]!, objects))).toMatchObject({ node: "a-1" });
    expect(bindOf(look(place, replicas[1]!, objects))).toMatchObject({ node: "b-1" });
  });

  test("holds a sibling back for a moment where it would break the spreading", () => {
    const place = createPlace();
    const spread = [{ by: "zone", maxSkew: 1 }] as const;
    const replicas = [queued(0, { spread }), queued(1, { spread })];
    const full = aNode({ name: "b-1", zone: "b", cpuMillis: 10 });
    const objects = [aNode({ name: "a-1", zone: "a" }), full, ...replicas];
    expect(bindOf(look(place, replicas[0]!, objects))).toMatchObject({ node: "a-1" });
    expect(look(place, replicas[1]!, objects)).toMatchObject({
      kind: "wait",
      reason: "room-promised",
      deadlineMs: 2_000,
      because: { rejected: { spread: { count: 1 } } },
    });
  });

  test("is free again for the replica itself when it is looked at again", () => {
    const place = createPlace();
    const objects = [aNode({ cpuMillis: 150 }), queued(0)];
    look(place, queued(0), objects);
    expect(bindOf(look(place, queued(0), objects))).toMatchObject({ node: "a-1" });
  });

  test("is free again when the view shows that the replica went another way", () => {
    for (const other of [
      aReplica({ slot: 0, stage: "released" }),
      aReplica({ slot: 0, stage: "queued", life: 2 }),
      undefined,
    ]) {
      const place = createPlace();
      const node = aNode({ cpuMillis: 150 });
      look(place, queued(0), [node, queued(0), queued(1)]);
      const later = other === undefined ? [node, queued(1)] : [node, other, queued(1)];
      expect(bindOf(look(place, queued(1), later))).toMatchObject({ node: "a-1" });
    }
  });

  test("is not counted twice once the view shows the bind", () => {
    const place = createPlace();
    const node = aNode({ cpuMillis: 250 });
    look(place, queued(0), [node, queued(0), queued(1)]);
    const bound = aReplica({ slot: 0, stage: "bound", node: "a-1" });
    const decision = look(place, queued(1), [node, bound, queued(1)]);
    expect(bindOf(decision)).toMatchObject({ node: "a-1" });
  });
});

describe("the book of promises", () => {
  test("adds to what a node holds and leaves other nodes and the view alone", () => {
    const promised = new Promised();
    promised.note({
      replica: queued(0, { devices: 1 }),
      node: "a-1",
      deviceIds: ["g0"],
      notedMs: 0,
    });
    const use = { ...emptyNodeUse(), cpuMillis: 50 };
    const sum = promised.useWith(use, "a-1");
    expect(sum).toMatchObject({ cpuMillis: 150, devices: 1, replicas: 1 });
    expect(sum?.deviceOwners.get("g0")).toBe(queued(0).key);
    expect(use).toMatchObject({ cpuMillis: 50, devices: 0 });
    expect(use.deviceOwners.size).toBe(0);
    expect(promised.useWith(use, "b-1")).toBeUndefined();
  });

  test("knows siblings by workload and generation", () => {
    const promised = new Promised();
    promised.note({ replica: queued(1), node: "a-1", deviceIds: [], notedMs: 0 });
    promised.note({
      replica: queued(2, { generation: 2 }),
      node: "b-1",
      deviceIds: [],
      notedMs: 0,
    });
    promised.note({
      replica: queued(3, { workload: "web" }),
      node: "c-1",
      deviceIds: [],
      notedMs: 0,
    });
    promised.note({
      replica: queued(4, { tenant: "search" }),
      node: "d-1",
      deviceIds: [],
      notedMs: 0,
    });
    expect(promised.nodesOfSiblings(queued(0))).toEqual(["a-1"]);
    for (const slot of [1, 2, 3, 4]) promised.forget(queued(slot).key);
    expect(promised.nodesOfSiblings(queued(0))).toEqual([]);
    expect(promised.isEmpty).toBe(false);
  });
});
