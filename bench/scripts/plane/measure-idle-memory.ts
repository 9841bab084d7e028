/**
 * Resident memory of an idle plane: of the built command line where there is one, otherwise of
 * a plane served by the bench itself.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atMost, type Figure, figure } from "./figure.ts";
import { ServedPlane } from "./served-plane.ts";

const AIM_MIB = 120;
/** Long enough for everything that happens at a start to be over. */
const SETTLE_MS = 4_000;
const START_MS = 15_000;
const STOP_MS = 10_000;

export async function measureIdleMemory(folder: string): Promise<Figure> {
  const measured = (await ofCommand(folder)) ?? (await ofOwnPlane(folder));
  return figure({
    name: "idle memory (RSS)",
    value: measured.rssMiB,
    unit: "MiB",
    aim: atMost(AIM_MIB),
    besides: { of: measured.of, "CPU ms since start": Math.round(measured.cpuMs) },
  });
}

interface Measured {
  readonly of: string;
  readonly rssMiB: number;
  readonly cpuMs: number;
}

/** Undefined when there is no built command or it does not come up. */
async function ofCommand(folder: string): Promise<Measured | undefined> {
  const command = join("bin", "berth");
  if (!existsSync(command) || !existsSync(join("dist", "berth.js"))) return undefined;
  const args = [command, "plane", "--data", join(folder, "idle"), "--listen", "127.0.0.1:0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    if (!(await isUp(child))) return undefined;
    await sleep(SETTLE_MS);
    const { pid } = child;
    return pid === undefined || child.exitCode !== null
      ? undefined
      : { of: "node bin/berth plane", ...usageOf(pid) };
  } finally {
    child.kill("SIGTERM");
    const cutOff = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(cutOff);
  }
}

function isUp(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const tooLong = setTimeout(() => resolve(false), START_MS);
    const settle = (isThere: boolean): void => {
      clearTimeout(tooLong);
      resolve(isThere);
    };
    let said = "";
    child.stdout?.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("Plane at ")) settle(true);
    });
    child.once("exit", () => settle(false));
  });
}

/** Linux tells it in files; elsewhere `ps` does. */
function usageOf(pid: number): Omit<Measured, "of"> {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kiB = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
    // After the name, which may hold anything: fields 14 and 15 are ticks of a hundredth of a
    // second.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return { rssMiB: kiB / 1024, cpuMs: (Number(fields[11]) + Number(fields[12])) * 10 };
  } catch {
    const kiB = Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
    return { rssMiB: kiB / 1024, cpuMs: Number.NaN };
  }
}

async function ofOwnPlane(folder: string): Promise<Measured> {
  const plane = await ServedPlane.start({ file: join(folder, "idle.db") });
  try {
    await sleep(SETTLE_MS);
    const { rssMiB, cpuMicros } = await plane.usage();
    return { of: "a plane of the bench", rssMiB, cpuMs: cpuMicros / 1000 };
  } finally {
    await plane.stop();
  }
}
