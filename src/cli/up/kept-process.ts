/**
 * A child process that is started again when it ends by itself, with a pause that grows if it keeps
 * ending.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, readFileSync } from "node:fs";
import { startTicksOf } from "../../shell/process-identity.ts";
import { deferred } from "../deferred.ts";
import { BoundedLog } from "./bounded-log.ts";
import { RestartPause } from "./restart-pause.ts";

export interface KeptProcessOptions {
  readonly name: string;
  readonly args: readonly string[];
  readonly logFile: string;
  /** Told what a person should see. */
  readonly onNews: (text: string) => void;
  /** After every start, so that a later `berth up` can find what this one left behind. */
  readonly onStart: () => void;
  /** Whether it is worth starting again. */
  readonly isWorthIt: () => boolean;
}

export interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

export class KeptProcess {
  readonly options: KeptProcessOptions;
  private readonly giving = deferred<End>();
  private readonly log: BoundedLog;
  private child: ChildProcess | undefined;
  private readonly pause = new RestartPause();
  private isStopping = false;
  private restart: NodeJS.Timeout | undefined;

  constructor(options: KeptProcessOptions) {
    this.options = options;
    this.log = new BoundedLog(options.logFile);
  }

  /** Resolves if it ends and is not worth starting again. */
  get gaveUp(): Promise<End> {
    return this.giving.promise;
  }
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** For a later start: the id alone may by then be another process. */
  get identity(): { readonly pid: number; readonly startTicks: number } | undefined {
    const { pid } = this;
    const startTicks = pid === undefined ? undefined : startTicksOf(pid);
    return pid === undefined || startTicks === undefined ? undefined : { pid, startTicks };
  }

  start(): void {
    const { args } = this.options;
    const script = process.argv[1] ?? "";
    const log = this.log.open();
    // In a session of its own: Ctrl-C reaches the terminal's whole group, and the order of stopping
    // is ours.
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ["ignore", log, log],
      detached: true,
    });
    closeSync(log);
    this.child = child;
    this.pause.started();
    child.once("error", () => this.ended({ code: null, signal: null }));
    child.once("exit", (code, signal) => this.ended({ code, signal }));
    this.options.onStart();
  }

  /** Resolves when it is gone. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.restart);
    this.log.close();
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const impatience = setTimeout(() => child.kill("SIGKILL"), graceMs);
    await gone;
    clearTimeout(impatience);
  }

  kill(): void {
    this.isStopping = true;
    clearTimeout(this.restart);
    this.log.close();
    this.child?.kill("SIGKILL");
  }

  /** The last lines it wrote, for the sentence that says why it does not run. */
  lastWords(lines: number): string {
    try {
      const text = readFileSync(this.options.logFile, "utf8").trimEnd();
      return text.split("\n").slice(-lines).join("\n");
    } catch {
      return "";
    }
  }

  private ended(end: End): void {
    if (this.isStopping) return;
    const { name, onNews, isWorthIt } = this.options;
    const how = end.signal ?? `exit code ${end.code}`;
    if (!isWorthIt()) {
      this.giving.resolve(end);
      return;
    }
    onNews(`${name} exited (${how}); restarting it`);
    this.restart = setTimeout(() => this.start(), this.pause.nextMs());
  }
}
