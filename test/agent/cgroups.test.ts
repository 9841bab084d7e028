/** Limits and groups, on a folder laid out as cgroup v2 is, and on a real hierarchy where one can be mounted. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CgroupTree, removeCgroup } from "../../src/agent/cgroup-tree.ts";
import { findProcessLogs } from "../../src/agent/process-logs.ts";
import { installShimScripts } from "../../src/agent/shim-scripts.ts";
import { amounts } from "../builders/amounts.ts";
import { anOrder, DriverBench, eventually, isAlive, pidSaidIn, sh } from "./a-driver.ts";

let mount: string;
beforeEach(() => {
  mount = mkdtempSync(join(tmpdir(), "berth-cgroup-"));
});
afterEach(() => rmSync(mount, { recursive: true, force: true }));

/** The files a kernel would make by itself. */
function lay(controllers: string, below = controllers): void {
  mkdirSync(join(mount, "berth-a-1"), { recursive: true });
  for (const [folder, text] of [
    [mount, controllers],
    [join(mount, "berth-a-1"), below],
  ] as const) {
    writeFileSync(join(folder, "cgroup.controllers"), `${text}\n`);
    writeFileSync(join(folder, "cgroup.subtree_control"), "\n");
  }
}

const aTree = (): CgroupTree => new CgroupTree({ node: "a-1", mount });

function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

describe("the group of a process", () => {
  test("has the limits that the replica asks for, and no other file", () => {
    lay("cpuset cpu io memory pids");
    const tree = aTree();
    const path = tree.create("one", amounts({ cpuMillis: 1_500, memoryMiB: 256 }))!;
    expect(path).toBe(join(mount, "berth-a-1", "one"));
    expect(filesOf(path)).toEqual({
      "memory.max": "268435456",
      "memory.oom.group": "1",
      "cpu.max": "150000 100000",
    });
    for (const folder of [mount, join(mount, "berth-a-1")]) {
      expect(readFileSync(join(folder, "cgroup.subtree_control"), "utf8")).toBe("+memory +cpu");
    }
    expect(tree.notes).toEqual([]);
  });

  test("asks the kernel only for controllers that are not on already", () => {
    lay("cpu memory");
    writeFileSync(join(mount, "cgroup.subtree_control"), "cpu memory\n");
    writeFileSync(join(mount, "berth-a-1", "cgroup.subtree_control"), "memory\n");
    aTree();
    expect(readFileSync(join(mount, "cgroup.subtree_control"), "utf8")).toBe("cpu memory\n");
    const below = join(mount, "berth-a-1", "cgroup.subtree_control");
    expect(readFileSync(below, "utf8")).toBe("+cpu");
  });

  test("limits nothing that was not asked for, and no CPU below what the kernel takes", () => {
    lay("cpu memory");
    const tree = aTree();
    expect(filesOf(tree.create("none", amounts({ cpuMillis: 0, memoryMiB: 0 }))!)).toEqual({});
    expect(filesOf(tree.create("tiny", amounts({ cpuMillis: 1, memoryMiB: 0 }))!)).toEqual({
      "cpu.max": "1000 100000",
    });
  });

  test("has the limits that there are controllers for, and the rest is said", () => {
    lay("cpu memory", "memory");
    const tree = aTree();
    const path = tree.create("one", amounts({ cpuMillis: 100, memoryMiB: 1 }))!;
    expect(Object.keys(filesOf(path)).toSorted()).toEqual(["memory.max", "memory.oom.group"]);
    expect(tree.notes).toEqual([
      "the cgroup controller cpu is not ours to use: cpu is not limited",
    ]);
  });
});

describe("a machine without groups of ours", () => {
  test("with cgroup v1 runs processes all the same, and says so once", async () => {
    const bench = new DriverBench({ cgroupMount: mount }).begun();
    expect(bench.notes).toEqual([
      `the cgroup v2 hierarchy at ${mount} cannot be written: memory and CPU are not limited, and what leaves its process group outlives it`,
    ]);
    await bench.run(anOrder());
    await bench.run(anOrder({ slot: 1 }));
    expect(bench.notes).toHaveLength(1);
    expect(bench.driver.notes).toEqual(bench.notes);
    await bench.end();
  });

  test("with a hierarchy that is somebody else's has none either", () => {
    lay("cpu memory");
    rmSync(join(mount, "berth-a-1"), { recursive: true });
    writeFileSync(join(mount, "berth-a-1"), "");
    const tree = aTree();
    expect(tree.create("one", amounts({ cpuMillis: 100 }))).toBeUndefined();
    expect(tree.notes).toHaveLength(1);
  });
});

describe("a process", () => {
  const { replica } = anOrder();
  const output = (bench: DriverBench): string =>
    readFileSync(findProcessLogs(bench.folder, replica)[0]!.stdout, "utf8");

  test("is in its group before its command runs", async () => {
    lay("cpu memory");
    const bench = new DriverBench({ cgroupMount: mount }).begun();
    bench.driver.start(anOrder({ command: sh(`cat ${mount}/berth-a-1/payments*/cgroup.procs`) }));
    expect(await bench.heard("exited")).toMatchObject({ code: 0 });
    // The kernel reads 0 as "whoever writes this".
    expect(output(bench)).toBe("0\n");
    await bench.end();
  });

  test("does not run when it cannot be put into its group", () => {
    const { launch } = installShimScripts(mount);
    const words = [launch, mount, join(mount, "no-such-group"), "touch", join(mount, "ran")];
    const { status } = spawnSync("/bin/sh", words);
    expect(status).toBe(126);
    expect(existsSync(join(mount, "ran"))).toBe(false);
    expect(existsSync(join(mount, "running"))).toBe(false);
  });
});

/** Of the real hierarchy, which all mounts of the machine share: nobody else's is of this name. */
const base = (): string => join(mount, `berth-test-${process.pid}`);
const groups = (): readonly string[] =>
  readdirSync(base(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(base(), name));
const members = (group: string): readonly number[] =>
  readFileSync(join(group, "cgroup.procs"), "utf8").trim().split("\n").map(Number);

/** Root that may mount, on a kernel with cgroup v2: then it must work, and nothing below is left out. */
function canMount(): boolean {
  const SYS_ADMIN = 21n;
  const status = readFileSync("/proc/self/status", "utf8");
  const capabilities = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  const mayMount = ((capabilities >> SYS_ADMIN) & 1n) === 1n;
  return mayMount && readFileSync("/proc/filesystems", "utf8").includes("\tcgroup2\n");
}

describe.runIf(canMount() || process.env["CI"] !== undefined)("a real hierarchy", () => {
  let bench: DriverBench;
  beforeEach(() => {
    execFileSync("mount", ["-t", "cgroup2", "none", mount]);
    bench = new DriverBench({ cgroupMount: mount, node: `test-${process.pid}` }).begun();
  });
  afterEach(async () => {
    await bench.end();
    removeCgroup(base());
    execFileSync("umount", [mount]);
  });

  const escaping = anOrder({ command: sh("setsid sleep 600 & echo $!; sleep 600") });
  const saidPid = (): Promise<number> =>
    eventually("the escaped process", () =>
      pidSaidIn(findProcessLogs(bench.folder, escaping.replica)[0]?.stdout),
    );

  test("holds everything of the process, and ends with all of it", async () => {
    await bench.run(escaping);
    const pid = await saidPid();
    const [group] = groups();
    await eventually("the escaped process to be a member", () => members(group!).includes(pid));
    bench.driver.stop(escaping);
    await bench.heard("exited");
    await eventually("the group to be gone", () => {
      bench.driver.forget(escaping);
      return !existsSync(group!) || removeCgroup(group!);
    });
    expect(isAlive(pid)).toBe(false);
  });

  test("keeps a group that is busy, and the next agent removes it once it is not", async () => {
    await bench.run(anOrder());
    const [group] = groups();
    expect(removeCgroup(group!)).toBe(false);
    const left = join(base(), "left-behind");
    mkdirSync(left);
    bench.again();
    expect(groups()).toEqual([group]);
  });
});
