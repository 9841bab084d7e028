/**
 * A process that ends with this one, however this one ends. Node cannot ask the kernel to do that,
 * but a pipe can: only we hold its writing end, and the kernel closes it when we are gone, also
 * after SIGKILL.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { OWNER_ONLY_FILE } from "../shell/private-folder.ts";

/**
 * Descriptor 3 is the reading end of the pipe, standard output tells the process id of the command
 * in one line, and the arguments are the command. The watcher is killed before the shim ends, so it
 * never signals an id that is somebody else's by then: until the shim has waited for the command,
 * the id cannot be given away.
 */
const SHIM = `
"$@" < /dev/null >&2 3<&- &
tied=$!
{ read -r _ <&3; kill -KILL "$tied"; } 2> /dev/null > /dev/null &
watcher=$!
exec 3<&-
echo "$tied"
exec > /dev/null
wait "$tied"
code=$?
kill -KILL "$watcher"
wait "$watcher" 2> /dev/null
exit "$code"
`;

export interface TiedProcessOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly logFile: string;
  /** After so long one that was asked to stop is killed; left out: `STOP_GRACE_MS`. */
  readonly stopGraceMs?: number;
  /** Called when it has ended, for any reason. */
  readonly onEnded?: (() => void) | undefined;
}

/** Etcd closes its files within a second; after this it is killed, which it survives as well. */
const STOP_GRACE_MS = 5_000;
/** The end of a log that says why a process did not come up. */
const LAST_LINES = 3;

export class TiedProcess {
  readonly logFile: string;
  private readonly of: TiedProcessOptions;
  private shim: ChildProcess | undefined;
  private tiedPid: number | undefined;

  constructor(of: TiedProcessOptions) {
    this.of = of;
    this.logFile = of.logFile;
  }

  get isRunning(): boolean {
    return this.shim !== undefined;
  }

  /** Of the command itself, not of what watches over it; undefined while it does not run. */
  get pid(): number | undefined {
    return this.tiedPid;
  }

  /** Resolves when the process runs; it may take a moment until it answers. */
  async start(): Promise<void> {
    if (this.shim !== undefined) return;
    const log = openSync(this.logFile, "a", OWNER_ONLY_FILE);
    // In a session of its own: Ctrl-C reaches the terminal's whole group, and the order of stopping
    // is ours.
    const shim = spawn("/bin/sh", ["-c", SHIM, "berth-tied", ...this.of.command], {
      stdio: ["ignore", "pipe", log, "pipe"],
      detached: true,
    });
    closeSync(log);
    this.shim = shim;
    shim.once("exit", () => this.ended(shim));
    // A machine that can fork no more: there was no process to watch.
    shim.once("error", () => this.ended(shim));
    const said = await firstLine(shim);
    // It may have ended already; then no other process has this id.
    if (this.shim === shim && said !== "") this.tiedPid = Number(said);
  }

  /** As a crash: nothing is closed in order. Resolves when it is gone. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** In order; resolves when it is gone. */
  async stop(): Promise<void> {
    const { stopGraceMs = STOP_GRACE_MS } = this.of;
    const impatience = setTimeout(() => this.signal("SIGKILL"), stopGraceMs);
    // A paused process hears nothing but SIGKILL and SIGCONT.
    this.signal("SIGCONT");
    await this.end("SIGTERM");
    clearTimeout(impatience);
  }

  /**
   * It keeps its connections and does not answer, like a machine that swaps or a stopped virtual
   * one.
   */
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
    if (this.tiedPid !== undefined) process.kill(this.tiedPid, signal);
  }

  private ended(shim: ChildProcess): void {
    // The watcher of a shim that somebody killed still holds the pipe, and ends the command when it
    // closes.
    shim.stdio[3]?.destroy();
    if (this.shim !== shim) return;
    this.shim = undefined;
    this.tiedPid = undefined;
    this.of.onEnded?.();
  }
}

/** Empty when it ended without a word. */
async function firstLine({ stdout }: ChildProcess): Promise<string> {
  for await (const line of stdout ?? []) return String(line).trim();
  return "";
}
