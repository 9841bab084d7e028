/** A plane or an agent as a real process that somebody starts again whenever it ends, as a service manager would. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A service manager does not start a process again at once either. */
const PAUSE_MS = 300;

export class KeptBerth {
  private readonly of: {
    readonly script: string;
    readonly args: readonly string[];
    readonly log: string;
    readonly env?: Readonly<Record<string, string>>;
    /** What the command begins with, such as one that enters a namespace and then becomes it. */
    readonly entering?: readonly string[];
  };
  private child: ChildProcess | undefined;
  private isStopping = false;
  /** How often it was started. */
  starts = 0;

  constructor(of: KeptBerth["of"]) {
    this.of = of;
  }

  start(): void {
    const { script, args, log, env, entering = [] } = this.of;
    const out = openSync(log, "a");
    const [program = "", ...words] = [...entering, process.execPath, script, ...args];
    const child = spawn(program, words, {
      stdio: ["ignore", out, out],
      env: { ...process.env, ...env },
    });
    closeSync(out);
    this.child = child;
    this.starts += 1;
    child.once("exit", () => {
      if (!this.isStopping) setTimeout(() => this.isStopping || this.start(), PAUSE_MS);
    });
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  kill(): void {
    this.child?.kill("SIGKILL");
  }

  /** Killed, and not started again. */
  end(): void {
    this.isStopping = true;
    this.kill();
  }

  /** Frozen for so long, unless it dies of something else meanwhile. */
  async freeze(time: number | Promise<unknown>): Promise<void> {
    const { child } = this;
    child?.kill("SIGSTOP");
    try {
      await (typeof time === "number" ? sleep(time) : time);
    } finally {
      child?.kill("SIGCONT");
    }
  }

  /** Resolves when it is gone for good. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGCONT");
    child.kill("SIGTERM");
    await gone;
  }
}
