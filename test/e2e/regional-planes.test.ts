/**
 * A global plane and two planes of regions, each a process with a log of its own. The global plane stands still for
 * longer than the term: the region places, repairs and explains alone, and never holds more than it was lent.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RegionStanding, RegionStandings } from "../../src/api/regions/region-standing.ts";
import { adminHeaders } from "./admin-headers.ts";
import { LocalBerth, type ShownReplica } from "./local-berth.ts";

const berth = new LocalBerth();
beforeAll(() => berth.build());
afterAll(() => {
  const { global } = pidsOfPlanes();
  // A process that stands still does not end.
  if (global !== undefined) process.kill(global, "SIGCONT");
  return berth.remove();
});

const HELLO = fileURLToPath(new URL("../../examples/regional/hello.yaml", import.meta.url));
const GLOBAL = "global";
const EU = join("regions", "eu-west");
const US = join("regions", "eu-central");

const pidsOfPlanes = (): { readonly global: number | undefined } => ({
  global: berth.pidOfPlaneIn(GLOBAL),
});

async function run(folder: string, ...args: readonly string[]): Promise<string> {
  const { status, out } = await berth.run(...args, "--data", join(berth.data, folder));
  expect(`${status} ${args[0]}: ${status === 0 ? "" : out}`).toBe(`0 ${args[0]}: `);
  return out;
}

/** Over HTTP: a command line for every look would take longer than all the rest. */
async function asked<T>(folder: string, path: string): Promise<T> {
  const headers = adminHeaders(join(berth.data, folder));
  const response = await fetch(`${berth.urlOfPlaneIn(folder) ?? ""}${path}`, { headers });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as T;
}

const listed = async <T>(folder: string, plural: string): Promise<readonly T[]> =>
  (await asked<{ readonly items: readonly T[] }>(folder, `/apis/berth.dev/v1/${plural}`)).items;

const standingIn = async (folder: string, region: string): Promise<RegionStanding | undefined> =>
  (await asked<RegionStandings>(folder, "/regions")).regions.find(({ name }) => name === region);

const until = berth.until.bind(berth);

const serving = (folder: string, workload: string, count: number) =>
  until(`${count} of ${workload} to serve`, async () => {
    const all = await listed<ShownReplica>(folder, "replicas");
    const are = all.filter(
      ({ metadata, status }) =>
        metadata.name.startsWith(`${workload}.`) && status.stage === "serving",
    );
    return are.length === count ? are : undefined;
  });

const inState = (folder: string, region: string, state: RegionStanding["state"]) =>
  until(`${region} to be ${state}`, async () => {
    const standing = await standingIn(folder, region);
    return standing?.state === state ? standing : undefined;
  });

async function apply(folder: string, name: string, text: string): Promise<void> {
  const file = join(berth.data, `${name}.yaml`);
  writeFileSync(file, text);
  await run(folder, "apply", "-f", file);
}

const sleeper = (name: string): string =>
  `apiVersion: berth.dev/v1\nkind: Workload\nmetadata: { name: ${name} }\nspec: { replicas: 1, resources: { cpu: 100m, memory: 32Mi }, run: { command: [sleep, "3600"] } }\n`;

const cpus = (text: string): number =>
  text.endsWith("m") ? Number(text.slice(0, -1)) : Number(text) * 1_000;

it("a region deploys, heals and explains itself while the global plane stands still [RG10] [RG11] [RG12]", async () => {
  // Short enough that its end can be waited for.
  berth.start("--regional", "--regions", "2", "--agents", "2", "--term", "10s");
  await until("all planes", () => berth.output.includes("Press Ctrl-C") || undefined);
  for (const [region, folder] of [
    ["eu-west", EU],
    ["eu-central", US],
  ] as const) {
    await until(`${region} to be lent something`, async () => {
      const standing = await standingIn(folder, region);
      return standing !== undefined && standing.lent.cpuMillis > 0 ? standing : undefined;
    });
  }

  // The fast path: the region alone takes and places it; the global plane learns of it later.
  await run(EU, "apply", "-f", HELLO);
  await serving(EU, "hello", 2);
  await until("the global plane to hear of it", async () => {
    const standing = await standingIn(GLOBAL, "eu-west");
    return standing?.used.cpuMillis === 400 ? standing : undefined;
  });

  // What the global plane owns cannot be changed in a region.
  const tenant = join(berth.data, "tenant.yaml");
  writeFileSync(tenant, "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: other }\n");
  const refused = await berth.run("apply", "-f", tenant, "--data", join(berth.data, EU));
  expect(refused).toMatchObject({ status: 2, out: expect.stringContaining("global plane") });

  process.kill(pidsOfPlanes().global!, "SIGSTOP");

  // Within its term the region takes new work.
  await apply(EU, "alone", sleeper("alone"));
  await serving(EU, "alone", 1);
  await inState(EU, "eu-west", "repairs-only");

  // After it, a replica that is lost is replaced, and new work waits and says for what.
  const [first] = await serving(EU, "hello", 2);
  const victim = await until("its process", () =>
    berth.replicaProcesses().find(({ replica }) => replica.endsWith(`/${first!.metadata.name}`)),
  );
  process.kill(victim.pid, "SIGKILL");
  await until("the next incarnation", async () => {
    const all = await serving(EU, "hello", 2);
    const again = all.find(({ metadata }) => metadata.name === first!.metadata.name);
    return (again?.status.incarnation ?? 0) > first!.status.incarnation || undefined;
  });
  await apply(EU, "late", sleeper("late"));
  await until("the new work to wait", async () => {
    const all = await listed<ShownReplica>(EU, "replicas");
    const late = all.find(({ metadata }) => metadata.name.startsWith("late."));
    return late?.status.stage === "admitted" || undefined;
  });
  expect(await run(EU, "explain", "replica", "late.1.0")).toContain("global plane");

  // Back again: it is confirmed, and what waited is placed.
  process.kill(pidsOfPlanes().global!, "SIGCONT");
  await serving(EU, "late", 1);
  await inState(GLOBAL, "eu-west", "in-contact");
  expect(await run(GLOBAL, "regions")).toMatch(/eu-west +in contact/);

  // Over both regions together the tenant never holds more than its quota.
  const [quota] = await listed<{ spec: { limit: { cpu: string | number } } }>(GLOBAL, "quotas");
  const limit = cpus(String(quota!.spec.limit.cpu));
  const held = await Promise.all(
    [GLOBAL, EU, US].map(async (folder) =>
      (await listed<{ status: { held: { cpu: string } } }>(folder, "grants"))
        .map(({ status }) => cpus(status.held.cpu))
        .reduce((sum, each) => sum + each, 0),
    ),
  );
  expect(held[0]).toBeLessThanOrEqual(limit);
  expect(held[1]! + held[2]!).toBeLessThanOrEqual(limit);

  expect(await berth.interrupt()).toBe(0);
  await berth.nothingLeft();
  for (const folder of [GLOBAL, EU, US]) {
    expect(berth.berth("replay", join(berth.data, folder))).toMatchObject({ status: 0 });
  }
});
