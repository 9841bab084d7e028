/**
 * Every way the authority says no, with the rule of docs/SPEC.md it enforces. A conflict is a no
 * that a fresher view might have avoided; a refusal is one that no view makes right.
 */
import { ACCESS_REFUSALS } from "./access-refusals.ts";
import { DEGRADATION_REFUSALS } from "./degradation-refusals.ts";
import { RECOVERY_BUDGET_REFUSALS } from "./recovery-budget-refusals.ts";
import { REGION_REFUSALS } from "./region-refusals.ts";
import { REGISTRATION_REFUSALS } from "./registration-refusals.ts";
import { LOAD_REFUSALS } from "./load-refusals.ts";
import { LIMIT_REFUSALS } from "./limit-refusals.ts";
import { SCALING_REFUSALS } from "./scaling-refusals.ts";
import { SECRET_REFUSALS } from "./secret-refusals.ts";

export interface RefusalEntry {
  readonly rule: string;
  readonly kind: "conflict" | "refused";
  readonly sentence: string;
}

export const REFUSALS = {
  "stale-epoch": {
    rule: "EP1",
    kind: "conflict",
    sentence: "The command comes from a leader that has been replaced.",
  },
  "operation-reused": {
    rule: "OP2",
    kind: "refused",
    sentence: "The operation id was used for another kind of command.",
  },
  "not-owner": {
    rule: "ST1",
    kind: "refused",
    sentence: "The sender does not own this transition.",
  },
  "wrong-stage": {
    rule: "ST2",
    kind: "conflict",
    sentence: "The object is not in the stage the command starts from.",
  },
  "wrong-incarnation": {
    rule: "ST3",
    kind: "conflict",
    sentence: "The command is for another incarnation of the replica.",
  },
  "no-such-object": { rule: "OB1", kind: "conflict", sentence: "The object does not exist." },
  "already-exists": { rule: "OB1", kind: "conflict", sentence: "The object already exists." },
  "revision-changed": {
    rule: "OB2",
    kind: "conflict",
    sentence: "The object changed since it was read.",
  },
  "generation-changed": {
    rule: "OB2",
    kind: "conflict",
    sentence: "The object's generation has changed.",
  },
  "being-deleted": { rule: "OB3", kind: "conflict", sentence: "The object is being deleted." },
  "still-in-use": {
    rule: "OB4",
    kind: "conflict",
    sentence: "The object is still in use.",
  },
  "bad-object": { rule: "OB5", kind: "refused", sentence: "The object is invalid." },
  "gang-incomplete": {
    rule: "GA1",
    kind: "conflict",
    sentence: "The commit would leave members of the gang without a node.",
  },
  "index-not-wanted": {
    rule: "BD2",
    kind: "conflict",
    sentence: "The workload does not want a replica with this index and generation.",
  },
  "already-bound": {
    rule: "BD1",
    kind: "conflict",
    sentence: "The index already has a live binding in this generation.",
  },
  "node-not-schedulable": {
    rule: "BD3",
    kind: "conflict",
    sentence: "The node is cordoned, draining or not known to be healthy.",
  },
  "node-full": { rule: "BD4", kind: "conflict", sentence: "The node has no room for the replica." },
  "device-taken": {
    rule: "BD5",
    kind: "conflict",
    sentence: "A device is taken, missing or of another class or model.",
  },
  "location-not-allowed": {
    rule: "BD6",
    kind: "refused",
    sentence: "The workload may not run in this region or zone.",
  },
  "node-not-selected": {
    rule: "BD7",
    kind: "refused",
    sentence: "The node does not match the node selector or an expression.",
  },
  "driver-missing": {
    rule: "BD15",
    kind: "conflict",
    sentence: "The node does not allow or cannot run the driver that the workload asks for.",
  },
  "taint-not-tolerated": {
    rule: "BD8",
    kind: "conflict",
    sentence: "The node has a taint the workload does not tolerate.",
  },
  "supply-is-soft": {
    rule: "BD10",
    kind: "conflict",
    sentence: "The node is still provisioning and takes no replicas.",
  },
  "port-taken": {
    rule: "BD90",
    kind: "conflict",
    sentence: "Another replica on the node has the same fixed port.",
  },
  "too-many-on-node": {
    rule: "BD12",
    kind: "conflict",
    sentence: "The node already has the maximum number of replicas of this workload.",
  },
  "kept-apart": {
    rule: "BD13",
    kind: "conflict",
    sentence: "Anti-affinity: a conflicting replica is in the same place.",
  },
  "too-uneven": {
    rule: "RV2",
    kind: "conflict",
    sentence: "Preemption there is useless: the workload's spread forbids the node.",
  },
  "quota-missing": { rule: "QT1", kind: "conflict", sentence: "The tenant has no quota." },
  "quota-exceeded": {
    rule: "QT1",
    kind: "conflict",
    sentence: "The tenant's quota, its group or its class or region limit has too little left.",
  },
  "quota-below-use": {
    rule: "QT4",
    kind: "conflict",
    sentence: "The quota is still reserved or committed.",
  },
  "accounts-wrong": {
    rule: "RP4",
    kind: "conflict",
    sentence: "The plane's quota accounts are inconsistent; it grants no quota.",
  },
  "reservation-exists": {
    rule: "RS1",
    kind: "conflict",
    sentence: "The replica already has a reservation.",
  },
  "reservation-not-held": {
    rule: "RS2",
    kind: "conflict",
    sentence: "The reservation is not for this replica and incarnation.",
  },
  "reservation-in-use": {
    rule: "RS3",
    kind: "conflict",
    sentence: "The reservation is still in use: its owner has not started yet.",
  },
  "preemption-not-allowed": {
    rule: "PE1",
    kind: "conflict",
    sentence: "The replica's priority class may not preempt the victim's.",
  },
  "preemption-cycle": {
    rule: "PE2",
    kind: "refused",
    sentence: "The classes could preempt each other in a cycle.",
  },
  "preemption-not-needed": {
    rule: "PE3",
    kind: "conflict",
    sentence: "The replica fits without this victim, or without any.",
  },
  "disruption-budget": {
    rule: "PE4",
    kind: "conflict",
    sentence: "The disruption budget of the workload allows no eviction now.",
  },
  "preemption-rate": {
    rule: "PE5",
    kind: "conflict",
    sentence: "Too many replicas were preempted in the last minute.",
  },
  "hold-not-over": {
    rule: "PE7",
    kind: "conflict",
    sentence: "The room is still reserved for its owner.",
  },
  "replace-not-due": {
    rule: "DC2",
    kind: "conflict",
    sentence: "The node has not been silent for the workload's replaceAfter.",
  },
  "already-replaced": {
    rule: "DC3",
    kind: "conflict",
    sentence: "The index already has a replacement.",
  },
  "damping-not-over": {
    rule: "FL2",
    kind: "conflict",
    sentence: "The node is still held from new work for flapping.",
  },
  "not-holder": {
    rule: "MT1",
    kind: "refused",
    sentence: "The cordon or drain belongs to another holder; only that holder can lift it.",
  },
  "drain-not-over": {
    rule: "MT3",
    kind: "conflict",
    sentence: "The drain has no deadline, or it has not passed.",
  },
  "revision-immutable": {
    rule: "PY1",
    kind: "refused",
    sentence: "A policy revision is immutable; create a new one and activate it.",
  },
  "pointer-not-put": {
    rule: "PY4",
    kind: "refused",
    sentence: "Only activation moves the active revision of a policy.",
  },
  "policy-moved": {
    rule: "PY5",
    kind: "conflict",
    sentence: "The active policy revision has changed since it was read.",
  },
  "already-active": {
    rule: "PY4",
    kind: "conflict",
    sentence: "The revision is already active there.",
  },
  "policy-staged": {
    rule: "PY4",
    kind: "conflict",
    sentence: "A region already has another revision active, or has none to start from.",
  },
  "rollout-over": {
    rule: "RO4",
    kind: "conflict",
    sentence: "The command is for another rollout or a finished one.",
  },
  "rollout-surge": {
    rule: "RO2",
    kind: "conflict",
    sentence: "The rollout allows no more replicas at once.",
  },
  "rollout-unavailable": {
    rule: "RO3",
    kind: "conflict",
    sentence: "The rollout allows no fewer serving replicas.",
  },
  "rollout-paused": { rule: "RO5", kind: "conflict", sentence: "The rollout is paused." },
  "rollout-step": {
    rule: "RO5",
    kind: "conflict",
    sentence: "The current rollout step is not complete, or allows no more replicas.",
  },
  "rollout-unfinished": {
    rule: "RO6",
    kind: "conflict",
    sentence: "Some replicas are of another generation or do not serve yet.",
  },
  "job-parallelism": {
    rule: "BA1",
    kind: "conflict",
    sentence: "The job already runs its maximum, or still runs replicas of an earlier template.",
  },
  "job-finished": { rule: "BA2", kind: "conflict", sentence: "The job has finished." },
  "job-retries": {
    rule: "BA3",
    kind: "conflict",
    sentence: "The job or the index has used up its retries.",
  },
  "job-unfinished": {
    rule: "BA5",
    kind: "conflict",
    sentence: "The job has not finished, or finished in another way.",
  },
  "job-ttl": {
    rule: "BA6",
    kind: "conflict",
    sentence: "The time to live of the finished job has not passed.",
  },
  "completions-fixed": {
    rule: "BA7",
    kind: "refused",
    sentence: "The completions of a job change only with a new template.",
  },
  "recovery-reserve": {
    rule: "RV3",
    kind: "conflict",
    sentence: "The recovery reserve would be larger than needed or too small to help.",
  },
  "recovery-not-due": {
    rule: "RV6",
    kind: "conflict",
    sentence: "The recovery status of the workload is unchanged.",
  },
  "held-by-override": {
    rule: "OV5",
    kind: "conflict",
    sentence: "An override forbids it.",
  },
  "override-owned": {
    rule: "OV2",
    kind: "refused",
    sentence: "Another user owns the override; only its owner can extend or release it.",
  },
  "override-fixed": {
    rule: "OV3",
    kind: "refused",
    sentence: "The action and target of an override are immutable.",
  },
  "override-over": {
    rule: "OV3",
    kind: "conflict",
    sentence: "The override has expired and cannot be extended.",
  },
  "override-not-over": {
    rule: "OV4",
    kind: "conflict",
    sentence: "The override is in force; only its owner can release it before it expires.",
  },
  "too-many-overrides": {
    rule: "OV1",
    kind: "conflict",
    sentence: "The maximum number of overrides is in force.",
  },
  ...ACCESS_REFUSALS,
  ...RECOVERY_BUDGET_REFUSALS,
  ...REGION_REFUSALS,
  ...REGISTRATION_REFUSALS,
  ...LIMIT_REFUSALS,
  ...SCALING_REFUSALS,
  ...SECRET_REFUSALS,
  ...DEGRADATION_REFUSALS,
  ...LOAD_REFUSALS,
  "session-ended": {
    rule: "LS1",
    kind: "refused",
    sentence: "The agent's session has ended.",
  },
  "node-fenced": {
    rule: "LS2",
    kind: "refused",
    sentence:
      "The node was fenced in this session; its agent must start a new session with no process running.",
  },
  "lease-replayed": {
    rule: "LS3",
    kind: "conflict",
    sentence: "A newer renewal of the lease is already committed.",
  },
  "evidence-missing": {
    rule: "EV1",
    kind: "refused",
    sentence: "This kind of evidence does not permit the command.",
  },
  "evidence-wrong": {
    rule: "EV2",
    kind: "conflict",
    sentence: "The cited evidence does not match committed state.",
  },
  "lease-not-over": {
    rule: "EV3",
    kind: "conflict",
    sentence: "The node's processes may still be running.",
  },
  "correlated-silence": {
    rule: "EV4",
    kind: "conflict",
    sentence: "Many nodes went silent at once; the plane takes no destructive action.",
  },
  "keeps-running": {
    rule: "EV5",
    kind: "conflict",
    sentence: "The workload keeps running when disconnected, so silence does not end it.",
  },
} as const satisfies Record<string, RefusalEntry>;

export type RefusalCode = keyof typeof REFUSALS;
