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

/** What the plane says of the replicas that were lost and came back, one number for each recovery. */
const lostIn = (described: string): readonly number[] =>
  [
    ...described.matchAll(/(?:Recovered|RecoveryMissed) .*?(\d+) replicas? (?:was|were) lost and/g),
  ].map(([, lost]) => Number(lost));

const isTwoInAll = (lost: readonly number[]): boolean =>
  lost.reduce((sum, each) => sum + each, 0) === 2;

/** Everything that was lost serves again, and no recovery is under way any more. */
const untilBack = (name: string) =>
  world.until(`${name} to be back`, async () => {
    const { under, last } = (await world.recoveryOf(name)) ?? {};
    const nodes = await world.nodesServing(name);
    return under === undefined && nodes.join() === "away-a,away-b" ? last : undefined;
  });

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

  await world.killTogether("home-a", "home-b");
  const { took, missed } = await untilBack("api");
  expect(missed).toBeUndefined();
  const described = await world.berth("describe", "workload", "api", "-n", "shop");
  expect(described).toContain(`took: ${took}`);
  expect(described).toMatch(/spent:\n +lost: \S+/);
  // The first node that is called silent begins it.
  expect(described).toMatch(/RecoveryBegan .*lost; .* to be back within 2m/);
  // Leases end up to a renewal apart: both losses are one recovery, or one after the other.
  expect(lostIn(described)).toSatisfy(isTwoInAll);
  expect(described).toMatch(/RecoveryInTime +True/);

  const late = await untilBack("hasty");
  expect(late.missed).toBe("lost");
  const told = await world.berth("describe", "workload", "hasty", "-n", "shop");
  expect(lostIn(told)).toSatisfy(isTwoInAll);
  expect(told).toMatch(
    /RecoveryMissed .*Not recovered within 1s; most of the time was spent in lost: lost \S+/,
  );
  expect(told).toMatch(/RecoveryInTime +False/);
}, 900_000);
