/** A `berth up` in processes of its own, as a user runs it, and ways to look at what it runs. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { aBuildFolder } from "../builders/a-build-folder.ts";
import { placeCommand } from "../builders/place-command.ts";
import type { PlaneNote } from "../../src/cli/client/plane-file.ts";
import { adminHeaders } from "./admin-headers.ts";
import { removeFolder } from "../builders/remove-folder.ts";

/** Far longer than anything here takes on a busy machine; it only bounds a hang. */
const PATIENCE_MS = 180_000;

export interface ShownReplica {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly status: {
    readonly stage: string;
    readonly incarnation: number;
    readonly failures: number;
    readonly node?: string;
    readonly address?: { readonly host: string; readonly ports: { readonly http: number } };
  };
}

export interface SeenProcess {
  readonly pid: number;
  readonly replica: string;
}

export class LocalBerth {
  readonly data = mkdtempSync(join(tmpdir(), "berth-up-"));
  private readonly bundle = aBuildFolder("e2e-up");
  private up: ChildProcess | undefined;
  output = "";

  get script(): string {
    return join(this.bundle, "berth.mjs");
  }

  async build(): Promise<void> {
    await placeCommand(this.bundle);
    const start = `import { main } from "./berth.js";\nprocess.exitCode = await main(process.argv.slice(2));\n`;
    writeFileSync(this.script, start);
  }

  start(...more: readonly string[]): void {
    const args = ["up", "--data", this.data, "--listen", "127.0.0.1:0", ...more];
    const up = spawn(process.execPath, [this.script, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [up.stdout, up.stderr]) {
      stream.on("data", (text: Buffer) => (this.output += text.toString()));
    }
    this.up = up;
  }

  /** As a crash; what it ran goes on. Resolves when it is gone. */
  async kill(): Promise<void> {
    const { up } = this;
    if (up === undefined) return;
    const gone = new Promise((resolve) => up.once("exit", resolve));
    up.kill("SIGKILL");
    await gone;
  }

  /** Ctrl-C; resolves with the exit code. */
  async interrupt(): Promise<number | null> {
    const { up } = this;
    if (up === undefined) return null;
    const gone = new Promise<number | null>((resolve) => up.once("exit", resolve));
    up.kill("SIGINT");
    return gone;
  }

  async remove(): Promise<void> {
    this.up?.kill("SIGKILL");
    for (const pid of this.processes()) tryToKill(pid);
    await removeFolder(this.data);
    await removeFolder(this.bundle);
  }

  berth(...args: string[]): { readonly status: number | null; readonly out: string } {
    const run = spawnSync(process.execPath, [this.script, ...args], { encoding: "utf8" });
    return { status: run.status, out: run.stdout + run.stderr };
  }

  /** Like `berth`, while the test goes on. */
  run(...args: string[]): Promise<{ readonly status: number | null; readonly out: string }> {
    const child = spawn(process.execPath, [this.script, ...args]);
    let out = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text: Buffer) => (out += text.toString()));
    }
    return new Promise((resolve) => child.once("close", (status) => resolve({ status, out })));
  }

  get planePid(): number | undefined {
    return this.planeNote()?.pid;
  }

  /** All planes, where several run. */
  get urls(): readonly string[] {
    const { url, urls } = this.planeNote() ?? {};
    return urls ?? (url === undefined ? [] : [url]);
  }

  /** One plane of several. */
  pidOfPlane(name: string): number | undefined {
    return this.planeNote(join("planes", name))?.pid;
  }

  /** The plane with this folder, where several have logs of their own. */
  pidOfPlaneIn(folder: string): number | undefined {
    return this.planeNote(folder)?.pid;
  }

  urlOfPlaneIn(folder: string): string | undefined {
    return this.planeNote(folder)?.url;
  }

  /** Its command line. */
  wordsOf(pid: number): readonly string[] {
    return read(pid, "cmdline").split("\0");
  }

  private planeNote(folder = "."): PlaneNote | undefined {
    try {
      return JSON.parse(readFileSync(join(this.data, folder, "plane.json"), "utf8"));
    } catch {
      return undefined;
    }
  }

  /** Undefined while the plane cannot be asked. */
  async list<T>(kind: string): Promise<readonly T[] | undefined> {
    for (const url of this.urls) {
      try {
        const headers = adminHeaders(this.data);
        const response = await fetch(`${url}/apis/berth.dev/v1/${kind}`, { headers });
        if (response.ok) {
          return ((await response.json()) as { readonly items: readonly T[] }).items;
        }
      } catch {
        // Perhaps another one.
      }
    }
    return undefined;
  }

  async until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
    const endMs = Date.now() + PATIENCE_MS;
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      if (Date.now() > endMs) throw new Error(`Waited in vain for ${what}.\n${this.output}`);
      await sleep(50);
    }
  }

  /** Processes that live in our folder or were told of it: the plane, agents, shims and replicas. */
  processes(): readonly number[] {
    return pids().filter((pid) => {
      if (pid === this.up?.pid || pid === process.pid) return false;
      return read(pid, "cmdline").includes(this.data) || folderOf(pid).startsWith(this.data);
    });
  }

  /** Of those processes; empty for one that has ended meanwhile. */
  commandLines(): readonly string[] {
    return this.processes().map((pid) => read(pid, "cmdline"));
  }

  /** A shim that has told its agent how a replica ended has yet to end itself, which takes it a moment. */
  async nothingLeft(): Promise<void> {
    await this.until("all processes to be gone", () => this.processes().length === 0 || undefined);
  }

  agentFolder(node: string): string {
    return join(this.data, "agents", node);
  }

  /** Of one node: its agent, and whoever looks after what it runs. */
  processesOn(node: string): readonly number[] {
    const folder = this.agentFolder(node);
    return pids().filter((pid) => read(pid, "cmdline").includes(`${folder}/`));
  }

  agentPid(node: string): number | undefined {
    return pids().find((pid) => {
      const words = read(pid, "cmdline").split("\0");
      return words.includes("agent") && words.includes(this.agentFolder(node));
    });
  }

  etcdPid(member: string): number | undefined {
    const folder = join(this.data, "etcd", member);
    return pids().find((pid) => {
      const [program = "", ...words] = read(pid, "cmdline").split("\0");
      return program.endsWith("/etcd") && words.some((word) => word.endsWith(folder));
    });
  }

  /** The processes of replicas of ours; a shim has no such variable, and a process says it by itself. */
  replicaProcesses(): readonly SeenProcess[] {
    return pids().flatMap((pid) => {
      const replica = /(?:^|\0)BERTH_REPLICA=([^\0]*)/.exec(read(pid, "environ"))?.[1];
      return replica !== undefined && folderOf(pid).startsWith(this.data) ? [{ pid, replica }] : [];
    });
  }
}

const pids = (): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

function tryToKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It went by itself meanwhile.
  }
}
