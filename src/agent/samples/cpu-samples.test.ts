import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

  test("are added up over the process group where there is no cgroup", async () => {
    // In a group of its own: of a shared one, others end meanwhile and take their sum with them.
    const busy = spawn("sh", ["-c", "while :; do :; done"], { detached: true, stdio: "ignore" });
    const pid = busy.pid ?? 0;
    try {
      const own = { replica, incarnation: 1, pid, cgroups: [], cpuMillis: 1_000 };
      const samples = new CpuSamples();
      let nowMs = 0;
      const look = (): number => samples.take([own], (nowMs += 10_000))[0]?.percent ?? 0;
      await expect.poll(look, { timeout: 60_000 }).toBeGreaterThan(0);
    } finally {
      process.kill(-pid, "SIGKILL");
    }
  });
});
