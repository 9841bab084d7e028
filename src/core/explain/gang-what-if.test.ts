import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica, type ReplicaParts } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import { ObjectIndex } from "../observe/object-index.ts";
import { whatIf, whyNot } from "./what-if.ts";

/** A gang of the size, with every member there, and what stands around it. */
function aGang(
  size: number,
  of: ReplicaParts,
  ...around: readonly AnyObject[]
): { readonly objects: ObjectIndex; readonly member: Replica } {
  const objects = new ObjectIndex();
  const gang = { deadlineMs: 60_000 };
  const workload = aWorkload({ ...of, replicas: size, gang });
  const members = Array.from({ length: size }, (_, index) => aReplica({ ...of, index }));
  for (const after of [workload, ...members, ...around]) {
    objects.fold({ key: after.key, before: undefined, after });
  }
  return { objects, member: members[0] as Replica };
}

const big = aNode({ name: "big", cpuMillis: 100_000, memoryMiB: 100_000 });

describe("a gang that is larger than the quota", () => {
  const { objects, member } = aGang(
    20,
    { cpuMillis: 100, memoryMiB: 1 },
    aQuota({ cpuMillis: 1000 }),
    big,
  );

  test("is told what all of its members need together [EX5]", () => {
    expect(whyNot(objects, member, "big")).toMatchObject([
      {
        rule: "quota",
        what: "tenant quota of payments, cpuMillis for 20 members of its gang",
        expected: 2000,
        actual: 1000,
      },
    ]);
  });

  test("gets the raise that is enough for all of them, and no node on top of it [EX5] [EX6]", () => {
    const { suggestions, fitsNow, gang } = whatIf(objects, member);
    expect(fitsNow).toBeUndefined();
    expect(gang).toEqual({ members: 20, fitting: 20 });
    expect(suggestions.map(({ remedies }) => remedies)).toEqual([
      [
        {
          kind: "raise-quota",
          bound: { of: "tenant", tenant: "payments" },
          name: "cpuMillis",
          amount: 1000,
        },
      ],
    ]);
  });
});

describe("a gang that is larger than the room", () => {
  const of = { cpuMillis: 400, memoryMiB: 1, stage: "queued" } as const;

  test("is told how many of its members fit, also of a node that takes one [EX5]", () => {
    const { objects, member } = aGang(
      4,
      of,
      aNode({ name: "a" }),
      aNode({ name: "b", cpuMillis: 400 }),
    );
    expect(whyNot(objects, member, "a")).toEqual([
      {
        rule: "gang",
        code: "gang-incomplete",
        what: "members",
        expected: "room for all 4",
        actual: "room for 3",
      },
    ]);
    const { suggestions, gang } = whatIf(objects, member);
    expect(gang).toEqual({ members: 4, fitting: 3 });
    const kinds = suggestions.map(({ remedies }) => remedies.map(({ kind }) => kind));
    expect(kinds).toContainEqual(["add-node"]);
    expect(kinds).not.toContainEqual([]);
  });

  test("gets a node for all that are left, or as many nodes where one may not take them [EX5]", () => {
    const one = aGang(3, of, aNode({ name: "a", cpuMillis: 400 }));
    const apart = aGang(3, { ...of, maxPerNode: 1 }, aNode({ name: "a", cpuMillis: 400 }));
    const added = ({ objects, member }: typeof one) =>
      whatIf(objects, member).suggestions.flatMap(({ remedies }) =>
        remedies.filter(({ kind }) => kind === "add-node"),
      );
    expect(added(one)).toMatchObject([{ amounts: { cpuMillis: 800 } }]);
    expect(added(one)[0]).not.toHaveProperty("count");
    expect(added(apart)).toMatchObject([{ amounts: { cpuMillis: 400 }, count: 2 }]);
  });

  test("gets the smallest cap per node that lets all of them in [EX5]", () => {
    const { objects, member } = aGang(
      6,
      { ...of, maxPerNode: 1 },
      big,
      aNode({ name: "c", cpuMillis: 400 }),
    );
    const caps = whatIf(objects, member).suggestions.flatMap(({ remedies }) => remedies);
    expect(caps).toContainEqual({ kind: "raise-max-per-node", to: 5 });
  });
});

test("a gang that fits whole waits for its turn only [EX5]", () => {
  const { objects, member } = aGang(3, { cpuMillis: 100, memoryMiB: 1, stage: "queued" }, aNode());
  expect(whatIf(objects, member)).toMatchObject({ suggestions: [], fitsNow: "a-1" });
  expect(whyNot(objects, member, "a-1")).toEqual([]);
});
