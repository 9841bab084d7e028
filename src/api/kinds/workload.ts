/** Workload: what a tenant wants to run, how often, and where. */
import { parallelismOf } from "../../core/model/batch.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { assert } from "../../core/model/assert.ts";
import { noteUnknownPorts } from "./run-port.ts";
import { showKind } from "./show-kind.ts";
import { recoveryText } from "./status/recovery-status.ts";
import {
  problemText,
  readyText,
  stagesText,
  workloadStatusSchema,
  writeWorkloadStatus,
} from "./status/workload-status.ts";

export const workloadKind = showKind({
  kind: "Workload",
  status: workloadStatusSchema,
  showStatus: writeWorkloadStatus,
  noteMistakes: noteUnknownPorts,
  planeConditions: [
    "Available",
    "Progressing",
    "Complete",
    "Failed",
    "RecoveryReserved",
    "RecoveryInTime",
  ],
  columns: [
    {
      name: "Ready",
      type: "string",
      description:
        "Ready or succeeded replicas, of those desired; for a job, the succeeded indexes.",
      cell: readyText,
    },
    {
      name: "Stages",
      type: "string",
      description: "The number of replicas in each stage.",
      cell: stagesText,
    },
    {
      name: "Reason",
      type: "string",
      description: "The worst of its problems, or what its replicas wait for. Empty: nothing.",
      cell: problemText,
    },
    {
      name: "Generation",
      type: "integer",
      description: "Increases with every change of spec.",
      cell: ({ meta }) => meta.generation,
    },
    "type",
    {
      name: "Priority",
      type: "string",
      description: "The priority class.",
      isWide: true,
      cell: (workload) => workload.spec.template.priorityClass,
    },
    {
      name: "Recovery",
      type: "string",
      description: "Its recovery objective, the headroom reserved for it, and the lost replicas.",
      isWide: true,
      cell: recoveryText,
    },
    {
      name: "Command",
      type: "string",
      description: "The command of each replica.",
      isWide: true,
      cell: (workload) => workload.spec.template.command.join(" "),
    },
  ],
  selectableFields: {
    "spec.type": (workload) => workload.spec.type,
    "spec.priorityClass": (workload) => workload.spec.template.priorityClass,
  },
  scale: {
    replicas: (object: AnyObject) => {
      assert(object.kind === "Workload", `${object.key} was scaled as a Workload.`);
      const { batch, replicas } = object.spec;
      return batch === undefined ? replicas : parallelismOf(batch);
    },
    // Of a job only how many run at once can be scaled; how many there are to do is fixed (BA7).
    withReplicas: (written, replicas) => {
      const { batch } = written as { readonly batch?: object };
      return batch === undefined
        ? { ...(written as object), replicas }
        : { ...(written as object), batch: { ...batch, parallelism: replicas } };
    },
  },
});
