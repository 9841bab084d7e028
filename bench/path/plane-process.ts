/** `berth plane` in a process of its own, as a user runs it, on a port that is free. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { endWithUs } from "../part/end-with-us.ts";
import { type ProcessUsage, usageOf } from "../measure/process-usage.ts";
import type { PathTask } from "./path-task.ts";
import { LEADER_MESSAGE } from "../../src/serve/leader-message.ts";

/** A plane with an empty log starts in a second; this only bounds a hang. */
const START_MS = 60_000;
/** A plane that takes longer to stop is killed. Its log is thrown away anyway. */
const STOP_MS = 20_000;
/** The message of a plane that has become the leader. */
const LEADS = `"msg":"${LEADER_MESSAGE}"`;

export interface PlaneOf extends Pick<PathTask, "folder" | "schedulers" | "records" | "profile"> {
  /** As `berth plane --store` takes it. */
  readonly store: string;
  /** Left out: it serves its own machine without tokens. */
  readonly tokenFile?: string;
  /** Left out: it does not share its log. */
  readonly among?: AmongPlanes;
}

/** One of several planes that share a log. */
export interface AmongPlanes {
  readonly name: string;
  /** Fixed, because the others must find the plane there after a restart. */
  readonly port: number;
  readonly leaseSeconds: number;
  readonly onLead: () => void;
}

export class PlaneProcess {
  readonly url: string;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.child = child;
    this.url = url;
  }

  static async start(task: PlaneOf): Promise<PlaneProcess> {
    const { profile, among } = task;
    const profiling = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
    const args = [
      ...process.execArgv,
      ...profiling,
      process.argv[1] ?? "",
      ...planeArguments(task),
    ];
    // Several planes report each other's ends, which is expected; only the leader's message
    // matters.
    const errors = among === undefined ? 2 : "pipe";
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", errors] });
    endWithUs(child);
    if (among !== undefined && child.stderr !== null) listenForLead(child.stderr, among.onLead);
    return new PlaneProcess(child, await urlOf(child));
  }

  /** Undefined where the system does not tell. */
  usage(): ProcessUsage | undefined {
    return usageOf(this.child.pid ?? 0);
  }

  /** Without an orderly stop. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
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

function planeArguments(of: PlaneOf): readonly string[] {
  const { folder, store, schedulers, records, among } = of;
  const recording = records ? [] : ["--no-record"];
  const scale = ["--store", store, "--schedulers", String(schedulers)];
  const where = ["--data", folder, "--listen", `127.0.0.1:${among?.port ?? 0}`];
  const said = ["--log-level", logLevel(of)];
  const lead =
    among === undefined ? [] : ["--name", among.name, "--lease", String(among.leaseSeconds)];
  // Where tokens are not measured, the plane runs only for a short time.
  const open = of.tokenFile === undefined ? ["--insecure-local"] : ["--token-file", of.tokenFile];
  return ["plane", ...where, ...said, ...scale, ...lead, ...recording, ...open];
}

/** One of several planes must report that it leads; a single plane reports only errors. */
const logLevel = ({ among }: PlaneOf): string => (among === undefined ? "error" : "info");

function listenForLead(said: Readable, onLead: () => void): void {
  createInterface({ input: said }).on("line", (line) => {
    if (line.includes(LEADS)) onLead();
  });
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
