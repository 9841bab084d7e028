/** `berth plane` in a process of its own, as a user runs it, on a port that is free. */
import { type ChildProcess, spawn } from "node:child_process";
import { endWithUs } from "../part/end-with-us.ts";
import { type ProcessUsage, usageOf } from "../process-usage.ts";
import type { PathTask } from "./path-task.ts";

/** A plane with an empty log is there in a second; this only bounds a hang. */
const START_MS = 60_000;
/** After this long a plane that was asked to stop is ended. Its log is thrown away anyway. */
const STOP_MS = 20_000;

export class PlaneProcess {
  readonly url: string;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.child = child;
    this.url = url;
  }

  static async start(task: PathTask): Promise<PlaneProcess> {
    const { profile } = task;
    const profiling = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
    const args = [
      ...process.execArgv,
      ...profiling,
      process.argv[1] ?? "",
      ...planeArguments(task),
    ];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", 2] });
    endWithUs(child);
    return new PlaneProcess(child, await urlOf(child));
  }

  /** Undefined where the system does not tell. */
  usage(): ProcessUsage | undefined {
    return usageOf(this.child.pid ?? 0);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const impatience = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await gone;
    clearTimeout(impatience);
  }
}

function planeArguments({ folder, store, schedulers, records }: PathTask): readonly string[] {
  const recording = records ? [] : ["--no-record"];
  const scale = ["--store", store, "--schedulers", String(schedulers)];
  const where = ["--data", folder, "--listen", "127.0.0.1:0", "--log-level", "warn"];
  return ["plane", ...where, ...scale, ...recording];
}

function urlOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const tooLong = setTimeout(() => reject(new Error("The plane did not start.")), START_MS);
    child.stdout?.on("data", (text: Buffer) => {
      said += text.toString();
      const url = /^Plane at (http:\S+),/m.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(tooLong);
      resolve(url);
    });
    child.once("exit", (code) => {
      clearTimeout(tooLong);
      reject(new Error(`The plane ended with exit code ${code} before it was asked to.`));
    });
  });
}
