/**
 * One process between being ordered and being forgotten: looks at what its shim has written, and carries
 * a wish to stop through, from asking to killing.
 */
import type { ProcessEvent } from "../core/kernel/component.ts";
import { killCgroup, removeCgroup } from "./cgroup-tree.ts";
import type { ProcessFolder, ProcessRecord, ProcessState } from "./process-folder.ts";
import { NOT_STARTED } from "./shim-scripts.ts";
import { isRunning, type ProcessIdentity } from "./process-identity.ts";

export class GuardedProcess {
  readonly folder: ProcessFolder;
  record: ProcessRecord;
  state: ProcessState = { kind: "ordered" };
  isProbing = false;
  /** Why it could not be brought to run. */
  whyNot: string | undefined;
  /** The agent was told of its end. */
  isEndTold = false;
  private isAliveTold: boolean;
  private stopping: "no" | "wanted" | "asked" = "no";
  /** Since boot; set once the process was asked to stop. */
  private killAtMs = Number.POSITIVE_INFINITY;

  /** `wasTold`: an earlier agent has already said that it is alive. */
  constructor(of: { folder: ProcessFolder; record: ProcessRecord; wasTold: boolean }) {
    this.folder = of.folder;
    this.record = of.record;
    this.isAliveTold = of.wasTold;
  }

  /** The first process, while it runs. */
  get leader(): ProcessIdentity | undefined {
    return this.state.kind === "running" ? this.state.leader : undefined;
  }
  get isEnded(): boolean {
    return this.state.kind === "ended";
  }
  /** Something is expected of it soon. */
  get isRestless(): boolean {
    const { kind } = this.state;
    return kind === "ordered" || kind === "launching" || (kind === "running" && this.isStopping);
  }
  get isStopping(): boolean {
    return this.stopping !== "no";
  }

  /** Looks again; what is returned is news for the agent. */
  look(sinceBootMs: number): ProcessEvent | undefined {
    if (this.isEnded) return undefined;
    this.state = this.folder.state();
    if (this.state.kind === "ended") this.removeCgroup();
    if (this.state.kind !== "running") return undefined;
    if (this.stopping === "wanted") this.askToStop(sinceBootMs);
    if (sinceBootMs >= this.killAtMs) this.kill();
    return this.isAliveTold ? undefined : this.alive();
  }

  /** Once it is empty; what is still dying in it keeps it until somebody tries again. */
  removeCgroup(): void {
    if (this.record.cgroup !== undefined) removeCgroup(this.record.cgroup);
  }

  stop(sinceBootMs: number): void {
    if (this.isStopping) return;
    this.stopping = "wanted";
    if (this.isEnded) return;
    // Either it never begins, or it runs and can be asked.
    if (this.state.kind === "ordered") this.folder.revoke();
    this.look(sinceBootMs);
  }

  /** Its shim is not there, and will not be. */
  neverBegan(reason?: string): void {
    this.whyNot = reason;
    if (this.state.kind === "ordered") {
      this.state = { kind: "ended", code: NOT_STARTED, byLeash: false, onRequest: false };
    }
  }

  private askToStop(sinceBootMs: number): void {
    this.stopping = "asked";
    this.killAtMs = sinceBootMs + this.record.stopGraceMs;
    try {
      this.folder.noteStop();
    } finally {
      this.signal("SIGTERM");
    }
  }

  /** At once, and everything of it. */
  kill(): void {
    this.signal("SIGKILL");
    if (this.record.cgroup !== undefined) killCgroup(this.record.cgroup);
  }

  /** Says so first: whoever asks how it ended must not take it for a crash. */
  killByLeash(): void {
    if (this.state.kind !== "running") return;
    try {
      this.folder.noteLeashEnd();
    } finally {
      this.kill();
    }
  }

  private signal(signal: "SIGTERM" | "SIGKILL"): void {
    // Only while the leader is the one we know: after it, its number may be somebody else's.
    if (this.state.kind !== "running" || !isRunning(this.state.leader)) return;
    try {
      process.kill(-this.state.leader.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }

  private alive(): ProcessEvent {
    this.isAliveTold = true;
    const { replica, life, address } = this.record;
    return { kind: "alive", replica, life, ...(address === undefined ? {} : { address }) };
  }
}
