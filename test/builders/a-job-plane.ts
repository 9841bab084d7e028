/** A plane whose batch `payments/api` is a job, on a node with room for everything. */
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { BatchSpec, BatchStatus, JobEnd } from "../../src/core/model/batch.ts";
import { Plane, slotKey, WORKLOAD } from "./a-plane.ts";
import type { WorkloadSpecParts } from "./a-workload.ts";

export class JobPlane extends Plane {
  get batch(): BatchStatus | undefined {
    return this.workload().status.batch;
  }

  get generation(): number {
    return this.workload().status.templateGeneration;
  }

  /** Gives slots their next incarnation. */
  begin(...slots: readonly number[]): Outcome {
    const incarnations = slots.map((slot) => {
      const held = this.ledger.objects.replica(slotKey(slot, this.generation));
      return { slot, incarnation: (held?.status.incarnation ?? 0) + 1 };
    });
    const { generation } = this;
    return this.send({ kind: "enqueue", workload: WORKLOAD, generation, slots: incarnations });
  }

  /** Runs slots that were begun to their ends. */
  end(stage: "succeeded" | "failed" | "released", ...slots: readonly number[]): void {
    for (const slot of slots) {
      const replica = slotKey(slot, this.generation);
      const { incarnation } = this.replica(slot, this.generation).status;
      this.must({ kind: "bind", replica, incarnation, node: "a-1", deviceIds: [] });
      for (const told of ["starting", "running", stage] as const) {
        const reason = told === "failed" ? { reason: "exit code 1" } : {};
        this.must({
          kind: "report",
          replica,
          incarnation,
          node: "a-1",
          session: 1,
          stage: told,
          ...reason,
        });
      }
    }
  }

  finish(end: JobEnd, generation = this.generation): Outcome {
    return this.send({ kind: "finish", workload: WORKLOAD, generation, end });
  }
}

export function aJobPlane(
  batch: Partial<BatchSpec> = {},
  of: Omit<WorkloadSpecParts, "batch"> = {},
): JobPlane {
  const plane = new JobPlane();
  plane.tenant({ cpuMillis: 100_000, memoryMiB: 100_000 });
  plane.joined("a-1", { cpuMillis: 100_000, memoryMiB: 100_000 });
  plane.wish({ type: "batch", batch: { completions: 4, parallelism: 2, ...batch }, ...of });
  return plane;
}
