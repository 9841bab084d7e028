/** One etcd process on this machine, which can be killed, paused and started again on the same files. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { MEMBER_SHIM } from "./member-shim.ts";

export interface LocalMemberOptions {
  /** The etcd program and its arguments. */
  readonly command: readonly string[];
  /** `host:port` for clients. */
  readonly endpoint: string;
  readonly logFile: string;
  /** Told when it has ended, whoever ended it. */
  readonly onEnded?: (() => void) | undefined;
}

/** Etcd closes its files within a second; after this it is killed, which it survives as well. */
const STOP_GRACE_MS = 5_000;
/** The end of a log that says why a member did not come up. */
const LAST_LINES = 3;

export class LocalMember {
  readonly endpoint: string;
  readonly logFile: string;
  private readonly command: readonly string[];
  private readonly onEnded: (() => void) | undefined;
  private shim: ChildProcess | undefined;
  private etcdPid: number | undefined;

  constructor({ command, endpoint, logFile, onEnded }: LocalMemberOptions) {
    this.command = command;
    this.onEnded = onEnded;
    this.endpoint = endpoint;
    this.logFile = logFile;
  }

  get isRunning(): boolean {
    return this.shim !== undefined;
  }

  /** Of etcd itself, not of what watches over it; undefined while it does not run. */
  get pid(): number | undefined {
    return this.etcdPid;
  }

  /** Resolves when the process runs; it may take a moment until it answers. */
  async start(): Promise<void> {
    if (this.shim !== undefined) return;
    const log = openSync(this.logFile, "a");
    // In a session of its own: Ctrl-C reaches the terminal's whole group, and the order of stopping is ours.
    const shim = spawn("/bin/sh", ["-c", MEMBER_SHIM, "berth-etcd", ...this.command], {
      stdio: ["ignore", "pipe", log, "pipe"],
      detached: true,
    });
    closeSync(log);
    this.shim = shim;
    shim.once("exit", () => this.ended(shim));
    const said = await firstLine(shim);
    // It may have ended already; then there is nobody whose id this could be.
    if (this.shim === shim && said !== "") this.etcdPid = Number(said);
  }

  /** As a crash: nothing is closed in order. Resolves when it is gone. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** In order; resolves when it is gone. */
  async stop(): Promise<void> {
    const impatience = setTimeout(() => this.signal("SIGKILL"), STOP_GRACE_MS);
    // A paused process hears nothing but SIGKILL and SIGCONT.
    this.signal("SIGCONT");
    await this.end("SIGTERM");
    clearTimeout(impatience);
  }

  /** It keeps its connections and answers nobody, like a machine that swaps or a stopped virtual one. */
  pause(): void {
    this.signal("SIGSTOP");
  }

  resume(): void {
    this.signal("SIGCONT");
  }

  /** On the same files and addresses, whether it runs or not. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** What it wrote last, for the sentence that says why it does not run. */
  lastWords(): string {
    try {
      return readFileSync(this.logFile, "utf8").trimEnd().split("\n").slice(-LAST_LINES).join("\n");
    } catch {
      return "";
    }
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { shim } = this;
    if (shim === undefined) return;
    const gone = once(shim, "exit");
    this.signal(signal);
    await gone;
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.etcdPid !== undefined) process.kill(this.etcdPid, signal);
  }

  private ended(shim: ChildProcess): void {
    // The watcher of a shim that somebody killed still holds the pipe, and ends etcd when it closes.
    shim.stdio[3]?.destroy();
    if (this.shim !== shim) return;
    this.shim = undefined;
    this.etcdPid = undefined;
    this.onEnded?.();
  }
}

/** Empty when it ended without a word. */
async function firstLine({ stdout }: ChildProcess): Promise<string> {
  for await (const line of stdout ?? []) return String(line).trim();
  return "";
}
