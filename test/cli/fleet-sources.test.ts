/** Fleets from a world file, a backup and a running plane, and what the twin makes of one. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnyObject } from "../../src/core/model/objects.ts";
import type { Fleet } from "../../src/fleet/fleet.ts";
import { ApiClient } from "../../src/cli/client/api-client.ts";
import { findServer } from "../../src/cli/client/find-server.ts";
import {
  fleetOfBackup,
  fleetOfPlane,
  fleetOfStore,
  fleetOfWorldFile,
} from "../../src/cli/review/fleet-sources.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { standardWorld } from "../../src/sim/world/standard-world.ts";
import { formatWorld } from "../../src/scenario/world-file.ts";
import { runTwin } from "../../src/twin/run-twin.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { CommandLine, runCommand, workloadText } from "./a-served-plane.ts";

const SECRET = "hunter2";
const folder = scratchFolder();
let line: CommandLine;

beforeAll(async () => {
  const store = await SqliteLog.open(join(folder, "log.db"), { thread: false });
  line = await CommandLine.start(undefined, store);
  await line.furnish();
  const text = workloadText("web").replace('60"] }', `60"], env: { PASSWORD: ${SECRET} } }`);
  await line.must("apply", "-f", line.write("web.yaml", text));
  await line.report(2, "serving");
});
afterAll(() => line.stop());

const replicasOf = ({ objects }: Fleet): readonly AnyObject[] =>
  objects.filter(({ kind }) => kind === "Replica");

test("a running plane gives the fleet of one revision, without values of environments", async () => {
  const fleet = await fleetOfPlane(new ApiClient(findServer({ server: line.url })));
  expect(fleet.source).toMatch(/^running plane at revision \d+$/);
  expect(replicasOf(fleet)).toHaveLength(2);
  const text = JSON.stringify(fleet);
  expect(text).toContain("PASSWORD");
  expect(text).not.toContain(SECRET);
});

test("a backup gives the same fleet as the plane that it was taken from", async () => {
  const file = join(line.folder, "plane.backup");
  await line.must("backup", "--out", file);
  const fromPlane = await fleetOfPlane(new ApiClient(findServer({ server: line.url })));
  const fromBackup = await fleetOfBackup(file);
  expect(fromBackup.objects).toEqual(fromPlane.objects);
});

test("the twin of a plane's fleet recovers what its only node loses as soon as it is back", async () => {
  const fleet = await fleetOfPlane(new ApiClient(findServer({ server: line.url })));
  const events = [
    { atMs: 0, do: "lose", nodes: ["n1"] },
    { atMs: 40_000, do: "return", nodes: ["n1"] },
  ] as const;
  const run = runTwin(fleet, { events, watchMs: 120_000, hasFaults: false }, 1);
  expect(run.violations).toEqual([]);
  expect(run.recoveries).toMatchObject([{ workload: "Workload/shop/web", before: 2, least: 0 }]);
  expect(run.recoveries[0]?.recoveredMs).toBeGreaterThan(40_000);
});

test("a world file gives the fleet that it comes to, whose twin stands", () => {
  const file = join(line.folder, "world.yaml");
  writeFileSync(file, formatWorld({ ...standardWorld(), timeline: [] }));
  const fleet = fleetOfWorldFile(file);
  expect(replicasOf(fleet).length).toBeGreaterThan(50);
  const run = runTwin(fleet, { events: [], watchMs: 60_000, hasFaults: true }, 1);
  expect(run).toMatchObject({ recoveries: [], violations: [] });
});

test("a store gives the same fleet as its plane gave, and an empty folder is rejected", async () => {
  const fromPlane = await fleetOfPlane(new ApiClient(findServer({ server: line.url })));
  const data = join(folder, "copy");
  mkdirSync(data);
  await line.must("backup", "--out", join(folder, "again.backup"));
  const { code } = await runCommand(["restore", join(folder, "again.backup"), "--data", data]);
  expect(code).toBe(0);
  const fromStore = await fleetOfStore({ data });
  expect(fromStore.objects.map(({ key }) => key)).toEqual(fromPlane.objects.map(({ key }) => key));
  await expect(fleetOfStore({ data: join(folder, "nothing-here") })).rejects.toThrow(
    /nothing-here/,
  );
});
