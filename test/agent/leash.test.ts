import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ProcessFolder } from "../../src/agent/process/process-folder.ts";
import { installShimScripts } from "../../src/agent/process/shim-scripts.ts";
import { anOrder, DriverHarness, eventually, isAlive, pidSaidIn, sh } from "./a-driver.ts";
import { killedAgent } from "./killed-agent.ts";

/** Of a guard at its leash: five times as often as usual, so that a test waits a fifth as long. */
const LOOK_MS = 200;

let harness: DriverHarness;
afterEach(() => harness.end());

const leashed = anOrder({ index: 0, leashed: true });
const kept = anOrder({ index: 1, leashed: false });

/** The numbers of the processes that lead each group, by the replica's name. */
function leaders(folder: string): ReadonlyMap<string, number> {
  const processes = join(folder, "processes");
  return new Map(
    readdirSync(processes).map((name) => {
      const said = readFileSync(join(processes, name, "running"), "utf8");
      return [name.split("+")[1]!, Number(said.split(" ")[0])];
    }),
  );
}

/** Process numbers of a file that shims write. */
const pidIn = (file: string): number => Number(readFileSync(file, "utf8").split(" ")[0]);

/** The guard beside a process: what its shim has for children besides. */
function guardOf(folder: string): number {
  const shim = pidIn(join(folder, "claim"));
  const said = readFileSync(`/proc/${shim}/task/${shim}/children`, "utf8").trim().split(" ");
  const begun = join(folder, "running.launch");
  const leader = existsSync(begun) ? pidIn(begun) : undefined;
  const [guard] = said.map(Number).filter((pid) => pid !== leader);
  return guard!;
}

describe("the leash", () => {
  test("kills leashed processes when the agent is dead, and no others [AG2]", async () => {
    const start = [leashed, kept];
    const folder = await killedAgent({ leashMs: 1_500, start });
    const pids = leaders(folder);
    harness = new DriverHarness({ folder });
    harness.driver.close();
    await eventually("the leash to end", () => !isAlive(pids.get("api.1.0")!));
    expect(isAlive(pids.get("api.1.1")!)).toBe(true);
    expect(harness.again().map(({ replica }) => replica)).toEqual(
      expect.arrayContaining([leashed.replica, kept.replica]),
    );
    // Told at once: an end by the leash needs no lease to be understood.
    expect(await harness.heard("exited", leashed)).toMatchObject({ code: 137 });
  });

  test("kills the whole group, also what does not listen to SIGTERM [AG2]", async () => {
    const script = 'trap "" TERM; sleep 600 & echo $! > child; while :; do sleep 600; done';
    const folder = await killedAgent({
      leashMs: 1_500,
      start: [anOrder({ command: sh(script) })],
      wrote: "child",
    });
    harness = new DriverHarness({ folder });
    harness.driver.close();
    const [name] = readdirSync(join(folder, "processes"));
    const said = join(folder, "processes", name!, "work", "child");
    const child = await eventually("the child", () => pidSaidIn(said));
    const leader = leaders(folder).get("api.1.0")!;
    // One signal for all of the group, and each goes in its own time: its end is told after the last.
    await eventually("the child to go", () => !isAlive(child));
    harness.again();
    expect(await harness.heard("exited")).toMatchObject({ code: 137 });
    expect(isAlive(leader)).toBe(false);
  });

  test("that is moved in time keeps the process [AG2]", async () => {
    harness = new DriverHarness({ guardLookMs: LOOK_MS }).begun();
    await harness.run(leashed);
    // Longer than the machine may stand still between the two.
    const firstMs = harness.clock.nowMs() + 2_000;
    harness.driver.leash(firstMs);
    harness.driver.leash(firstMs + 600_000);
    harness.driver.close();
    await eventually(
      "the first leash to be over",
      () => harness.clock.nowMs() > firstMs + 4 * LOOK_MS,
    );
    expect(isAlive(leaders(harness.folder).get("api.1.0")!)).toBe(true);
  });

  test("that cannot be read is over [AG2]", async () => {
    const folder = await killedAgent({ leashMs: 600_000, start: [leashed, kept] });
    harness = new DriverHarness({ folder });
    harness.driver.close();
    const pids = leaders(folder);
    writeFileSync(join(folder, "leash"), "garbage\n");
    await eventually("the leashed process to go", () => !isAlive(pids.get("api.1.0")!));
    expect(isAlive(pids.get("api.1.1")!)).toBe(true);
  });

  test("kills while the agent lives, too, and says why [AG2]", async () => {
    harness = new DriverHarness({ guardLookMs: LOOK_MS }).begun();
    await harness.run(leashed);
    await harness.run(kept);
    harness.driver.leash(harness.clock.nowMs() + 1);
    expect(await harness.heard("exited", leashed)).toMatchObject({ code: 137 });
    expect(
      harness.events.some(({ kind, replica }) => kind === "exited" && replica === kept.replica),
    ).toBe(false);
  });
});

describe("a guard whose shim was killed", () => {
  test("stays while anything of its group lives, and goes with it [AG2]", async () => {
    const family = anOrder({
      index: 0,
      command: sh("sleep 600 & echo $! > child; exec sleep 600"),
    });
    const alone = anOrder({ index: 1 });
    harness = new DriverHarness({ guardLookMs: LOOK_MS }).begun();
    await harness.run(family);
    await harness.run(alone);
    harness.driver.close();
    const processes = join(harness.folder, "processes");
    const folders = readdirSync(processes).toSorted();
    const [ofFamily, ofAlone] = folders.map((name) => join(processes, name)) as [string, string];
    const said = join(ofFamily, "work", "child");
    const child = await eventually("the child", () => pidSaidIn(said));
    const [staying, going] = [guardOf(ofFamily), guardOf(ofAlone)];
    for (const folder of [ofFamily, ofAlone]) {
      process.kill(pidIn(join(folder, "claim")), "SIGKILL");
      process.kill(pidIn(join(folder, "running")), "SIGKILL");
    }
    await eventually("the guard of nobody to go", () => !isAlive(going));
    const goneMs = harness.clock.nowMs();
    await eventually("two more looks", () => harness.clock.nowMs() > goneMs + 4 * LOOK_MS);
    expect([isAlive(staying), isAlive(child)]).toEqual([true, true]);
    expect(existsSync(join(ofFamily, "leash-ended"))).toBe(false);
    writeFileSync(join(harness.folder, "leash"), "0\n");
    await eventually("the child to go", () => !isAlive(child));
    await eventually("its guard to go", () => !isAlive(staying));
    expect(existsSync(join(ofFamily, "leash-ended"))).toBe(true);
  });

  test("goes only once what was to begin no longer can [AG2]", async () => {
    harness = new DriverHarness({ guardLookMs: LOOK_MS });
    const place = join(harness.folder, "place");
    const { shim, guard, begins } = await shimmed(["touch", join(place, "began")], {
      isSlow: true,
    });
    process.kill(shim, "SIGKILL");
    await eventually("the guard to go", () => !isAlive(guard));
    expect(isAlive(begins)).toBe(true);
    writeFileSync(join(place, "go"), "");
    await eventually("the launch to go", () => !isAlive(begins));
    expect(existsSync(join(place, "began"))).toBe(false);
    expect(new ProcessFolder(place).state()).toMatchObject({ kind: "ended", code: 255 });
  });

  test("stays while there is any process in the cgroup, too [AG2]", async () => {
    harness = new DriverHarness({ guardLookMs: LOOK_MS });
    const cgroup = join(harness.folder, "cgroup");
    mkdirSync(cgroup);
    // As a kernel tells it of one that has left the group and is still there; no process has such a number.
    writeFileSync(join(cgroup, "cgroup.procs"), "");
    mkdirSync(join(cgroup, "below"));
    writeFileSync(join(cgroup, "below", "cgroup.procs"), "99999999\n");
    const { shim, guard, begins } = await shimmed(["sleep", "600"], { cgroup });
    await eventually("the process", () => existsSync(join(harness.folder, "place", "running")));
    for (const pid of [shim, begins]) process.kill(pid, "SIGKILL");
    const killedMs = harness.clock.nowMs();
    await eventually("two looks", () => harness.clock.nowMs() > killedMs + 4 * LOOK_MS);
    expect(isAlive(guard)).toBe(true);
    writeFileSync(join(cgroup, "below", "cgroup.procs"), "");
    await eventually("the guard to go", () => !isAlive(guard));
  });
});

/** A shim without an agent, with its guard and what it begins. */
async function shimmed(
  command: readonly string[],
  of: { readonly cgroup?: string; readonly isSlow?: true },
): Promise<{ readonly shim: number; readonly guard: number; readonly begins: number }> {
  const at = (name: string): string => join(harness.folder, name);
  const { shim: script, launch } = installShimScripts(harness.folder, LOOK_MS);
  // A slow one begins when it is told to, and at the end of the test at the latest.
  const pause = of.isSlow ? 'while [ -d "$1" ] && [ ! -e "$1/go" ]; do sleep 0.1; done; ' : "";
  writeFileSync(at("begin.sh"), `${pause}exec sh ${launch} "$@"`);
  // In hundredths of a second since boot: thirty years.
  writeFileSync(at("leash"), "99999999999\n");
  mkdirSync(at("place"));
  const groups = of.cgroup === undefined ? [] : [of.cgroup];
  const about = [at("place"), at("leash"), "-", "4096", "1", "4096", at("begin.sh")];
  const args = [script, ...about, ...groups, "--", ...command];
  spawn("/bin/sh", args, { detached: true, stdio: "ignore" });
  const claim = join(at("place"), "claim");
  return eventually("guard and process", () => {
    if (!existsSync(claim)) return undefined;
    const shim = pidIn(claim);
    const said = readFileSync(`/proc/${shim}/task/${shim}/children`, "utf8").trim().split(" ");
    // Between them are those that keep the two logs.
    const [guard, , , begins] = said.map(Number);
    return guard !== undefined && begins !== undefined && { shim, guard, begins };
  });
}
