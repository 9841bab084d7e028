/** Workload: what a tenant wants to run, how often, and where. */
import { Type } from "typebox";
import type { Desired } from "../../core/commit/command.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { assert } from "../../core/assert.ts";
import type { FieldMistake } from "../api-kind.ts";
import { choice, fields, wholeNumber } from "../schema/shapes.ts";
import { defineKind } from "./define-kind.ts";
import { SpecReader } from "./spec-reader.ts";
import { templateFields } from "./template-schema.ts";
import { readTemplate, writeTemplate } from "./template-text.ts";
import {
  readyText,
  stagesText,
  workloadStatusSchema,
  writeWorkloadStatus,
} from "./workload-status.ts";

/** Every replica is an object of its own; more of them than this is a slip of the hand. */
const MOST_REPLICAS = 100_000;

const spec = fields(
  "What the tenant wants.",
  {
    type: Type.Optional(
      choice(
        "A service runs until it is told to stop; the replicas of a batch run until they have succeeded.",
        ["service", "batch"],
        "service",
      ),
    ),
    replicas: Type.Optional(
      wholeNumber("How many replicas run at once.", { from: 0, to: MOST_REPLICAS, byDefault: 1 }),
    ),
    ...templateFields,
  },
  {
    rollout: "not supported yet: a changed template replaces all replicas at once.",
    recovery:
      "not supported yet: replicas are replaced as soon as it is safe, without an objective.",
    gang: "not supported yet: replicas are placed one by one.",
    template: "not used in Berth: write resources, placement and run directly under spec.",
    selector: "not used in Berth: a workload owns its replicas by name.",
  },
);

function toDesired(written: unknown): Desired | readonly FieldMistake[] {
  const text = written as Type.Static<typeof spec>;
  const reader = new SpecReader();
  const template = readTemplate(text, reader);
  if (reader.mistakes.length > 0) return reader.mistakes;
  const { type = "service", replicas = 1 } = text;
  return { kind: "Workload", spec: { type, replicas, template } };
}

export const workloadKind = defineKind({
  kind: "Workload",
  plural: "workloads",
  shortNames: ["wl"],
  isNamespaced: true,
  description: "What a tenant wants to run: a service or a batch, how often, and where.",
  spec,
  status: workloadStatusSchema,
  columns: [
    {
      name: "Ready",
      type: "string",
      description: "How many replicas are ready, or have ended well, of those that are wanted.",
      cell: readyText,
    },
    {
      name: "Stages",
      type: "string",
      description: "How many replicas are in each stage.",
      cell: stagesText,
    },
    {
      name: "Generation",
      type: "integer",
      description: "Grows with every change of spec.",
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
      name: "Command",
      type: "string",
      description: "What each replica runs.",
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
      replicas: workload.spec.replicas,
      ...writeTemplate(workload.spec.template),
    },
    status: writeWorkloadStatus(workload, objects),
  }),
  toDesired,
  scale: {
    replicas: (object: AnyObject) => {
      assert(object.kind === "Workload", `${object.key} was scaled as a Workload.`);
      return object.spec.replicas;
    },
    withReplicas: (written, replicas) => ({ ...(written as object), replicas }),
  },
});
