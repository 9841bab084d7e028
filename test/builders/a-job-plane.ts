/** A plane whose batch `payments/api` is a job, on a node with room for everything. */
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { BatchSpec, BatchStatus, JobEnd } from "../../src/core/model/batch.ts";
import { Plane, indexKey, WORKLOAD } from "./a-plane.ts";
import type { WorkloadSpecParts } from "./a-workload.ts";

export class JobPlane extends Plane {
  get batch(): BatchStatus | undefined {
    return this.workload().status.batch;
  }

  get generation(): number {
    return this.workload().status.templateGeneration;
  }

  /** Gives indexes their next incarnation. */
  begin(...indexes: readonly number[]): Outcome {
    const incarnations = indexes.map((index) => {
      const held = this.ledger.objects.replica(indexKey(index, this.generation));
      return { index, incarnation: (held?.status.incarnation ?? 0) + 1 };
    });
    const { generation } = this;
    return this.send({ kind: "enqueue", workload: WORKLOAD, generation, indexes: incarnations });
  }

  /** Runs indexes that were begun to their ends. */
  end(stage: "succeeded" | "failed" | "released", ...indexes: readonly number[]): void {
    for (const index of indexes) {
      const replica = indexKey(index, this.generation);
      const { incarnation } = this.replica(index, this.generation).status;
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
  plane.putDesired({ type: "batch", batch: { completions: 4, parallelism: 2, ...batch }, ...of });
  return plane;
}
