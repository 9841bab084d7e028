import { expect, test } from "vitest";
import { Plane } from "../../src/host/plane.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { PlaneUser, until } from "./a-running-plane.ts";

const quietly = async (store: MemoryLog): Promise<Plane> =>
  Plane.open({ store, createControllers: () => [] });

test("[EP5] a write whose append was lost track of is answered by what the log then holds", async () => {
  const store = new MemoryLog();
  const plane = await quietly(store);
  const user = new PlaneUser(plane);
  await user.furnish();
  const { epoch } = plane;
  store.orderFault("landed-unknown");
  expect(await user.putDesired(1)).toMatchObject({
    kind: "outcome",
    outcome: { kind: "committed" },
  });
  expect(plane.objects.all("Workload").size).toBe(1);
  store.orderFault("lost-unknown");
  expect(await user.putDesired(2)).toEqual({ kind: "unavailable" });
  expect([...plane.objects.all("Workload").values()][0]?.spec.replicas).toBe(1);
  expect(plane.epoch).toBeGreaterThan(epoch);
  // The plane goes on under its new epoch.
  expect(await user.putDesired(3)).toMatchObject({
    kind: "outcome",
    outcome: { kind: "committed" },
  });
  await plane.close();
});

test("a store that turns a write away leaves reads and later writes alone", async () => {
  const store = new MemoryLog();
  const troubles: string[] = [];
  const onTrouble = (message: string): void => void troubles.push(message);
  const plane = await Plane.open({ store, createControllers: () => [], onTrouble });
  const user = new PlaneUser(plane);
  await user.furnish();
  store.orderFault("unavailable");
  expect(await user.putDesired(1)).toEqual({ kind: "unavailable" });
  expect(troubles).toHaveLength(1);
  expect(plane.objects.all("Node").size).toBe(2);
  expect(await user.putDesired(1)).toMatchObject({
    kind: "outcome",
    outcome: { kind: "committed" },
  });
  await plane.close();
});

test("[EP3] a plane whose log was claimed by another resigns and answers unavailable", async () => {
  const store = new MemoryLog();
  let hasResigned = false;
  const onResigned = (): void => {
    hasResigned = true;
  };
  const first = await Plane.open({ store, createControllers: () => [], onResigned });
  const user = new PlaneUser(first);
  await user.furnish();
  const second = await quietly(store);
  expect(await user.putDesired(1)).toEqual({ kind: "unavailable" });
  expect(hasResigned).toBe(true);
  expect(first.isLeading).toBe(false);
  expect(second.objects.all("Workload").size).toBe(0);
  expect(second.objects.all("Node").size).toBe(2);
  await second.close();
});

test("a plane that is opened again goes on where it was", async () => {
  const store = new MemoryLog();
  const first = await Plane.open({ store });
  const user = new PlaneUser(first);
  await user.furnish();
  await user.lease("n1", 1);
  await user.putDesired(2);
  await user.bound(0);
  await user.bound(1);
  const second = await Plane.open({ store });
  const later = new PlaneUser(second);
  await until("the same replicas", () => later.replica(1) && later.replica(0));
  expect(later.replica(0)?.status).toEqual(user.replica(0)?.status);
  await second.close();
});
