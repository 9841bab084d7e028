import { describe, expect, test } from "vitest";
import { aPlane, Plane } from "../../../../test/builders/a-plane.ts";
import { alike, RegionalPair } from "../../../../test/builders/a-regional-pair.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { PlaneRole } from "../../model/regional/plane.ts";

const WEST: PlaneRole = { role: "regional", region: "west" };
const GLOBAL: PlaneRole = { role: "global" };

describe("a plane among several", () => {
  test.each([
    { title: "keeps its role", plane: GLOBAL, incarnation: 2, code: "plane-fixed" },
    {
      title: "keeps its region",
      plane: { role: "regional", region: "east" } as const,
      incarnation: 2,
      code: "plane-fixed",
    },
    { title: "never goes back", plane: WEST, incarnation: 1, code: "incarnation-passed" },
    { title: "counts in whole numbers", plane: WEST, incarnation: 1.5, code: "bad-object" },
    { title: "may be restored", plane: WEST, incarnation: 7, code: "committed" },
  ])("$title: $code [RG1]", ({ plane, incarnation, code }) => {
    const west = new Plane();
    west.must({ kind: "incarnate", plane: WEST, incarnation: 1 });
    expect(codeOf(west.send({ kind: "incarnate", plane, incarnation }))).toBe(code);
  });

  test("is made by the link alone, and does only what its role does [RG1]", () => {
    const { global, west, ...pair } = new RegionalPair();
    const incarnate = { kind: "incarnate", plane: GLOBAL, incarnation: 9 } as const;
    expect(codeOf(global.send(incarnate, { role: "user" }))).toBe("not-owner");
    expect(codeOf(global.send({ kind: "end-learning", incarnation: 1 }))).toBe("wrong-plane");
    expect(codeOf(global.send({ kind: "end-term", askedMs: 0, epoch: 1 }))).toBe("wrong-plane");
    const report = new RegionalPair().report();
    expect(codeOf(west.send({ kind: "hear", report }))).toBe("wrong-plane");
    expect(codeOf(aPlane().send({ kind: "hear", report }))).toBe("wrong-plane");
    expect(pair).toBeDefined();
  });

  test("begins without learning when its log knows of no machine [RG13]", () => {
    expect(new RegionalPair().plane).toMatchObject({ incarnation: 1, ended: true, objectsTo: 0 });
    expect(new RegionalPair().plane.learning).toBeUndefined();
  });

  test("keeps of its rights what is charged, and no version of a grant, when it is restored [RG13]", () => {
    const pair = new RegionalPair();
    pair.exchange();
    pair.lend(500);
    pair.exchange(1);
    expect(codeOf(pair.spend([0, 1]))).toBe("committed");
    pair.incarnateWest(2);
    expect(pair.limit()).toEqual(alike(200));
    expect(pair.plane).toMatchObject({ incarnation: 2, learning: { epoch: 1 }, global: 1 });
    expect(pair.report()).toMatchObject({
      learning: true,
      grants: [{ tenant: "payments", version: 0, held: alike(200) }],
    });
  });

  test("of one region takes over what served all of them, without lending between tenants [RG13]", () => {
    const plane = aPlane({ quota: { cpuMillis: 1_000 }, desired: { cpuMillis: 100 } });
    plane.queued();
    const region = plane.node().spec.region;
    plane.must({ kind: "incarnate", plane: { role: "regional", region }, incarnation: 1 });
    expect(plane.account().limit.cpuMillis).toBe(100);
    expect(plane.ledger.objects.plane?.status).toMatchObject({ learning: { sinceMs: 0 } });
  });
});
