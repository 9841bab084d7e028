/**
 * A batch becomes durable. An authority that wrote what cannot follow the log is broken, and ends
 * the run.
 */
import { InvariantBroken } from "../../core/model/assert.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { PlaneProcess } from "./plane-process.ts";
import type { Sim } from "../sim.ts";

export function landBatch(sim: Sim, plane: PlaneProcess, commits: readonly Commit[]): void {
  try {
    for (const commit of commits) {
      sim.land(commit);
      sim.witness?.landed(plane.name, commit);
    }
  } catch (error) {
    if (!(error instanceof InvariantBroken)) throw error;
    sim.checks.broken(plane.name, error);
  }
}
