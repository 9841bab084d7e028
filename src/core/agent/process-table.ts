/**
 * What the agent knows of its processes. A life only moves forward: once a process was asked to stop or is
 * gone it is never started again under the same life, whatever a late message says.
 */
import type { ObjectKey, Revision } from "../model/ids.ts";
import type { Address, Replica } from "../model/objects.ts";

/** `adopted`: found running after the agent's own restart, and not probed yet. */
export type Phase = "claiming" | "adopted" | "starting" | "ready" | "stopping" | "gone";

export interface Process {
  readonly life: number;
  phase: Phase;
  readonly permittedAt: Revision;
  readonly leashed: boolean;
  /** Next probe, on the agent's clock. */
  probeMs: number;
  /** How the process ended, once it has. */
  ending: "succeeded" | "failed" | "released";
  address: Address | undefined;
}

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

  /** Keys of processes that exist, leashed or not, sorted. */
  living(of: { readonly leashed: boolean }): readonly ObjectKey[] {
    const keys: ObjectKey[] = [];
    for (const [key, process] of this.byReplica) {
      if (process.leashed === of.leashed && exists(process)) keys.push(key);
    }
    return keys.toSorted();
  }
}

/** Whether something may be running for it. A claim is only a wish. */
export const exists = ({ phase }: Process): boolean => phase !== "claiming" && phase !== "gone";

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
  // Ready is said first, so that whoever routes traffic can act before the replica counts as serving.
  return stage === "ready" || stage === "serving" ? "serving" : "ready";
}
