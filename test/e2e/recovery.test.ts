/**
 * Recovery objectives with real processes: the agents of a region are killed, its replicas die by their leash, and a service
 * is back in the room that was kept for it elsewhere, in time. One that asked for too little time says where it was spent.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { PlaneAndAgents, regionText } from "./plane-and-agents.ts";

const world = new PlaneAndAgents();

beforeAll(() => world.start());
afterAll(() => world.remove());

const workload = (name: string, within: string) => `---
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: 2
  recovery: { within: ${within}, replicas: 2, in: [away] }
  placement: { spread: [{ by: zone, maxSkew: 1 }] }
  resources: { cpu: 100m, memory: 64Mi }
  run: { command: [sleep, "600"] }
`;

const MANIFEST = `
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: shop }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: shop }
spec: { limit: { cpu: 4, memory: 4Gi } }
`;

const regions = ["home", "away"].map((name) => regionText(name, `${name}-a`, `${name}-b`)).join("");

it("recovery: a region's agents are killed, and a service is back where room was kept for it, in time; one that is late says at which stage", async () => {
  await world.apply(`${regions}---${MANIFEST}`);
  const home = ["home-a", "home-b"];
  for (const name of home) world.startAgent(name, "home", name);
  await world.untilReady(home);
  await world.apply(`${workload("api", "2m")}${workload("hasty", "1s")}`);
  for (const name of ["api", "hasty"]) {
    await world.until(`${name} at home`, async () =>
      (await world.nodesServing(name)).join() === home.join() ? true : undefined,
    );
  }
  for (const zone of ["a", "b"]) world.startAgent(`away-${zone}`, "away", `away-${zone}`);
  // One in each zone, also when the first of them had both: its spread would let nobody be bound to the second.
  await world.until("room in both zones", async () => {
    const { reserved, rooms = [] } = (await world.recoveryOf("api")) ?? {};
    return reserved === "2/2" && rooms.toSorted().join() === "away-a,away-b" ? true : undefined;
  });
  const wide = await world.berth("get", "workloads", "-n", "shop", "-o", "wide");
  expect(wide).toMatch(/^api .*2m 2\/2/m);

  for (const name of home) world.killAgent(name);
  const { took, lost, missed } = await world.until("api to be back", async () => {
    return (await world.recoveryOf("api"))?.last;
  });
  expect(await world.nodesServing("api")).toEqual(["away-a", "away-b"]);
  expect({ lost, missed }).toEqual({ lost: 2, missed: undefined });
  const described = await world.berth("describe", "workload", "api", "-n", "shop");
  expect(described).toContain(`took: ${took}`);
  expect(described).toMatch(/spent:\n +lost: \S+/);
  // The first node that is called silent begins it.
  expect(described).toMatch(/RecoveryBegan .*lost; .* to be back within 2m/);
  expect(described).toMatch(/Recovered .*2 replicas were lost and are back after .*: lost \S+/);
  expect(described).toMatch(/RecoveryInTime +True/);

  const late = await world.until("hasty to be back", async () => {
    return (await world.recoveryOf("hasty"))?.last;
  });
  expect(late).toMatchObject({ lost: 2, missed: "lost" });
  const told = await world.berth("describe", "workload", "hasty", "-n", "shop");
  expect(told).toMatch(
    /RecoveryMissed .*not back within 1s; most of it was spent in lost: lost \S+/,
  );
  expect(told).toMatch(/RecoveryInTime +False/);
}, 300_000);
