import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ObjectKey } from "../../core/model/ids.ts";
import { CpuSamples, type RunningProcess } from "./cpu-samples.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "berth-cpu-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const replica = "Replica/payments/api.1.0" as ObjectKey;

function inCgroup(usedUs: number, of: Partial<RunningProcess> = {}): RunningProcess {
  const cgroup = join(folder, "api");
  mkdirSync(cgroup, { recursive: true });
  writeFileSync(join(cgroup, "cpu.stat"), `usage_usec ${usedUs}\nuser_usec 1\nsystem_usec 1\n`);
  return { replica, incarnation: 1, pid: 1, cgroups: [cgroup], cpuMillis: 500, ...of };
}

describe("samples of CPU", () => {
  test("are a part of what a replica asks for, between two looks", () => {
    const samples = new CpuSamples();
    expect(samples.take([inCgroup(1_000_000)], 0)).toEqual([]);
    // 2.5 s of CPU in 10 s are 250 of the 500 thousandths that it asks for.
    expect(samples.take([inCgroup(3_500_000)], 10_000)).toEqual([{ replica, percent: 50 }]);
  });

  test("begin anew with every incarnation, and say nothing of who asks for none", () => {
    const samples = new CpuSamples();
    samples.take([inCgroup(9_000_000)], 0);
    expect(samples.take([inCgroup(1_000, { incarnation: 2 })], 10_000)).toEqual([]);
    samples.take([inCgroup(0, { cpuMillis: 0 })], 20_000);
    expect(samples.take([inCgroup(9_000, { cpuMillis: 0 })], 30_000)).toEqual([]);
  });

  test("leave out whose cgroup is gone", () => {
    const gone = { ...inCgroup(0), cgroups: [join(folder, "gone")] };
    expect(new CpuSamples().take([gone], 0)).toEqual([]);
  });

  test("are added up over the process group where there is no cgroup", () => {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
    const own = { replica, incarnation: 1, pid, cgroups: [], cpuMillis: 1_000 };
    const samples = new CpuSamples();
    samples.take([own], 0);
    const before = process.cpuUsage().user;
    // Until the kernel has counted some of its hundredths of a second.
    while (process.cpuUsage().user - before < 100_000) Math.sqrt(before);
    const [sample] = samples.take([own], 10_000);
    expect(sample?.percent).toBeGreaterThan(0);
  });
});
