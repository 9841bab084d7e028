/**
 * What the agent knows of its processes. An incarnation only moves forward: once a process was
 * asked to stop or is gone it is never started again under the same incarnation, whatever a late
 * message says.
 */
import { type Amounts, NOTHING, plus } from "../model/amounts.ts";
import type { ObjectKey, Revision, Uid } from "../model/ids.ts";
import type { Address, Replica } from "../model/objects.ts";
import type { AdoptedProcess } from "../kernel/component.ts";
import { afterFailure, type FailedProbes } from "./failed-probes.ts";
import { type Ending, UNSEEN } from "./process-ending.ts";

/** `adopted`: found running after the agent's own restart, and not probed yet. */
export type Phase = "claiming" | "adopted" | "starting" | "ready" | "stopping" | "gone";

export interface Process {
  /** Of the replica that it was started for; a namesake has another. */
  readonly uid: Uid;
  readonly incarnation: number;
  phase: Phase;
  readonly permittedAt: Revision;
  readonly leashed: boolean;
  /** What it may use of the machine. */
  readonly asked: Amounts;
  /** Next probe, on the agent's clock. */
  probeMs: number;
  /**
   * Since when it has been ready without a break, on the agent's clock; infinite while it is not.
   */
  readySinceMs: number;
  /** The failed probes since the last success, while the last one has failed. */
  failing?: FailedProbes | undefined;
  /** How the process ended, once it has. */
  ending: Ending;
  address: Address | undefined;
}

/**
 * A starting process is worth asking often; one that serves is asked seldom, its exit is told
 * anyway.
 */
export const PROBE_STARTING_MS = 500;
const PROBE_READY_MS = 10_000;

export class ProcessTable {
  private readonly byReplica = new Map<ObjectKey, Process>();

  get(replica: ObjectKey): Process | undefined {
    return this.byReplica.get(replica);
  }
  set(replica: ObjectKey, process: Process): void {
    this.byReplica.set(replica, process);
  }
  forget(replica: ObjectKey): void {
    this.byReplica.delete(replica);
  }
  entries(): Iterable<[ObjectKey, Process]> {
    return this.byReplica.entries();
  }

  /** What its processes use; wanted or not, they are there. */
  taken(): Amounts {
    let taken = NOTHING;
    for (const process of this.byReplica.values()) {
      if (exists(process)) taken = plus(taken, process.asked);
    }
    return taken;
  }

  /** Whether room is about to become free. */
  isStoppingAny(): boolean {
    return [...this.byReplica.values()].some(({ phase }) => phase === "stopping");
  }

  /** Those whose probe is due; the next one is set. */
  takeProbes(nowMs: number): readonly (readonly [ObjectKey, Process])[] {
    const due: (readonly [ObjectKey, Process])[] = [];
    for (const [replica, process] of this.byReplica) {
      if (!exists(process) || process.phase === "stopping" || process.probeMs > nowMs) continue;
      process.probeMs = nowMs + (process.phase === "ready" ? PROBE_READY_MS : PROBE_STARTING_MS);
      due.push([replica, process]);
    }
    return due;
  }

  nextProbeMs(): number {
    let atMs = Number.POSITIVE_INFINITY;
    for (const process of this.byReplica.values()) {
      if (process.probeMs < atMs && exists(process)) atMs = process.probeMs;
    }
    return atMs;
  }

  /** Keys of processes that exist, leashed or not, sorted. */
  living(which: { readonly leashed: boolean }): readonly ObjectKey[] {
    const keys: ObjectKey[] = [];
    for (const [key, process] of this.byReplica) {
      if (process.leashed === which.leashed && exists(process)) keys.push(key);
    }
    return keys.toSorted();
  }
}

/** Found running by an agent that has just begun. */
export const adoptedProcess = (adopted: AdoptedProcess): Process => ({
  uid: adopted.uid,
  incarnation: adopted.incarnation,
  permittedAt: adopted.permittedAt,
  leashed: adopted.leashed,
  asked: adopted.asked,
  phase: "adopted",
  probeMs: 0,
  readySinceMs: Number.POSITIVE_INFINITY,
  ending: UNSEEN,
  address: adopted.address,
});

/** A claim to start it, which has not reached the authority yet. */
export const claimOf = ({ meta, spec, status }: Replica): Process => ({
  uid: meta.uid,
  incarnation: status.incarnation,
  phase: "claiming",
  permittedAt: 0,
  leashed: spec.template.onDisconnect === "stop",
  asked: spec.template.ask.amounts,
  probeMs: Number.POSITIVE_INFINITY,
  readySinceMs: Number.POSITIVE_INFINITY,
  ending: UNSEEN,
  address: undefined,
});

/** Whether it was started for this very incarnation of this very replica. */
export const isOf = ({ uid, incarnation }: Process, { meta, status }: Replica): boolean =>
  uid === meta.uid && incarnation === status.incarnation;

/**
 * Between two sessions a kept process belongs to the old one until the authority has carried it
 * over.
 */
export const isKeptFor = (replica: Replica | undefined, node: string, process: Process): boolean =>
  !process.leashed &&
  replica !== undefined &&
  replica.status.node === node &&
  isOf(process, replica);

/** Whether something may be running for it. A claim is only a request. */
export const exists = ({ phase }: Process): boolean => phase !== "claiming" && phase !== "gone";

/** A probe has answered: whether it is ready from now on, and if not, what was found. */
export function tookProbe(
  process: Process,
  { ready, said }: { readonly ready: boolean; readonly said?: string },
  nowMs: number,
): void {
  process.phase = ready ? "ready" : "starting";
  process.readySinceMs = ready ? Math.min(process.readySinceMs, nowMs) : Number.POSITIVE_INFINITY;
  process.failing = ready ? undefined : afterFailure(process.failing, said, nowMs);
}

/** The stage the agent should be reporting for a process that exists. */
export function stageFor(
  replica: Replica,
  process: Process,
): "starting" | "ready" | "serving" | "running" | "as-it-is" {
  const { stage } = replica.status;
  // We have not asked it yet; taking a serving replica for a starting one would be a lie.
  if (process.phase === "adopted") return "as-it-is";
  if (process.phase !== "ready") return "starting";
  if (replica.spec.type === "batch") return "running";
  // Ready is said first, so that routers can act before the replica counts as serving.
  return stage === "ready" || stage === "serving" ? "serving" : "ready";
}
