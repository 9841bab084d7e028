import { expect, it } from "vitest";
import { kindByName } from "../api/kinds/all-kinds.ts";
import { DEFAULT_ROLLOUT, type RolloutSpec } from "../core/model/rollout.ts";
import type { WorkloadSpec } from "../core/model/objects.ts";
import { parseWorld } from "./world-file.ts";

const inFile = (rollout: string): RolloutSpec | undefined =>
  parseWorld(
    `
name: rollouts
regions: [{ name: eu, zones: [a] }]
nodes: [{ name: n1, region: eu, zone: a, capacity: { cpu: 8, memory: 8Gi } }]
tenants: [{ name: shop, quota: { cpu: 1, memory: 1Gi } }]
workloads:
  - metadata: { namespace: shop, name: api }
    spec: { replicas: 1, rollout: ${rollout}, resources: { cpu: 1, memory: 1Gi } }
`,
    "w.yaml",
  ).workloads[0]?.spec.rollout;

const inApi = (rollout: object): RolloutSpec | undefined => {
  const resources = { cpu: 1, memory: "1Gi" };
  const run = { command: ["true"] };
  const desired = kindByName("Workload")!.toDesired({ rollout, resources, run });
  return (desired as { readonly spec: WorkloadSpec }).spec.rollout;
};

it("a rollout that leaves its deadline out has the API's", () => {
  expect(inFile("{}")).toEqual(DEFAULT_ROLLOUT);
  expect(inFile("{}")).toEqual(inApi({}));
  expect(inFile("{ maxSurge: 2 }")).toEqual(inApi({ maxSurge: 2 }));
});

it("a deadline that is given is kept, up to a day", () => {
  expect(inFile("{ deadline: 30s }")).toEqual(inApi({ deadline: "30s" }));
  expect(() => inFile("{ deadline: 25h }")).toThrow(/expected a duration of up to 24h/);
});
