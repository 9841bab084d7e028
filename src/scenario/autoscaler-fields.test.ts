import { describe, expect, it } from "vitest";
import { UserError } from "../shell/errors.ts";
import { drawWorld } from "../sim/swarm/swarm-world.ts";
import { formatWorld, parseWorld } from "./world-file.ts";

const world = (autoscaler: string): string => `
name: shop
regions: [{ name: eu, zones: [a] }]
nodes: [{ name: n1, region: eu, zone: a, capacity: { cpu: 8, memory: 8Gi } }]
tenants: [{ name: shop, quota: { cpu: 8, memory: 8Gi } }]
workloads:
  - metadata: { name: web, namespace: shop }
    spec: { replicas: 1, resources: { cpu: 1, memory: 1Gi } }
autoscalers: [${autoscaler}]
`;

const mistake = (autoscaler: string): string => {
  try {
    parseWorld(world(autoscaler), "w.yaml");
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  return "";
};

const PLAIN = "tenant: shop, min: 2, perReplica: 100, demand: [{ at: 0s, load: 100 }]";

describe("an autoscaler in a world file", () => {
  it("is read with the load of its world, and written back as it was", () => {
    const text = `{ ${PLAIN}, workload: web, max: 4, up: { window: 5s, step: 2 }, late: 2s }`;
    const read = parseWorld(world(text), "w.yaml");
    expect(read.autoscalers).toEqual([
      {
        tenant: "shop",
        name: "web",
        spec: {
          workload: "web",
          min: 2,
          max: 4,
          target: { kind: "metric", name: "load", value: 100 },
          up: { windowMs: 5_000, replicas: 2 },
        },
        demand: [{ atMs: 0, load: 100 }],
        lostPercent: 0,
        lateMs: 2_000,
      },
    ]);
    expect(parseWorld(formatWorld(read), "w.yaml")).toEqual(read);
  });

  it("is written and read as the swarm draws it", () => {
    const drawn = Array.from({ length: 60 }, (_, seed) => drawWorld(seed + 1)).filter(
      ({ autoscalers }) => autoscalers !== undefined,
    );
    expect(drawn.length).toBeGreaterThan(3);
    for (const each of drawn) {
      expect(parseWorld(formatWorld(each), "w.yaml").autoscalers).toEqual(each.autoscalers);
    }
  });

  it("names a workload that is there, and bounds in their order", () => {
    expect(mistake(`{ ${PLAIN}, workload: wed, max: 4 }`)).toMatch(/unknown workload "shop\/wed"/);
    expect(mistake(`{ ${PLAIN}, workload: web, max: 1 }`)).toMatch(/max: found 1/);
  });
});
