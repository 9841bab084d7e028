import { expect, test } from "vitest";
import { standardWorld } from "./standard-world.ts";
import { userScript } from "./user-script.ts";

const steps = userScript(standardWorld());
const putsOf = (key: string) =>
  steps.flatMap(({ intent }) =>
    intent.kind === "put" && intent.key === key ? [intent.desired] : [],
  );

const indexOf = (key: string): number =>
  steps.findIndex(({ intent }) => "key" in intent && intent.key === key);

test("the world is set up in an order in which nothing is missing", () => {
  expect(indexOf("Tenant//web")).toBeLessThan(indexOf("Quota/web/default"));
  expect(indexOf("Tenant//web")).toBeLessThan(indexOf("Workload/web/shop"));
});

test("a later step keeps what earlier steps wrote", () => {
  const shop = putsOf("Workload/web/shop").map(
    (desired) => desired.kind === "Workload" && desired.spec.replicas,
  );
  expect(shop).toEqual([18, 26, 12]);
  const cordoned = putsOf("Node//n03").map(
    (desired) => desired.kind === "Node" && desired.spec.cordons.length,
  );
  expect(cordoned).toEqual([0, 1, 0]);
  const drained = putsOf("Node//n08").map(
    (desired) => desired.kind === "Node" && desired.spec.draining,
  );
  expect(drained).toEqual([false, true, false]);
});

test("steps are in the order of time, and every operation is one step's own", () => {
  const times = steps.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(steps.map(({ intent }) => intent.operation)).size).toBe(steps.length);
});

test("actions on a workload that does not exist are left out", () => {
  const world = { ...standardWorld(), workloads: [] };
  const about = userScript(world).filter(({ intent }) => intent.operation.includes("Workload"));
  expect(about).toEqual([]);
});
