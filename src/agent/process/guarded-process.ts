/**
 * One process between being ordered and being forgotten: looks at what its shim has written, and
 * carries a request to stop through, from asking to killing.
 */
import type { ProcessEvent } from "../../core/kernel/component.ts";
import { AGENT_LIMITS } from "../agent-limits.ts";
import { memoryLimitMiB } from "../cgroups/hierarchy.ts";
import { failedForks, killGroups, outOfMemory, removeGroups } from "../cgroups/replica-groups.ts";
import {
  cgroupsOf,
  type ProcessFolder,
  type ProcessRecord,
  type ProcessState,
} from "./process-folder.ts";
import { NOT_STARTED } from "./shim-scripts.ts";
import { isRunning, type ProcessIdentity } from "../../shell/process-identity.ts";

export class GuardedProcess {
  readonly folder: ProcessFolder;
  record: ProcessRecord;
  state: ProcessState = { kind: "ordered" };
  /** Set while it is being probed; aborting it ends the probe. */
  probing: AbortController | undefined;
  /** Whether a request to stop would reach the command, and not only what leads to it. */
  hasBegun = (): boolean => true;
  /** Why it could not be brought to run. */
  whyNot: string | undefined;
  /** The agent was told of its end. */
  isEndTold = false;
  private isAliveTold: boolean;
  private isOutOfMemory = false;
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

  /** Looks again; returns news for the agent. */
  look(sinceBootMs: number): ProcessEvent | undefined {
    if (this.isEnded) return undefined;
    this.state = this.folder.state();
    if (this.state.kind === "running" || this.state.kind === "ended") this.lookAtMemory();
    if (this.state.kind === "ended") {
      this.lookAtForks();
      this.leave();
    }
    if (this.state.kind !== "running") return undefined;
    if (this.stopping === "wanted") this.askToStop(sinceBootMs);
    if (sinceBootMs >= this.killAtMs) this.forceStop();
    return this.isAliveTold ? undefined : this.alive();
  }

  /** Once they are empty; what is still ending in them keeps them until the next attempt. */
  removeCgroups(): void {
    removeGroups(cgroupsOf(this.record));
  }

  /** No probe outlives what it asks about. */
  private leave(): void {
    this.probing?.abort();
    this.removeCgroups();
  }

  /**
   * Version 1 of cgroups kills one process and leaves the others; a replica without one of its
   * processes is broken, so it goes as a whole, as with version 2.
   */
  private lookAtMemory(): void {
    if (this.isOutOfMemory) return;
    const { killed, byOwnLimit } = outOfMemory(cgroupsOf(this.record));
    if (killed === 0) return;
    this.isOutOfMemory = true;
    const limit = `${memoryLimitMiB(this.record.asked.memoryMiB)}Mi`;
    const why = byOwnLimit
      ? `it used more than its memory limit of ${limit}`
      : "its node ran out of memory";
    try {
      this.folder.noteOutOfMemory(`OOM killed: ${why}`);
    } finally {
      this.kill();
    }
  }

  /** Only its groups know, and they go with it. */
  private lookAtForks(): void {
    if (failedForks(cgroupsOf(this.record)) === 0) return;
    const most = AGENT_LIMITS.processesPerReplica.value;
    this.folder.noteFailedForks(`its processes reached their limit of ${most}, and a fork failed`);
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
    this.whyNot = reason ?? this.whyNot ?? this.folder.startTrouble;
    if (this.state.kind === "ordered") {
      this.state = { kind: "ended", code: NOT_STARTED, byLeash: false, onRequest: false };
    }
  }

  private askToStop(sinceBootMs: number): void {
    // Its grace begins now in any case: nothing waits without a deadline.
    const untilMs = sinceBootMs + this.record.stopGraceMs;
    this.killAtMs = Math.min(this.killAtMs, untilMs);
    if (!this.hasBegun()) return;
    this.stopping = "asked";
    try {
      this.folder.noteStop();
    } finally {
      this.signal("SIGTERM");
    }
  }

  /** It had its time. */
  private forceStop(): void {
    const grace = `${this.record.stopGraceMs / 1_000} s`;
    try {
      this.folder.noteForcedStop(`its process did not stop within ${grace} of SIGTERM, killed`);
    } finally {
      this.kill();
    }
  }

  /** At once, and everything of it. */
  kill(): void {
    this.signal("SIGKILL");
    killGroups(cgroupsOf(this.record));
  }

  /** Says so first: a reader of its end must not take it for a crash. */
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
    const { replica, incarnation, address } = this.record;
    return { kind: "alive", replica, incarnation, ...(address === undefined ? {} : { address }) };
  }
}
