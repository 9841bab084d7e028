/** What a replica may use of its machine, on the cgroups that this machine really has (v1, hybrid or v2). */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type CgroupMounts, findMounts } from "../../src/agent/cgroups/find-mounts.ts";
import { CgroupTree } from "../../src/agent/cgroups/cgroup-tree.ts";
import { membersOf } from "../../src/agent/cgroups/replica-groups.ts";
import { findProcessLogs } from "../../src/agent/logs/process-logs.ts";
import type { ProcessRecord } from "../../src/agent/process/process-folder.ts";
import { anOrder, DriverHarness, eventually, isAlive, pidSaidIn, sh } from "./a-driver.ts";

let harness: DriverHarness;
afterEach(() => harness.end());

const { replica } = anOrder();
const { execPath: node } = process;

const record = (): ProcessRecord =>
  findProcessLogs(harness.folder, replica)[0]!.folder.readRecord()!;
const stdout = (): string => findProcessLogs(harness.folder, replica)[0]!.stdout;

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** The first group that has the file. */
const inGroup = (file: string): string => {
  const group = record().cgroups!.find((each) => existsSync(join(each, file)))!;
  return readFileSync(join(group, file), "utf8");
};

/** Root on a machine whose cgroups are all writable: then every limit must hold, and nothing is left out. */
function canLimit(): boolean {
  const tree = new CgroupTree({ node: "probing", folder: `/${process.pid}`, processes: 1 });
  tree.close();
  return tree.notes.length === 0;
}

/** As on machines with v1 alone: there a group is frozen and killed one process after the other. */
function ways(): readonly { title: string; mounts: CgroupMounts }[] {
  const { v1, v2 } = findMounts();
  const all = { title: "all that there is", mounts: { v1, v2 } };
  const hasFreezer = v1.some(({ controllers }) => controllers.includes("freezer"));
  return hasFreezer ? [all, { title: "cgroup v1 alone", mounts: { v1, v2: [] } }] : [all];
}

describe.runIf(canLimit() || process.env["CI"] !== undefined)("the limits of a replica", () => {
  const HOG = "const held = []; for (;;) held.push(Buffer.alloc(2 ** 20, 1))";

  test("in memory end it as a whole, and the reason says so [DR1] [DR3]", async () => {
    harness = new DriverHarness().begun();
    const script = `${node} -e '${HOG}'; echo the shell went on; sleep 600`;
    harness.driver.start(anOrder({ command: sh(script), memoryMiB: 64 }));
    expect(await harness.heard("exited")).toMatchObject({
      code: 137,
      reason: "OOM killed: it used more than its memory limit of 64Mi",
    });
  });

  test("in memory hold one that asks for none, too [DR1] [DR3]", async () => {
    harness = new DriverHarness().begun();
    harness.driver.start(anOrder({ command: [node, "-e", HOG], memoryMiB: 0 }));
    expect(await harness.heard("exited")).toMatchObject({
      code: 137,
      reason: "OOM killed: it used more than its memory limit of 1Mi",
    });
  });

  test("in memory are told by the next agent where there was none [DR3]", async () => {
    harness = new DriverHarness().begun();
    const script = `until [ -e go ]; do sleep 0.05; done; exec ${node} -e '${HOG}'`;
    await harness.run(anOrder({ command: sh(script), memoryMiB: 32 }));
    harness.driver.close();
    const { folder } = findProcessLogs(harness.folder, replica)[0]!;
    writeFileSync(join(folder.work, "go"), "");
    await eventually("its end", () => folder.state().kind === "ended");
    harness.again();
    harness.driver.leash(harness.clock.nowMs() + 600_000);
    expect(await harness.heard("exited")).toMatchObject({
      code: 137,
      reason: "OOM killed: it used more than its memory limit of 32Mi",
    });
  });

  test("an end by SIGKILL alone is no lack of memory [DR3]", async () => {
    harness = new DriverHarness().begun();
    harness.driver.start(anOrder({ command: sh("kill -KILL $$") }));
    const { code, reason } = await harness.heard("exited");
    expect([code, reason]).toEqual([137, undefined]);
  });

  test("in CPU are kept by the kernel [DR1]", async () => {
    harness = new DriverHarness().begun();
    await harness.run(anOrder({ command: sh("while :; do :; done"), cpuMillis: 50 }));
    await eventually("it to be throttled", () => {
      const counts = record().cgroups!.map((group) => textOf(join(group, "cpu.stat")));
      return counts.some((text) => Number(/^nr_throttled (\d+)$/m.exec(text)?.[1] ?? 0) > 0);
    });
    // What is measured for scaling is the group's, whatever the version.
    const [running] = harness.driver.running();
    expect(running?.cgroups).toEqual(record().cgroups);
  });

  test.each(ways())(
    "in processes hold a fork bomb, and it ends as a whole, with $title [DR1] [DR4]",
    async ({ mounts }) => {
      harness = new DriverHarness({ cgroupMounts: mounts, processesPerReplica: 64 }).begun();
      // Each starts two that do the same, away from the group, and none of them ends.
      const bomb =
        'bomb() { setsid sh -c "$1" bomb "$1" & setsid sh -c "$1" bomb "$1" & sleep 600; }; ';
      const script = `${bomb} bomb "$1"`;
      const command = ["/bin/sh", "-c", 'exec sh -c "$0" bomb "$0"', script];
      await harness.run(anOrder({ command, cpuMillis: 500, memoryMiB: 512 }));
      await eventually("the limit to be met", () => {
        return Number(/^max (\d+)$/m.exec(inGroup("pids.events"))?.[1] ?? 0) > 0;
      });
      expect(Number(inGroup("pids.current"))).toBeLessThanOrEqual(64);
      const [holder] = record().cgroups!;
      const pids = membersOf(holder!);
      expect(pids.length).toBeGreaterThan(20);
      harness.driver.stop(anOrder());
      await harness.heard("exited");
      expect(pids.filter(isAlive)).toEqual([]);
    },
  );

  test.each(ways())("reach who has left the group, with $title [DR4]", async ({ mounts }) => {
    harness = new DriverHarness({ cgroupMounts: mounts }).begun();
    const script = "setsid sh -c 'echo $$; exec sleep 600' & sleep 600";
    await harness.run(anOrder({ command: sh(script) }));
    const pid = await eventually("the escaped process", () => pidSaidIn(stdout()));
    const groups = record().cgroups!;
    harness.driver.stop(anOrder());
    await harness.heard("exited");
    expect(isAlive(pid)).toBe(false);
    harness.driver.forget(anOrder());
    expect(groups.filter((group) => existsSync(group))).toEqual([]);
  });
});
