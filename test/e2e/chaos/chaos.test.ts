/**
 * Real processes under chaos: agents, replicas and the plane are killed and frozen, one agent is cut off, one node freezes,
 * links and the plane's disk are slow, a wall clock jumps, a hostile tenant does what it can. Afterwards nothing that was
 * acknowledged is lost, nothing ever had two owners, everything runs again, and the plane's recording of it all replays. `BERTH_CHAOS_SEED` draws another run.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { untilLeasesAreFresh } from "../agent-leases.ts";
import { AcknowledgedWrites } from "./acknowledged-writes.ts";
import {
  ChaosWorld,
  NODES,
  type ShownNode,
  type ShownReplica,
  tryToSignal,
} from "./chaos-world.ts";
import { drawMischief, type Mischief, MISCHIEF } from "./draw-mischief.ts";
import { findOverlaps } from "./find-overlaps.ts";
import { HARM, HostileTenant } from "./hostile-tenant.ts";
import { type Incarnation, ownershipsOf, readIncarnations } from "./read-incarnations.ts";
import { REPLICA_PROGRAM } from "./replica-program.ts";

const seed = Number(process.env["BERTH_CHAOS_SEED"] ?? 1);
const world = new ChaosWorld();
beforeAll(() => world.start());
afterAll(() => world.remove());

const WORKLOADS = "namespaces/shop/workloads";

function workload(name: string, spec: Readonly<Record<string, unknown>>, workMs?: number) {
  const resources = { cpu: "100m", memory: "128Mi" };
  const env = {
    INCARNATIONS: world.incarnations,
    ...(workMs === undefined ? {} : { WORK_MS: `${workMs}` }),
  };
  const command = ["node", "--eval", REPLICA_PROGRAM];
  const isService = workMs === undefined;
  return {
    apiVersion: "berth.dev/v1",
    kind: "Workload",
    metadata: { name, namespace: "shop" },
    spec: {
      type: isService ? "service" : "batch",
      replicas: 1,
      resources,
      run: { command, env, ...(isService ? { ports: ["http"] } : {}) },
      ...(isService ? { probes: { ready: { http: { port: "http", path: "/" } } } } : {}),
      stopGrace: "2s",
      ...spec,
    },
  };
}

const aObject = (kind: string, name: string, rest: Readonly<Record<string, unknown>>) => ({
  apiVersion: "berth.dev/v1",
  kind,
  ...rest,
  metadata: { name, ...(rest["metadata"] as object) },
});

async function setUp(writes: AcknowledgedWrites): Promise<void> {
  await writes.create("regions", aObject("Region", "eu", { spec: { zones: ["eu-a"] } }));
  await writes.create("tenants", aObject("Tenant", "shop", {}));
  const limit = { cpu: 12, memory: "12Gi", devices: 2 };
  const quota = { metadata: { namespace: "shop" }, spec: { limit } };
  await writes.create("namespaces/shop/quotas", aObject("Quota", "default", quota));
  await writes.create(WORKLOADS, workload("web", { replicas: 4 }));
  const devices = { class: "gpu", count: 1 };
  const resources = { cpu: "100m", memory: "128Mi", devices };
  // It begins on the node that is cut off first, however slowly that one joins: it has to move from there.
  await world.until("n1 to be ready", async () => {
    const nodes = (await world.list<ShownNode>("nodes")) ?? [];
    const isReady = nodes.some(
      ({ metadata, status }) => metadata.name === "n1" && status?.health === "ready",
    );
    return isReady || undefined;
  });
  await writes.create(WORKLOADS, workload("solo", { resources }));
  await writes.create(WORKLOADS, workload("crunch", { replicas: 3 }, 15_000));
  await writes.create(WORKLOADS, workload("spare", { replicas: 1 }));
}

/** Somebody who goes on working whatever happens: makes batches and tenants, scales, deletes. */
async function keepWriting(writes: AcknowledgedWrites, over: AbortSignal): Promise<void> {
  for (let round = 0; !over.aborted; round += 1) {
    await writes.create(WORKLOADS, workload(`job-${round}`, {}, 1_500));
    await writes.scale(`${WORKLOADS}/spare`, round % 4);
    await writes.create("tenants", aObject("Tenant", `kept-${round}`, {}));
    // Every other one goes, whether it has run or not.
    if (round % 2 === 1) await writes.delete(`${WORKLOADS}/job-${round - 1}`);
    if (round % 4 === 3) await writes.delete(`tenants/kept-${round - 1}`);
    await sleep(1_500);
  }
}

async function cause({ kind, whom, forMs, delayMs }: Mischief): Promise<void> {
  const alive = world.alive();
  const victim = alive[whom % Math.max(alive.length, 1)]?.pid;
  // A frozen agent is left as it is, and n2 has its turn; n1 may die while it is cut off.
  const agent = world.agents.get(["n1", "n3", "n4"][whom % 3]!)!;
  switch (kind) {
    case "kill-replica":
      if (victim !== undefined) tryToSignal(victim, "SIGKILL");
      return;
    case "freeze-replica":
      if (victim === undefined) return;
      tryToSignal(victim, "SIGSTOP");
      await sleep(forMs);
      tryToSignal(victim, "SIGCONT");
      return;
    case "kill-agent":
      agent.kill();
      return;
    case "freeze-agent":
      return agent.freeze(forMs);
    case "freeze-plane":
      return world.plane.freeze(forMs);
    case "slow-link":
      world.proxy.slowDown(delayMs);
      await sleep(forMs);
      world.proxy.slowDown(0);
      return;
    case "slow-disk":
      if (world.disk === undefined || world.plane.pid === undefined) return;
      world.disk.slowDown(world.plane.pid);
      await sleep(forMs);
      world.disk.heal();
  }
}

async function keepMischief(over: AbortSignal, done: Mischief["kind"][]): Promise<void> {
  const underWay: Promise<void>[] = [];
  for (let index = 0; !over.aborted; index += 1) {
    const mischief = drawMischief(seed, index);
    done.push(mischief.kind);
    underWay.push(cause(mischief));
    await sleep(mischief.pauseMs);
  }
  await Promise.all(underWay);
}

/**
 * Right after it has acknowledged a write, and a few milliseconds into another, which may or may not have landed. The next
 * one finds nobody, and all are sent until somebody is there again.
 */
async function killPlane(writes: AcknowledgedWrites): Promise<void> {
  const { starts } = world.plane;
  await writes.create("tenants", aObject("Tenant", `doomed-${starts}`, {}));
  await writes.create("tenants", aObject("Tenant", `before-${starts}`, {}));
  const going = writes.delete(`tenants/doomed-${starts}`);
  await sleep(2 * (starts % 4));
  world.plane.kill();
  await writes.create("tenants", aObject("Tenant", `after-${starts}`, {}));
  await going;
  expect(world.plane.starts).toBeGreaterThan(starts);
}

/** What should serve, by name. */
const servingNames = (spare: number): readonly string[] => [
  "solo.1.0",
  ...Array.from({ length: spare }, (_, index) => `spare.1.${index}`),
  ...[0, 1, 2, 3].map((index) => `web.1.${index}`),
];

/** The process that answers for a replica is its present incarnation, on the node that the plane says. */
async function isTheOneProcess(
  { metadata, status }: ShownReplica,
  alive: readonly Incarnation[],
): Promise<boolean> {
  const answer = await world.ask(status.address!);
  if (answer === undefined) return false;
  const { uid, incarnation, pid } = answer as Incarnation;
  const isPresent = uid === metadata.uid && incarnation === status.incarnation;
  return isPresent && alive.some((one) => one.pid === pid && one.node === status.node);
}

/** Of the honest tenant; what the hostile one has is its own affair. */
async function honestReplicas(): Promise<readonly ShownReplica[]> {
  const replicas = (await world.list<ShownReplica>("replicas")) ?? [];
  return replicas.filter(({ metadata }) => metadata.namespace === "shop");
}

/** The processes of the honest work, once everything is where it should be and each is the one that answers. */
async function wholeWork(writes: AcknowledgedWrites): Promise<readonly number[] | undefined> {
  const replicas = await honestReplicas();
  const serving = replicas.filter(({ status }) => status.stage === "serving");
  const names = serving.map(({ metadata }) => metadata.name).toSorted();
  const wanted = servingNames(writes.scaled.get(`${WORKLOADS}/spare`) ?? 1);
  if (names.join() !== wanted.join()) return;
  const others = replicas.filter((one) => !serving.includes(one));
  if (!others.every(({ status }) => status.stage === "succeeded")) return;
  const jobs = [...writes.created].filter((path) => path.includes("/job-")).length;
  // Each job that was not deleted, and the three of the first batch.
  if (others.length !== jobs + 3) return;
  const alive = world.alive();
  if (alive.length !== wanted.length) return;
  const isTrue = await Promise.all(serving.map((one) => isTheOneProcess(one, alive)));
  return isTrue.every(Boolean) ? alive.map(({ pid }) => pid).toSorted((a, b) => a - b) : undefined;
}

const soloOn = (name: string): true | undefined =>
  world.alive().some(({ replica, node }) => replica.endsWith("/solo.1.0") && node === name)
    ? true
    : undefined;

it("chaos: kills, freezes, a cut, slow links, a slow disk, a jumping clock and a hostile tenant: nothing acknowledged is lost, nothing has two owners, all serves again, and it replays", async () => {
  process.stdout.write(`chaos: BERTH_CHAOS_SEED=${seed}\n`);
  const writes = new AcknowledgedWrites(world.url, world.headers);
  await setUp(writes);
  // Where it begins must not depend on which agent of a busy machine came first.
  await world.until("solo on n1", () => soloOn("n1"));
  world.agents.get("n2")!.start();
  await world.until("the first service", async () => {
    const replicas = await honestReplicas();
    const serving = replicas.filter(({ status }) => status.stage === "serving");
    return serving.length >= servingNames(1).length ? true : undefined;
  });

  const over = new AbortController();
  const done: Mischief["kind"][] = [];
  const hostile = new HostileTenant(world.url, world.headers);
  const busy = Promise.all([
    keepWriting(writes, over.signal),
    keepMischief(over.signal, done),
    hostile.run(over.signal),
  ]);
  try {
    // A cut and a freeze, each for as long as it takes to be given up: longer than a lease.
    world.cut();
    await world.untilFenced("n1");
    world.heal();
    await killPlane(writes);
    // The one with the device has come to the other node that has one, before that node is lost, too.
    await world.until("solo on n2", () => soloOn("n2"));
    await world.agents.get("n2")!.freeze(world.untilFenced("n2"));
    // And again before anybody could have settled.
    for (let time = 0; time < 3; time += 1) await killPlane(writes);
    // How much of it is done by then depends on the machine.
    await world.until("all mischief and harm to be done", () => {
      const isDone = MISCHIEF.every((kind) => done.includes(kind));
      return isDone && HARM.every((kind) => hostile.done.has(kind)) ? true : undefined;
    });
  } finally {
    over.abort();
  }
  await busy;

  const processes = await world.until("everything to serve again", () => wholeWork(writes));
  // What runs lives on a lease until the next plane is there.
  await untilLeasesAreFresh(NODES.map((name) => world.agentFolder(name)));
  await killPlane(writes);
  expect(await writes.broken()).toEqual([]);
  // On a busy machine a process may be late to say that it lives; that it is another one would be a fault.
  expect(await world.until("all to be as it was", () => wholeWork(writes))).toEqual(processes);

  // The chaos was one: nodes were lost, the device moved, writes went unanswered, every kind of mischief was done.
  const nodes = await world.list<ShownNode>("nodes");
  const sessions = Object.fromEntries(
    nodes!.map(({ metadata, status }) => [metadata.name, status!.session]),
  );
  expect(Object.keys(sessions).toSorted()).toEqual([...NODES]);
  expect(sessions["n1"]).toBeGreaterThan(1);
  expect(sessions["n2"]).toBeGreaterThan(1);
  const incarnations = readIncarnations(world.incarnations);
  const soloNodes = new Set(
    incarnations.filter(({ replica }) => replica.endsWith("/solo.1.0")).map(({ node }) => node),
  );
  expect([...soloNodes].toSorted()).toEqual(["n1", "n2"]);
  expect(world.cutOff).toBeGreaterThan(0);
  expect(world.proxy.slowed).toBeGreaterThan(0);
  expect(world.disk?.written ?? Number.POSITIVE_INFINITY).toBeGreaterThan(0);
  expect(writes.unanswered).toBeGreaterThan(0);
  expect(new Set(done)).toEqual(new Set(MISCHIEF));
  expect(new Set(hostile.done.keys())).toEqual(new Set(HARM));

  await world.stop();
  await world.until("the last replica to end", () =>
    world.alive().length === 0 ? true : undefined,
  );
  expect(findOverlaps(ownershipsOf(readIncarnations(world.incarnations)))).toEqual([]);
  expect(await world.run("replay", world.folder)).toMatchObject({
    code: 0,
    out: expect.stringContaining("identical to the recording"),
  });
}, 900_000);
