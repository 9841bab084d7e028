/** `berth plane` in a process of its own, as a user runs it, on a port that is free. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { endWithUs } from "../part/end-with-us.ts";
import { type ProcessUsage, usageOf } from "../measure/process-usage.ts";
import type { PathTask } from "./path-task.ts";
import { LEADER_MESSAGE } from "../../src/serve/leader-message.ts";

/** A plane with an empty log is there in a second; this only bounds a hang. */
const START_MS = 60_000;
/** After this long a plane that was asked to stop is ended. Its log is thrown away anyway. */
const STOP_MS = 20_000;
/** What a plane says when it has come to lead. */
const LEADS = `"msg":"${LEADER_MESSAGE}"`;

export interface PlaneOf extends Pick<PathTask, "folder" | "schedulers" | "records" | "profile"> {
  /** As `berth plane --store` takes it. */
  readonly store: string;
  /** Left out: it has its log alone. */
  readonly among?: AmongPlanes;
}

/** One of several planes that share a log. */
export interface AmongPlanes {
  readonly name: string;
  /** Others must find it there again after it was started anew. */
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
    // What several planes say of each other's ends is expected; only who leads matters.
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

  /** Without a last word. */
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
  // What is measured are the plane and its clients; nobody else is to be kept out for so long.
  const open = ["--insecure-local"];
  return ["plane", ...where, ...said, ...scale, ...lead, ...recording, ...open];
}

/**
 * Among several, a plane says that it leads; otherwise it warns of nothing that is news to a
 * benchmark.
 */
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
