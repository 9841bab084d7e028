import { describe, expect, it } from "vitest";
import { nodeManifest, workloadManifest } from "../measure/manifests.ts";
import { placeNode, placeTenants, placeWorkloads, REPLICAS_A_NODE } from "./place-world.ts";
import { putOf } from "./put-of.ts";

describe("putOf()", () => {
  it("reads a manifest as the API does", () => {
    const put = putOf(nodeManifest("n1", "z1", { cpu: "1500m", memory: "2Gi" }));
    expect(put).toMatchObject({
      kind: "put",
      key: "Node//n1",
      labels: { zone: "z1" },
      desired: {
        kind: "Node",
        spec: { zone: "z1", capacity: { cpuMillis: 1_500, memoryMiB: 2_048 } },
      },
    });
  });

  it("says which field this build does not take, instead of leaving it out", () => {
    const resources = { cpu: "1", memory: "1Gi" };
    const wrong = workloadManifest("w", {
      tenant: "t",
      replicas: 1,
      resources,
      more: { flavour: "sweet" },
    });
    expect(() => putOf(wrong)).toThrow(/does not take the Workload.*flavour/);
    const worse = workloadManifest("w", { tenant: "t", replicas: -1, resources });
    expect(() => putOf(worse)).toThrow(/spec\.replicas/);
  });
});

describe("the world of the placing benchmarks", () => {
  it("is one that this build takes", () => {
    for (const manifest of [...placeTenants(), placeNode(0)]) {
      expect(putOf(manifest).kind).toBe("put");
    }
  });

  it("has as many replicas as were asked for, in workloads of at most the size asked for", () => {
    const all = [...placeWorkloads({ replicas: 1_234, each: 100 })].map(({ spec }) =>
      Number(spec["replicas"]),
    );
    expect(all).toHaveLength(13);
    expect(all.reduce((sum, count) => sum + count, 0)).toBe(1_234);
    expect(Math.max(...all)).toBe(100);
  });

  it("has room on every node for as many replicas as it says, whatever their size", () => {
    const puts = [...placeWorkloads({ replicas: 16, each: 1 })].map(putOf);
    const asks = puts.map(({ desired }) => {
      if (desired.kind !== "Workload") throw new Error("A workload was expected.");
      return desired.spec.template.ask.amounts;
    });
    const node = putOf(placeNode(0)).desired;
    if (node.kind !== "Node") throw new Error("A node was expected.");
    const mean = (name: "cpuMillis" | "memoryMiB"): number =>
      asks.reduce((sum, amounts) => sum + amounts[name], 0) / asks.length;
    const { cpuMillis, memoryMiB } = node.spec.capacity;
    expect(REPLICAS_A_NODE * mean("cpuMillis")).toBeLessThanOrEqual(cpuMillis);
    expect(REPLICAS_A_NODE * mean("memoryMiB")).toBeLessThanOrEqual(memoryMiB);
  });
});
