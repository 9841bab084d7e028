/** Replica: one index of one template generation of a workload, and how far it has come. */
import { OTHERS } from "../access/hide-others.ts";
import { Type } from "typebox";
import { type ObjectKey, parseKey, workloadKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import { type Provisional, provisionalOf } from "../../core/model/provisional.ts";
import { holdsNode, STAGES, type Stopping } from "../../core/model/stage.ts";
import type { FailingProbe } from "../../core/model/unready.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { choice, fields, numberMap, text, time } from "../schema/shapes.ts";
import { defineKind } from "./define-kind.ts";
import { conditionsSchema, writeConditions } from "./status/condition.ts";
import { REPLICA_CONDITIONS, replicaConditions } from "./status/replica-conditions.ts";
import { evidenceSchema, probeEvidence, replicaEvidence } from "./status/evidence-shown.ts";
import { reasonAmong } from "./status/stage-reason.ts";
import { showTemplate, templateFields } from "./template-schema.ts";

const spec = fields("Its index, and the template that it was created from.", {
  workload: text("The name of the workload."),
  workloadUid: text("The uid of the workload."),
  generation: Type.Integer({
    description: "The generation of the workload's template that it was created from.",
  }),
  index: Type.Integer({ description: "Its index among the workload's replicas, from 0." }),
  type: choice("The type of the workload.", ["service", "batch"]),
  ...templateFields,
});

const status = fields("The observed state of the replica.", {
  stage: choice("Its stage.", STAGES),
  stageSince: time("Since when."),
  reason: text("What the stage means, in one word."),
  message: text("What the stage means, in a sentence."),
  incarnation: Type.Integer({
    description: "Its incarnation: how many times the index was admitted.",
  }),
  failures: Type.Integer({
    description: "Restarts: failures since it last ran well for ten minutes.",
  }),
  lastEnd: Type.Optional(text("How its last process ended, as reported by its agent.")),
  node: Type.Optional(text("The node it is bound to.")),
  session: Type.Optional(
    Type.Integer({ description: "The session of the node's agent it was bound in." }),
  ),
  devices: Type.Optional(
    Type.Array(Type.String(), { description: "The ids of the exclusive devices it has." }),
  ),
  address: Type.Optional(
    fields("Where it can be reached.", {
      host: text("Host name or address."),
      ports: numberMap("Port numbers by the names in run.ports."),
    }),
  ),
  evidence: Type.Optional(evidenceSchema("The latest evidence about it.")),
  unready: Type.Optional(
    evidenceSchema("The last failed probe that made it unready, in this incarnation."),
  ),
  failingProbe: Type.Optional(
    fields("The probe that keeps it from being ready.", {
      error: text("What was asked, at which address, and what came back."),
      times: Type.Integer({ description: "Failures in a row, when its agent last reported them." }),
      since: time("When the first of them was reported."),
      reported: time("When the last of them was reported."),
    }),
  ),
  replacedSince: Type.Optional(
    time("Since when another replica replaces it, although it may still run."),
  ),
  policyRevision: Type.Optional(
    text("The policy revision that it was last bound under. Absent: none."),
  ),
  provisional: Type.Optional(
    fields("Set while its binding, made while its region was partitioned, is not confirmed.", {
      override: text("The override that marks the region as partitioned."),
      since: time("When it was bound."),
    }),
  ),
  budget: Type.Optional(text("The recovery budget that its binding spends.")),
  conditions: conditionsSchema,
  stopping: Type.Optional(
    fields("Set while it is being stopped.", {
      reason: choice("Why.", [
        "surplus",
        "drain",
        "policy",
        "quota",
        "preempted",
        "replaced",
        "rollout",
        "deleted",
        "finished",
        "unconfirmed",
      ]),
      since: time("Since when."),
      by: Type.Optional(
        text("The replica that preempted it; of another tenant only that it is one."),
      ),
    }),
  ),
});

function writeSpec({
  spec: { workload, workloadUid, generation, index, type, template },
}: Replica) {
  return { workload, workloadUid, generation, index, type, ...showTemplate(template) };
}

/** As `tenant/name`, which is how people name a replica. */
/**
 * All who read the replica read the same text, so work of another tenant has no name here. The
 * explanation has it, for callers who may see that work.
 */
function writeStopping({ reason, sinceMs, by }: Stopping, tenant: string) {
  const { namespace, name } = parseKey(by ?? ("//" as ObjectKey));
  const since = rfc3339Millis(sinceMs);
  if (by === undefined) return { reason, since };
  return { reason, since, by: namespace === tenant ? `${namespace}/${name}` : OTHERS };
}

const writeFailingProbe = ({ said, times, sinceMs, toldMs }: FailingProbe) => ({
  error: said,
  times,
  since: rfc3339Millis(sinceMs),
  reported: rfc3339Millis(toldMs),
});

const writeProvisional = ({ override, sinceMs }: Provisional) => ({
  override,
  since: rfc3339Millis(sinceMs),
});

function writeStatus(replica: Replica, objects: ObjectIndex): Type.Static<typeof status> {
  const { meta, status: now } = replica;
  const evidence = replicaEvidence(replica);
  const unready = probeEvidence(replica);
  const provisional = provisionalOf(replica);
  const { node, address, stopping, deviceIds, lastEnd, policyRevision, budget } = now;
  const { reason, message } = reasonAmong(objects, replica);
  return {
    stage: now.stage,
    stageSince: rfc3339Millis(now.stageSinceMs),
    reason,
    message: `${meta.name} ${message}.`,
    incarnation: now.incarnation,
    failures: now.failures,
    ...(lastEnd === undefined ? {} : { lastEnd }),
    ...(node === undefined ? {} : { node, session: now.session }),
    ...(deviceIds.length === 0 ? {} : { devices: [...deviceIds] }),
    ...(address === undefined ? {} : { address: { host: address.host, ports: address.ports } }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(unready === undefined ? {} : { unready }),
    ...(now.failingProbe === undefined || now.stage !== "starting"
      ? {}
      : { failingProbe: writeFailingProbe(now.failingProbe) }),
    ...(now.superseded === undefined
      ? {}
      : { replacedSince: rfc3339Millis(now.superseded.sinceMs) }),
    ...(policyRevision === undefined ? {} : { policyRevision }),
    ...(budget === undefined || !holdsNode(now.stage) ? {} : { budget }),
    ...(provisional === undefined ? {} : { provisional: writeProvisional(provisional) }),
    ...(stopping === undefined
      ? {}
      : { stopping: writeStopping(stopping, replica.meta.namespace) }),
    conditions: writeConditions(replicaConditions(replica)),
  };
}

export const replicaKind = defineKind({
  kind: "Replica",
  description: "One replica of a workload and its stage. Written by the control plane.",
  spec,
  status,
  planeConditions: REPLICA_CONDITIONS,
  columns: [
    {
      name: "Workload",
      type: "string",
      description: "The workload it belongs to.",
      cell: (replica) => replica.spec.workload,
    },
    {
      name: "Stage",
      type: "string",
      description:
        "Its stage; * while it is being stopped, + if it was replaced, ? while its binding is provisional.",
      cell: (replica) => {
        const { stage, stopping, superseded } = replica.status;
        const isSettled = provisionalOf(replica) === undefined;
        return `${stage}${stopping === undefined ? "" : "*"}${superseded === undefined ? "" : "+"}${isSettled ? "" : "?"}`;
      },
    },
    {
      name: "Reason",
      type: "string",
      description: "What the stage means.",
      cell: (replica, objects) => reasonAmong(objects, replica).reason,
    },
    {
      name: "Node",
      type: "string",
      description: "The node it is bound to.",
      cell: (replica) => replica.status.node ?? "",
    },
    {
      name: "Incarnation",
      type: "integer",
      description: "Its incarnation: how many times the index was admitted.",
      cell: (replica) => replica.status.incarnation,
    },
    {
      name: "In Stage",
      type: "date",
      description: "Time in its stage.",
      isWide: true,
      cell: (replica) => replica.status.stageSinceMs,
    },
    {
      name: "Failures",
      type: "integer",
      description: "Restarts: failures since it last ran well for ten minutes.",
      isWide: true,
      cell: (replica) => replica.status.failures,
    },
    {
      name: "Devices",
      type: "string",
      description: "Its exclusive devices.",
      isWide: true,
      cell: (replica) => replica.status.deviceIds.join(","),
    },
    {
      name: "Address",
      type: "string",
      description: "Where it can be reached.",
      isWide: true,
      cell: ({ status: { address } }) =>
        address === undefined
          ? ""
          : Object.values(address.ports)
              .map((port) => `${address.host}:${port}`)
              .join(","),
    },
    {
      name: "Budget",
      type: "string",
      description: "The recovery budget that its binding spends.",
      isWide: true,
      cell: ({ status: { stage, budget } }) => (holdsNode(stage) ? (budget ?? "") : ""),
    },
  ],
  selectableFields: {
    "spec.workload": (replica) => replica.spec.workload,
    "status.node": (replica) => replica.status.node ?? "",
    "status.stage": (replica) => replica.status.stage,
  },
  owner: ({ meta, spec: { workload, workloadUid } }) => ({
    key: workloadKey(meta.namespace, workload),
    uid: workloadUid,
  }),
  toApi: (replica, objects) => ({
    spec: writeSpec(replica),
    status: writeStatus(replica, objects),
  }),
});
