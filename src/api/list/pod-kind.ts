/**
 * Kubernetes' Pod, for clients that know only that: every replica is one, with one container that
 * is named after its workload. Derived from the replica whenever it is read; no client writes it.
 */
import { Type } from "typebox";
import { workloadKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Stage } from "../../core/model/stage.ts";
import { coreSchema } from "../http/core-schema.ts";
import { defineKind } from "../kinds/define-kind.ts";
import { cpuText, memoryText } from "../kinds/text/amounts-text.ts";
import { conditionsSchema, writeConditions } from "../kinds/status/condition.ts";
import { isReady, replicaConditions } from "../kinds/status/replica-conditions.ts";
import { replicaReason } from "../kinds/status/stage-reason.ts";
import { rfc3339 } from "../rfc3339.ts";
import { fields, text } from "../schema/shapes.ts";
import type { ServedKind } from "./served-kind.ts";

interface Shown {
  readonly phase: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
  /** As `kubectl get pods` words it. */
  readonly word: string;
}

/** A failed replica waits for its next incarnation, and holds no node meanwhile. */
const SHOWN: Readonly<Record<Stage, Shown>> = {
  admitted: { phase: "Pending", word: "Pending" },
  queued: { phase: "Pending", word: "Pending" },
  bound: { phase: "Pending", word: "ContainerCreating" },
  starting: { phase: "Running", word: "Running" },
  ready: { phase: "Running", word: "Running" },
  serving: { phase: "Running", word: "Running" },
  running: { phase: "Running", word: "Running" },
  succeeded: { phase: "Succeeded", word: "Completed" },
  unknown: { phase: "Unknown", word: "Unknown" },
  failed: { phase: "Pending", word: "CrashLoopBackOff" },
  released: { phase: "Failed", word: "Released" },
};

const phaseOf = ({ status }: Replica): Shown["phase"] => SHOWN[status.stage].phase;
const wordOf = ({ status: { stage, stopping } }: Replica): string =>
  stopping === undefined || stage === "released" ? SHOWN[stage].word : "Terminating";

function writeSpec({ spec, status: { node } }: Replica) {
  const { template, workload, type } = spec;
  const { cpuMillis, memoryMiB } = template.ask.amounts;
  const amounts = { cpu: cpuText(cpuMillis), memory: memoryText(memoryMiB) };
  return {
    containers: [
      {
        name: workload,
        image: "",
        command: [...template.command],
        resources: { requests: amounts, limits: amounts },
      },
    ],
    restartPolicy: type === "batch" ? "OnFailure" : "Always",
    ...(node === undefined ? {} : { nodeName: node }),
  };
}

function stateOf({ status }: Replica): object {
  const { stage, stageSinceMs, lastEnd } = status;
  const { reason, message } = replicaReason(status);
  const at = rfc3339(stageSinceMs);
  if (SHOWN[stage].phase === "Running") return { running: { startedAt: at } };
  if (stage === "succeeded") {
    return { terminated: { exitCode: 0, reason: "Completed", finishedAt: at } };
  }
  const why = stage === "failed" ? SHOWN.failed.word : reason;
  return { waiting: { reason: why, message: lastEnd ?? message } };
}

function writeStatus(replica: Replica) {
  const { meta, spec, status } = replica;
  const { reason, message } = replicaReason(status);
  const isUp = isReady(replica);
  const conditions = writeConditions(replicaConditions(replica)).flatMap((condition) =>
    condition.type === "Ready"
      ? [condition, { ...condition, type: "ContainersReady" }]
      : [{ ...condition, type: "PodScheduled" }],
  );
  return {
    phase: phaseOf(replica),
    reason,
    message: `${meta.name} ${message}.`,
    startTime: rfc3339(meta.createdMs),
    ...(status.address === undefined ? {} : { podIP: status.address.host }),
    conditions,
    containerStatuses: [
      {
        name: spec.workload,
        image: "",
        imageID: "",
        ready: isUp,
        started: isUp,
        restartCount: status.incarnation - 1,
        state: stateOf(replica),
      },
    ],
  };
}

const DESCRIPTION =
  "A replica, as Kubernetes clients know it. Read-only, derived from the replica of the same name.";
const free = (description: string) =>
  Type.Unsafe<object>({
    type: "object",
    description,
    "x-kubernetes-preserve-unknown-fields": true,
  });
const spec = fields("The process of the replica, as a container.", {
  containers: Type.Array(free("The process of the replica."), {
    description: "One, which is named after the workload.",
  }),
  restartPolicy: Type.Optional(text("Always for a service, OnFailure for a batch.")),
  nodeName: Type.Optional(text("The node it is bound to.")),
});
const status = fields("The observed state of the replica.", {
  phase: text("Pending, Running, Succeeded, Failed or Unknown."),
  reason: text("What the stage of the replica means, in one word."),
  message: text("What the stage of the replica means, in a sentence."),
  startTime: text("When the replica was created."),
  podIP: Type.Optional(text("Where it can be reached.")),
  conditions: conditionsSchema,
  containerStatuses: Type.Array(free("The state of the process."), {
    description: "One, for its only container.",
  }),
});

const replicaAsPod = defineKind({
  kind: "Replica",
  servedAs: { plural: "pods", singular: "pod", shortNames: ["po"], isNamespaced: true },
  description: DESCRIPTION,
  spec,
  columns: [
    {
      name: "Ready",
      type: "string",
      description: "Ready containers, of all.",
      cell: (replica) => (isReady(replica) ? "1/1" : "0/1"),
    },
    { name: "Status", type: "string", description: "What it is doing.", cell: wordOf },
    {
      name: "Restarts",
      type: "integer",
      description: "How many times its index was admitted again.",
      cell: ({ status: { incarnation } }) => incarnation - 1,
    },
    {
      name: "IP",
      type: "string",
      description: "Where it can be reached.",
      isWide: true,
      cell: ({ status: { address } }) => address?.host ?? "<none>",
    },
    {
      name: "Node",
      type: "string",
      description: "The node it is bound to.",
      isWide: true,
      cell: ({ status: { node } }) => node ?? "<none>",
    },
  ],
  selectableFields: {
    "spec.nodeName": ({ status: { node } }) => node ?? "",
    "status.phase": phaseOf,
  },
  owner: ({ meta, spec: { workload, workloadUid } }) => ({
    key: workloadKey(meta.namespace, workload),
    uid: workloadUid,
  }),
  toApi: (replica) => ({ spec: writeSpec(replica), status: writeStatus(replica) }),
});

export const podKind: ServedKind = {
  group: "",
  apiVersion: "v1",
  name: "Pod",
  instead: "Pods show the replicas of workloads and cannot be written: write a Workload.",
  api: {
    ...replicaAsPod,
    schema: coreSchema("Pod", DESCRIPTION, { spec, status }),
  },
  // It is another object than the replica to clients that remember objects by their uid.
  metadata: ({ uid = "", ...metadata }) => ({ ...metadata, uid: `${uid}.pod` }),
};
