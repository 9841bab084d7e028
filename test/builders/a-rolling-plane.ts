/**
 * A plane whose service `payments/api` serves with its first template, on a node with room for everything. Templates are
 * told apart by one word of their command.
 */
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { RollMove } from "../../src/core/protocol/command.ts";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import type { Rollout, RolloutSpec } from "../../src/core/model/rollout.ts";
import { Plane, WORKLOAD } from "./a-plane.ts";
import type { WorkloadSpecParts } from "./a-workload.ts";

export const aRollout = (of: Partial<RolloutSpec> = {}): RolloutSpec => ({
  maxSurge: 1,
  maxUnavailable: 0,
  deadlineMs: 60_000,
  ...of,
});

export class RollingPlane extends Plane {
  private desiredSoFar: WorkloadSpecParts = {};

  want(of: WorkloadSpecParts): void {
    this.desiredSoFar = { ...this.desiredSoFar, ...of };
    this.putDesired(this.desiredSoFar);
  }

  release(word: string): void {
    this.want({ command: ["serve", word] });
  }

  get rollout(): Rollout | undefined {
    return this.workload().status.rollout;
  }

  roll(move: RollMove, retargets = this.workload().status.retargets ?? 0): Outcome {
    return this.send({ kind: "roll", workload: WORKLOAD, retargets, move });
  }

  advance(of: Partial<Extract<RollMove, { kind: "advance" }>> = {}): Outcome {
    const step = this.rollout?.step ?? 0;
    return this.roll({ kind: "advance", begin: [], drop: [], step, ...of });
  }

  /** Indexes of a generation, each in its first incarnation. */
  serve(generation: number, ...indexes: readonly number[]): void {
    for (const index of indexes) {
      this.must(this.incarnationOf(generation, index));
      const { key } = this.replica(index, generation);
      this.must({ kind: "bind", replica: key, incarnation: 1, node: "a-1", deviceIds: [] });
      for (const stage of ["starting", "ready", "serving"] as const) this.tell(key, stage);
    }
  }

  incarnationOf(generation: number, ...indexes: readonly number[]) {
    const incarnations = indexes.map((index) => ({ index, incarnation: 1 }));
    return { kind: "enqueue", workload: WORKLOAD, generation, indexes: incarnations } as const;
  }

  tell(replica: ObjectKey, stage: "starting" | "ready" | "serving" | "failed" | "released"): void {
    const { node = "a-1", session, incarnation } = this.ledger.objects.replica(replica)!.status;
    this.must({ kind: "report", replica, incarnation, node, session, stage });
  }
}

/** Serves whole with generation 1, which has been said. */
export function aRollingPlane(of: WorkloadSpecParts = {}): RollingPlane {
  const plane = new RollingPlane();
  plane.tenant({ cpuMillis: 100_000, memoryMiB: 100_000 });
  plane.joined("a-1", { cpuMillis: 100_000, memoryMiB: 100_000 });
  plane.want({ replicas: 3, rollout: aRollout(), command: ["serve", "v1"], ...of });
  const indexes = [...Array(plane.workload().spec.replicas).keys()];
  plane.serve(1, ...indexes);
  const outcome = plane.roll({ kind: "finish" });
  if (outcome.kind !== "committed") throw new Error(JSON.stringify(outcome));
  return plane;
}
