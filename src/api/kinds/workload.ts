/** Workload: what a tenant wants to run, how often, and where. */
import { Type } from "typebox";
import type { Desired } from "../../core/protocol/command.ts";
import type { Gang } from "../../core/model/gang.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { LOAD_LIMITS } from "../../core/model/limits/load-limits.ts";
import { assert } from "../../core/model/assert.ts";
import type { FieldMistake } from "../api-kind.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { parallelismOf } from "../../core/model/batch.ts";
import { INDEXES_PER_COMMAND } from "../../core/protocol/command.ts";
import { choice, duration, fields, wholeNumber, WITHIN_A_DAY } from "../schema/shapes.ts";
import { batchFields, readBatch, writeBatch } from "./text/batch-text.ts";
import { defineKind } from "./define-kind.ts";
import { recoveryText } from "./status/recovery-status.ts";
import { readRecovery, recoveryFields, writeRecovery } from "./text/recovery-text.ts";
import { readRollout, rolloutFields, writeRollout } from "./text/rollout-text.ts";
import { SpecReader } from "./spec-reader.ts";
import { templateFields } from "./template-schema.ts";
import { readTemplate, writeTemplate } from "./text/template-text.ts";
import {
  readyText,
  stagesText,
  workloadStatusSchema,
  writeWorkloadStatus,
} from "./status/workload-status.ts";

const MOST_REPLICAS = LOAD_LIMITS.workloadReplicas.value;

const spec = fields(
  "The desired state.",
  {
    type: Type.Optional(
      choice(
        "A service runs until it is stopped; the replicas of a batch run until they succeed.",
        ["service", "batch"],
        "service",
      ),
    ),
    replicas: Type.Optional(
      wholeNumber("The number of replicas.", { from: 0, to: MOST_REPLICAS, byDefault: 1 }),
    ),
    disruption: Type.Optional(
      fields("The disruption budget: how many replicas preemption, drains and quota may stop.", {
        maxUnavailable: wholeNumber(
          "The maximum number of unavailable replicas during a voluntary disruption.",
          { from: 0, to: MOST_REPLICAS },
        ),
      }),
    ),
    gang: Type.Optional(
      fields("All replicas start together, or none starts. A gang has at most 1,024.", {
        deadline: duration(
          "How long it may reserve quota while it does not fit, such as 10m; then it returns the quota for a while.",
          WITHIN_A_DAY,
        ),
      }),
    ),
    rollout: Type.Optional(rolloutFields),
    recovery: Type.Optional(recoveryFields),
    batch: Type.Optional(batchFields),
    ...templateFields,
  },
  {
    template: "not used in Berth: write resources, placement and run directly under spec.",
    selector: "not used in Berth: a workload owns its replicas by name.",
  },
);

function toDesired(written: unknown): Desired | readonly FieldMistake[] {
  const text = written as Type.Static<typeof spec>;
  const reader = new SpecReader();
  const template = readTemplate(text, reader);
  const batch = readBatch(text, reader);
  const { type = "service", replicas = batch?.completions ?? 1, disruption } = text;
  const gang = readGang(text, reader);
  const rollout = readRollout(text, reader);
  const recovery = readRecovery(text, reader);
  if (reader.mistakes.length > 0) return reader.mistakes;
  const rest = {
    ...(disruption === undefined ? {} : { disruption }),
    ...(gang === undefined ? {} : { gang }),
    ...(rollout === undefined ? {} : { rollout }),
    ...(recovery === undefined ? {} : { recovery }),
    ...(batch === undefined ? {} : { batch }),
  };
  return { kind: "Workload", spec: { type, replicas, template, ...rest } };
}

function readGang(
  { gang, batch, replicas = batch?.completions ?? 1 }: Type.Static<typeof spec>,
  reader: SpecReader,
): Gang | undefined {
  if (gang === undefined) return undefined;
  if (replicas > INDEXES_PER_COMMAND) {
    const most = `at most ${INDEXES_PER_COMMAND} replicas in a gang, which starts in one step.`;
    reader.mistake("spec.replicas", `found ${replicas}; expected ${most}`);
  }
  return { deadlineMs: reader.durationMs("spec.gang.deadline", gang.deadline, WITHIN_A_DAY) };
}

export const workloadKind = defineKind({
  kind: "Workload",
  description: "A service or batch of a tenant: its process, number of replicas and placement.",
  spec,
  status: workloadStatusSchema,
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
      name: "Generation",
      type: "integer",
      description: "Increases with every change of spec.",
      cell: ({ meta }) => meta.generation,
    },
    {
      name: "Type",
      type: "string",
      description: "Service or batch.",
      isWide: true,
      cell: (workload) => workload.spec.type,
    },
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
  toApi: (workload, objects) => ({
    spec: {
      type: workload.spec.type,
      ...writeBatch(workload.spec),
      ...(workload.spec.disruption === undefined
        ? {}
        : { disruption: { maxUnavailable: workload.spec.disruption.maxUnavailable } }),
      ...(workload.spec.gang === undefined
        ? {}
        : { gang: { deadline: formatDuration(workload.spec.gang.deadlineMs) } }),
      ...writeRollout(workload.spec),
      ...writeRecovery(workload.spec),
      ...writeTemplate(workload.spec.template),
    },
    status: writeWorkloadStatus(workload, objects),
  }),
  toDesired,
  scale: {
    replicas: (object: AnyObject) => {
      assert(object.kind === "Workload", `${object.key} was scaled as a Workload.`);
      const { batch, replicas } = object.spec;
      return batch === undefined ? replicas : parallelismOf(batch);
    },
    // Of a job only how many run at once can be scaled; how many there are to do is fixed (BA7).
    withReplicas: (written, replicas) => {
      const { batch } = written as Type.Static<typeof spec>;
      return batch === undefined
        ? { ...(written as object), replicas }
        : { ...(written as object), batch: { ...batch, parallelism: replicas } };
    },
  },
});
