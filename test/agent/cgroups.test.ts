/** Limits and groups, on folders laid out as cgroups are, and on a real hierarchy where one can be mounted. */
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
import { branchName, CgroupTree } from "../../src/agent/cgroups/cgroup-tree.ts";
import { groupsOfProbe, membersOf, removeGroups } from "../../src/agent/cgroups/replica-groups.ts";
import { findProcessLogs } from "../../src/agent/logs/process-logs.ts";
import { installShimScripts } from "../../src/agent/process/shim-scripts.ts";
import { amounts } from "../builders/amounts.ts";
import { anOrder, DriverHarness, eventually, isAlive, pidSaidIn, sh } from "./a-driver.ts";
import { removeFolder } from "../builders/remove-folder.ts";

let mount: string;
beforeEach(() => {
  mount = mkdtempSync(join(tmpdir(), "berth-cgroup-"));
});
afterEach(() => removeFolder(mount));

const FOLDER = "/var/lib/berth/a-1";
const BRANCH = branchName("a-1", FOLDER);

/** The files a kernel would make by itself. */
function lay(controllers: string, below = controllers, branch = BRANCH): void {
  mkdirSync(join(mount, branch), { recursive: true });
  for (const [folder, text] of [
    [mount, controllers],
    [join(mount, branch), below],
  ] as const) {
    writeFileSync(join(folder, "cgroup.controllers"), `${text}\n`);
    writeFileSync(join(folder, "cgroup.subtree_control"), "\n");
  }
}

const v2 = () => ({ v2: [mount], v1: [] });
const aTree = (): CgroupTree =>
  new CgroupTree({ node: "a-1", folder: FOLDER, processes: 1_024, mounts: v2() });

function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

describe("the group of a process", () => {
  test("has the limits that the replica asks for, and no other file [DR1]", () => {
    lay("cpuset cpu io memory pids");
    const tree = aTree();
    const [path] = tree.create("one", amounts({ cpuMillis: 1_500, memoryMiB: 256 }));
    expect(path).toBe(join(mount, BRANCH, "one"));
    expect(filesOf(path!)).toEqual({
      "memory.max": "268435456",
      "memory.swap.max": "0",
      "memory.oom.group": "1",
      "cpu.max": "150000 100000",
      "pids.max": "1024",
    });
    for (const folder of [mount, join(mount, BRANCH)]) {
      const asked = readFileSync(join(folder, "cgroup.subtree_control"), "utf8");
      expect(asked).toBe("\n+memory+cpu+pids");
    }
    expect(tree.notes).toEqual([]);
  });

  test("asks the kernel only for controllers that are not on already", () => {
    lay("cpu memory pids");
    writeFileSync(join(mount, "cgroup.subtree_control"), "cpu memory pids\n");
    writeFileSync(join(mount, BRANCH, "cgroup.subtree_control"), "memory pids\n");
    aTree();
    expect(readFileSync(join(mount, "cgroup.subtree_control"), "utf8")).toBe("cpu memory pids\n");
    const below = join(mount, BRANCH, "cgroup.subtree_control");
    expect(readFileSync(below, "utf8")).toBe("memory pids\n+cpu");
  });

  test("has the least there is of what was not asked for, never everything [DR1]", () => {
    lay("cpu memory");
    const tree = aTree();
    const made = (name: string, cpuMillis: number) =>
      filesOf(tree.create(name, amounts({ cpuMillis, memoryMiB: 0 }))[0]!);
    const least = { "cpu.max": "1000 100000", "memory.max": "1048576" };
    expect(made("none", 0)).toMatchObject(least);
    expect(made("tiny", 1)).toMatchObject(least);
  });

  test("has the limits that there are controllers for, and the rest is said", () => {
    lay("cpu memory pids", "memory pids");
    const tree = aTree();
    const [path] = tree.create("one", amounts({ cpuMillis: 100, memoryMiB: 1 }));
    expect(Object.keys(filesOf(path!)).toSorted()).toEqual([
      "memory.max",
      "memory.oom.group",
      "memory.swap.max",
      "pids.max",
    ]);
    expect(tree.notes).toEqual([
      "the cgroup controller cpu cannot be used here: CPU is not limited",
    ]);
  });
});

/** As of a machine with one hierarchy for each, and cpu and cpuacct in one. */
function layV1(...mounted: readonly (readonly string[])[]) {
  return mounted.map((controllers) => {
    const parent = join(mount, controllers.join(","));
    mkdirSync(parent, { recursive: true });
    writeFileSync(join(parent, "cgroup.procs"), "");
    return { controllers, parents: [parent] };
  });
}

const groupV1 = (name: string): string => join(mount, name, BRANCH, "one");

describe("the groups of a process with cgroup v1", () => {
  test("have the same limits, one hierarchy each, and the freezer comes first [DR1]", () => {
    const v1 = layV1(["memory"], ["cpu", "cpuacct"], ["pids"], ["freezer"], ["blkio"]);
    const tree = new CgroupTree({
      node: "a-1",
      folder: FOLDER,
      processes: 1_024,
      mounts: { v2: [], v1 },
    });
    const groups = tree.create("one", amounts({ cpuMillis: 1_500, memoryMiB: 256 }));
    expect(groups).toEqual(["freezer", "memory", "cpu,cpuacct", "pids"].map(groupV1));
    expect(groups.map(filesOf)).toEqual([
      {},
      { "memory.use_hierarchy": "1", "memory.limit_in_bytes": "268435456" },
      { "cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "150000" },
      { "pids.max": "1024" },
    ]);
    expect(tree.notes).toEqual([]);
  });

  test("have the least there is of what was not asked for, never everything [DR1]", () => {
    const mounts = { v2: [], v1: layV1(["memory"], ["cpu", "cpuacct"]) };
    const tree = new CgroupTree({ node: "a-1", folder: FOLDER, processes: 1_024, mounts });
    const groups = tree.create("one", amounts({ cpuMillis: 0, memoryMiB: 0 }));
    expect(Object.assign({}, ...groups.map(filesOf))).toMatchObject({
      "memory.limit_in_bytes": "1048576",
      "cpu.cfs_quota_us": "1000",
    });
  });

  test("limit what the machine has hierarchies for, and the rest is said [DR2]", () => {
    const mounts = { v2: [], v1: layV1(["memory"]) };
    expect(new CgroupTree({ node: "a-1", folder: FOLDER, processes: 1_024, mounts }).notes).toEqual(
      [
        "the cgroup controller cpu cannot be used here: CPU is not limited",
        "the cgroup controller pids cannot be used here: the number of processes is not limited",
      ],
    );
  });

  test("of two agents with the same name are in branches of their own", () => {
    expect(branchName("a-1", "/one")).not.toBe(branchName("a-1", "/two"));
  });
});

describe("the groups of a probe", () => {
  test("are below the first of its replica and else the same, also the second time [DR6]", () => {
    const groups = [mount, "/other"];
    for (let time = 0; time < 2; time += 1) {
      expect(groupsOfProbe(groups)).toEqual([join(mount, "probe"), "/other"]);
    }
    expect(groupsOfProbe([])).toEqual([]);
  });

  test("are not left out when they cannot be made, and not made where their replica has gone [DR6]", () => {
    expect(() => groupsOfProbe([join(mount, "gone")])).toThrow("ENOENT");
    expect(existsSync(join(mount, "gone"))).toBe(false);
  });
});

describe("a machine without groups of ours", () => {
  test("runs processes all the same, and says so once [DR2]", async () => {
    const harness = new DriverHarness({ cgroupMounts: v2() }).begun();
    expect(harness.notes).toEqual([
      "no cgroup hierarchy can be written here: memory, CPU, the number of processes are not limited, and a process that leaves its process group outlives its replica",
    ]);
    await harness.run(anOrder());
    await harness.run(anOrder({ index: 1 }));
    expect(harness.notes).toHaveLength(1);
    expect(harness.driver.machine.notes).toEqual(harness.notes);
    await harness.end();
  });

  test("with a hierarchy of another owner has none either", () => {
    lay("cpu memory");
    rmSync(join(mount, BRANCH), { recursive: true });
    writeFileSync(join(mount, BRANCH), "");
    const tree = aTree();
    expect(tree.create("one", amounts({ cpuMillis: 100 }))).toEqual([]);
    expect(tree.notes).toHaveLength(1);
  });
});

describe("a process", () => {
  const { replica } = anOrder();
  const output = (harness: DriverHarness): string =>
    readFileSync(findProcessLogs(harness.folder, replica)[0]!.stdout, "utf8");

  test("is in its group before its command runs", async () => {
    lay("cpu memory");
    const harness = new DriverHarness({ cgroupMounts: v2() }).begun();
    harness.driver.start(
      anOrder({ command: sh(`cat ${mount}/berth-a-1*/payments*/cgroup.procs`) }),
    );
    expect(await harness.heard("exited")).toMatchObject({ code: 0 });
    // The kernel reads 0 as "whoever writes this".
    expect(output(harness)).toBe("0\n");
    await harness.end();
  });

  test("does not run when it cannot be put into its group", () => {
    const { launch } = installShimScripts(mount);
    const words = [launch, mount, join(mount, "no-such-group"), "--", "touch", join(mount, "ran")];
    const { status } = spawnSync("/bin/sh", words);
    expect(status).toBe(126);
    expect(existsSync(join(mount, "ran"))).toBe(false);
    expect(existsSync(join(mount, "running"))).toBe(false);
  });
});

/** Of the real hierarchy, which all mounts of the machine share: nobody else's is of this name. */
const NODE = `test-${process.pid}`;
const base = (): string => {
  const name = readdirSync(mount).find((each) => each.startsWith(`berth-${NODE}-`));
  return join(mount, name ?? "none");
};
const groups = (): readonly string[] =>
  readdirSync(base(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(base(), name));

/** Root that may mount, on a kernel with cgroup v2: then it must work, and nothing below is left out. */
function canMount(): boolean {
  const SYS_ADMIN = 21n;
  const status = readFileSync("/proc/self/status", "utf8");
  const capabilities = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  const mayMount = ((capabilities >> SYS_ADMIN) & 1n) === 1n;
  return mayMount && readFileSync("/proc/filesystems", "utf8").includes("\tcgroup2\n");
}

describe.runIf(canMount() || process.env["CI"] !== undefined)("a real hierarchy", () => {
  let harness: DriverHarness;
  beforeEach(() => {
    execFileSync("mount", ["-t", "cgroup2", "none", mount]);
    harness = new DriverHarness({ cgroupMounts: v2(), node: NODE }).begun();
  });
  afterEach(async () => {
    await harness.end();
    execFileSync("umount", [mount]);
  });

  const escaping = anOrder({ command: sh("setsid sleep 600 & echo $!; sleep 600") });
  const saidPid = (): Promise<number> =>
    eventually("the escaped process", () =>
      pidSaidIn(findProcessLogs(harness.folder, escaping.replica)[0]?.stdout),
    );

  test("holds everything of the process, and ends with all of it", async () => {
    await harness.run(escaping);
    const pid = await saidPid();
    const [group] = groups();
    await eventually("the escaped process to be a member", () => membersOf(group!).includes(pid));
    harness.driver.stop(escaping);
    await harness.heard("exited");
    await eventually("the group to be gone", () => {
      harness.driver.forget(escaping);
      return !existsSync(group!) || removeGroups([group!]);
    });
    expect(isAlive(pid)).toBe(false);
  });

  test("keeps a group that is busy, and the next agent removes it once it is not", async () => {
    await harness.run(anOrder());
    const [group] = groups();
    expect(removeGroups([group!])).toBe(false);
    const left = join(base(), "left-behind");
    mkdirSync(left);
    harness.again();
    expect(groups()).toEqual([group]);
  });
});
