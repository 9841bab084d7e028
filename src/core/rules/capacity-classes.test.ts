import { describe, expect, test } from "vitest";
import { aGroup, cpu, type Group } from "../../../test/builders/a-group.ts";
import { aNodeSpec } from "../../../test/builders/a-node.ts";
import { putting } from "../../../test/builders/a-plane.ts";
import { codeOf } from "../../../test/builders/code-of.ts";
import { nodeKey } from "../model/ids.ts";
import { type CapacityRow, capacityClasses } from "./capacity-classes.ts";

/** Nodes a-1 in eu and b-1 in us, of 100 CPUs each. */
const aWorld = (): Group => aGroup({ one: { limit: 90_000, each: 1_000 } });

const cpuOf = ({ hard, reclaimable, soft, outOfReach }: CapacityRow) => ({
  ...Object.fromEntries(Object.entries(hard).map(([part, { cpuMillis }]) => [part, cpuMillis])),
  reclaimable: reclaimable.cpuMillis,
  soft: soft.cpuMillis,
  outOfReach: outOfReach.cpuMillis,
});

const NONE = {
  overcommitted: 0,
  committed: 0,
  reserved: 0,
  recovery: 0,
  reclaimable: 0,
  soft: 0,
  outOfReach: 0,
};

function put(group: Group, name: string, spec: Partial<ReturnType<typeof aNodeSpec>>): void {
  const held = group.node(name)?.spec ?? { ...aNodeSpec(), pools: [], capacity: cpu(5_000) };
  group.must(putting(nodeKey(name), { kind: "Node", spec: { ...held, ...spec } }));
}

describe("capacity in three classes", () => {
  test("adds up in every region and in total [QT9]", () => {
    const group = aWorld();
    group.runs("one", 0, "a-1");
    group.inQueue("one", 1);
    const { total, regions } = capacityClasses(group.ledger.objects);
    expect([...regions.keys()]).toEqual(["eu", "us"]);
    expect(cpuOf(regions.get("eu")!)).toEqual({
      ...NONE,
      capacity: 100_000,
      committed: 1_000,
      free: 99_000,
    });
    expect(cpuOf(regions.get("us")!)).toEqual({ ...NONE, capacity: 100_000, free: 100_000 });
    // What is reserved has no place yet, so only the whole shows it.
    expect(cpuOf(total)).toEqual({
      ...NONE,
      capacity: 200_000,
      committed: 1_000,
      reserved: 1_000,
      free: 199_000,
    });
  });

  test("says how much of what is free is out of reach, and counts it all the same [QT9]", () => {
    const group = aWorld();
    group.runs("one", 0, "a-1");
    group.vouchedGone("b-1");
    put(group, "a-1", { cordons: [{ holder: "user", reason: "new disks" }] });
    const { total, regions } = capacityClasses(group.ledger.objects);
    expect(cpuOf(regions.get("us")!)).toMatchObject({ free: 100_000, outOfReach: 100_000 });
    expect(cpuOf(regions.get("eu")!)).toMatchObject({ free: 99_000, outOfReach: 99_000 });
    expect(cpuOf(total)).toMatchObject({ free: 199_000, outOfReach: 199_000 });
  });

  test("counts as reclaimable what a higher class may preempt, and as committed what none may [QT9]", () => {
    const group = aWorld();
    group.runs("one", 0, "a-1");
    group.prioritise("urgent", 100);
    expect(cpuOf(capacityClasses(group.ledger.objects).total)).toMatchObject({
      committed: 0,
      reclaimable: 1_000,
    });
    group.want("one", {
      replicas: 2,
      cpuMillis: 500,
      memoryMiB: 0,
      priorityClass: "urgent",
      type: "batch",
    });
    const { key } = group.enqueued("one", 2);
    group.must({ kind: "bind", replica: key, incarnation: 1, node: "b-1", deviceIds: [] });
    const { total, regions } = capacityClasses(group.ledger.objects);
    expect(cpuOf(total)).toMatchObject({ committed: 500, reclaimable: 1_000 });
    expect(cpuOf(regions.get("us")!)).toMatchObject({ committed: 500, reclaimable: 0 });
  });

  test("keeps a forecast apart: it has no hard capacity, and nothing is bound there [QT9] [BD10]", () => {
    const group = aWorld();
    put(group, "later", { region: "us", supply: "soft" });
    const { total, regions } = capacityClasses(group.ledger.objects);
    expect(cpuOf(regions.get("us")!)).toMatchObject({ capacity: 100_000, soft: 5_000 });
    expect(cpuOf(total)).toMatchObject({ capacity: 200_000, free: 200_000, soft: 5_000 });
    group.renew({ node: "later" });
    const { key } = group.inQueue("one", 0);
    const bind = {
      kind: "bind",
      replica: key,
      incarnation: 1,
      node: "later",
      deviceIds: [],
    } as const;
    expect(codeOf(group.send(bind))).toBe("supply-is-soft");
  });

  test("accounts what a node holds beyond what it has as overcommitted [QT9]", () => {
    const group = aWorld();
    group.runs("one", 0, "a-1");
    put(group, "a-1", { capacity: cpu(400) });
    expect(cpuOf(capacityClasses(group.ledger.objects).regions.get("eu")!)).toEqual({
      ...NONE,
      capacity: 400,
      overcommitted: 600,
      committed: 1_000,
      free: 0,
    });
    put(group, "a-1", { supply: "soft" });
    expect(cpuOf(capacityClasses(group.ledger.objects).regions.get("eu")!)).toEqual({
      ...NONE,
      capacity: 0,
      overcommitted: 1_000,
      committed: 1_000,
      free: 0,
      soft: 400,
    });
  });

  test("a region whose two accounts disagree breaks the invariant [QT9]", () => {
    const group = aWorld();
    group.ledger.objects.useOf("a-1").cpuMillis += 1;
    expect(() => capacityClasses(group.ledger.objects)).toThrow(
      /region eu does not add up: cpuMillis/,
    );
  });

  test("counts what is held of a node that was deleted under its replicas as beyond all that is there [QT9] [OB9]", () => {
    const group = aWorld();
    group.runs("one", 0, "a-1");
    group.must({ kind: "delete", key: nodeKey("a-1"), expect: {}, orphan: true });
    const { regions, total } = capacityClasses(group.ledger.objects);
    expect(cpuOf(regions.get("")!)).toEqual({
      ...NONE,
      capacity: 0,
      overcommitted: 1_000,
      committed: 1_000,
      free: 0,
    });
    expect(cpuOf(total)).toMatchObject({ capacity: 100_000, overcommitted: 1_000 });
  });
});
