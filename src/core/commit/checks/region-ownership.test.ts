import { describe, expect, test } from "vitest";
import { aNodeSpec } from "../../../../test/builders/a-node.ts";
import { aPlane, putting } from "../../../../test/builders/a-plane.ts";
import { RegionalPair } from "../../../../test/builders/a-regional-pair.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { nodeKey, policyKey, regionKey, tenantKey } from "../../model/ids.ts";

const PLANE = { termMs: 60_000 };
const puttingRegion = (name: string, spec = {}) =>
  putting(regionKey(name), { kind: "Region", spec: { zones: [], ...spec } });
const puttingNode = (region: string) =>
  putting(nodeKey("n"), { kind: "Node", spec: { ...aNodeSpec(), region } });

describe("among several planes", () => {
  test("people change what the global plane owns there alone [RG2]", () => {
    const { west, ...pair } = new RegionalPair();
    const key = tenantKey("payments");
    const put = putting(key, { kind: "Tenant", spec: { displayName: "x" } });
    expect(codeOf(west.send(put))).toBe("owned-by-global");
    const whole = new RegionalPair();
    whole.exchange();
    expect(codeOf(whole.west.send({ kind: "delete", key, expect: {} }))).toBe("owned-by-global");
    const moved = { policy: "default", from: "", to: "x", reason: "" };
    const policy = { kind: "Policy", spec: { scoring: "best-fit" } } as const;
    whole.global.must(putting(policyKey("default"), policy));
    whole.exchange();
    expect(codeOf(whole.west.send({ kind: "activate", ...moved }, { role: "user" }))).toBe(
      "owned-by-global",
    );
    expect(pair).toBeDefined();
  });

  test("a node belongs to the plane of its region [RG3]", () => {
    const pair = new RegionalPair();
    pair.exchange();
    pair.global.must(puttingRegion("east"));
    expect(codeOf(pair.global.send(puttingNode("west")))).toBe("region-has-plane");
    expect(codeOf(pair.global.send(puttingNode("east")))).toBe("committed");
    expect(codeOf(pair.west.send(puttingNode("east")))).toBe("region-has-plane");
    expect(codeOf(pair.west.send(puttingNode("west")))).toBe("committed");
  });

  test("a region gets a plane while it is empty, and loses it before that was heard [RG3]", () => {
    const plane = aPlane();
    const { region } = plane.node().spec;
    plane.must(puttingRegion(region));
    expect(plane.send(puttingRegion(region, { plane: PLANE }))).toMatchObject({
      code: "still-in-use",
      actual: "Node//a-1",
    });
    const pair = new RegionalPair();
    expect(codeOf(pair.global.send(puttingRegion("west")))).toBe("committed");
    pair.planned("west");
    pair.hear();
    const remove = { kind: "delete", key: regionKey("west"), expect: {} } as const;
    expect(codeOf(pair.global.send(puttingRegion("west")))).toBe("still-in-use");
    expect(codeOf(pair.global.send(remove))).toBe("still-in-use");
    const evidence = { kind: "person", name: "ops", statement: "gone" } as const;
    pair.global.must({ kind: "region-gone", region: "west", incarnation: 1, evidence });
    expect(codeOf(pair.global.send(remove))).toBe("committed");
  });
});
