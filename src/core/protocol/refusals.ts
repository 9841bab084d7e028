/**
 * Every way the authority says no, with the rule of docs/SPEC.md it enforces. A conflict is a no that a
 * fresher view might have avoided; a refusal is one that no view makes right.
 */
import { DEGRADATION_REFUSALS } from "./degradation-refusals.ts";
import { BUDGET_REFUSALS } from "./budget-refusals.ts";
import { REGISTRATION_REFUSALS } from "./registration-refusals.ts";
import { LOAD_REFUSALS } from "./load-refusals.ts";
import { LIMIT_REFUSALS } from "./limit-refusals.ts";
import { SCALING_REFUSALS } from "./scaling-refusals.ts";

export interface RefusalEntry {
  readonly rule: string;
  readonly kind: "conflict" | "refused";
  readonly sentence: string;
}

export const REFUSALS = {
  "stale-epoch": {
    rule: "EP1",
    kind: "conflict",
    sentence: "The command was decided under a leadership that has ended.",
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
  "wrong-life": {
    rule: "ST3",
    kind: "conflict",
    sentence: "The command speaks of another life of the replica.",
  },
  "no-such-object": { rule: "OB1", kind: "conflict", sentence: "The object does not exist." },
  "already-exists": { rule: "OB1", kind: "conflict", sentence: "The object exists already." },
  "revision-changed": {
    rule: "OB2",
    kind: "conflict",
    sentence: "The object changed since it was read.",
  },
  "generation-changed": {
    rule: "OB2",
    kind: "conflict",
    sentence: "The object's generation is not the expected one.",
  },
  "being-deleted": { rule: "OB3", kind: "conflict", sentence: "The object is being deleted." },
  "still-in-use": {
    rule: "OB4",
    kind: "conflict",
    sentence: "Something still depends on the object.",
  },
  "bad-object": { rule: "OB5", kind: "refused", sentence: "The object is not well-formed." },
  "gang-incomplete": {
    rule: "GA1",
    kind: "conflict",
    sentence: "The commit would leave some of the gang without a node.",
  },
  "slot-not-wanted": {
    rule: "BD2",
    kind: "conflict",
    sentence: "The workload does not want this slot of this generation.",
  },
  "already-bound": {
    rule: "BD1",
    kind: "conflict",
    sentence: "The slot already has a live binding in this generation.",
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
  "taint-not-tolerated": {
    rule: "BD8",
    kind: "conflict",
    sentence: "The node has a taint the workload does not tolerate.",
  },
  "supply-is-soft": {
    rule: "BD10",
    kind: "conflict",
    sentence: "The node is a forecast; nothing is bound to it.",
  },
  "too-many-on-node": {
    rule: "BD12",
    kind: "conflict",
    sentence: "The node has as many replicas of the workload as the workload allows.",
  },
  "kept-apart": {
    rule: "BD13",
    kind: "conflict",
    sentence: "A replica that it must be kept apart from is in the same place.",
  },
  "too-uneven": {
    rule: "RV2",
    kind: "conflict",
    sentence: "Room there would be of no use: the workload's spread lets nobody be bound to it.",
  },
  "quota-missing": { rule: "QT1", kind: "conflict", sentence: "The tenant has no quota." },
  "quota-exceeded": {
    rule: "QT1",
    kind: "conflict",
    sentence: "The tenant's quota, its group's or one of its parts has too little left.",
  },
  "quota-below-use": {
    rule: "QT4",
    kind: "conflict",
    sentence: "The quota is still reserved or committed.",
  },
  "books-wrong": {
    rule: "RP4",
    kind: "conflict",
    sentence: "The plane's books do not add up; nothing is granted on them.",
  },
  "reservation-exists": {
    rule: "RS1",
    kind: "conflict",
    sentence: "A reservation for this intent is held already.",
  },
  "reservation-not-held": {
    rule: "RS2",
    kind: "conflict",
    sentence: "The reservation is not held for this replica and life.",
  },
  "reservation-in-use": {
    rule: "RS3",
    kind: "conflict",
    sentence: "The reservation's owner is still on its way.",
  },
  "preemption-not-allowed": {
    rule: "PE1",
    kind: "conflict",
    sentence: "The class of the replica may not take the place of the victim's.",
  },
  "preemption-cycle": {
    rule: "PE2",
    kind: "refused",
    sentence: "The classes could take each other's place in a circle.",
  },
  "preemption-not-needed": {
    rule: "PE3",
    kind: "conflict",
    sentence: "The replica fits without this victim, or without any.",
  },
  "disruption-budget": {
    rule: "PE4",
    kind: "conflict",
    sentence: "Too many replicas of the workload would be out of serving.",
  },
  "preemption-rate": {
    rule: "PE5",
    kind: "conflict",
    sentence: "Too many replicas were preempted in the last minute.",
  },
  "hold-not-over": {
    rule: "PE7",
    kind: "conflict",
    sentence: "The room is still held for its owner.",
  },
  "replace-not-due": {
    rule: "DC2",
    kind: "conflict",
    sentence: "The node has not been silent for as long as the workload waits.",
  },
  "already-replaced": {
    rule: "DC3",
    kind: "conflict",
    sentence: "The slot has a second replica already.",
  },
  "damping-not-over": {
    rule: "FL2",
    kind: "conflict",
    sentence: "The node is still held from new work for flapping.",
  },
  "not-holder": {
    rule: "MT1",
    kind: "refused",
    sentence: "Somebody else holds the node; only they let it go.",
  },
  "drain-not-over": {
    rule: "MT3",
    kind: "conflict",
    sentence: "The deadline of the drain has not passed, or it has none.",
  },
  "revision-immutable": {
    rule: "PY1",
    kind: "refused",
    sentence: "A policy revision never changes; put a new one and activate it.",
  },
  "pointer-not-put": {
    rule: "PY4",
    kind: "refused",
    sentence: "The pointer of a policy moves by activation, which says what it replaces.",
  },
  "policy-moved": {
    rule: "PY5",
    kind: "conflict",
    sentence: "Another policy revision is in force there than the sender saw.",
  },
  "already-active": {
    rule: "PY4",
    kind: "conflict",
    sentence: "The revision is in force there already.",
  },
  "policy-staged": {
    rule: "PY4",
    kind: "conflict",
    sentence: "A region has another revision in force, or has no other to begin from.",
  },
  "rollout-over": {
    rule: "RO4",
    kind: "conflict",
    sentence: "The command speaks of another rollout, or of one that is over.",
  },
  "rollout-surge": {
    rule: "RO2",
    kind: "conflict",
    sentence: "More replicas would live at once than the rollout allows.",
  },
  "rollout-unavailable": {
    rule: "RO3",
    kind: "conflict",
    sentence: "Fewer replicas would serve than the rollout allows.",
  },
  "rollout-paused": { rule: "RO5", kind: "conflict", sentence: "The rollout is paused." },
  "rollout-step": {
    rule: "RO5",
    kind: "conflict",
    sentence: "The step of the rollout is not over, or allows no more replicas.",
  },
  "rollout-unfinished": {
    rule: "RO6",
    kind: "conflict",
    sentence: "Not all replicas are of the generation that is to be everywhere, and serve.",
  },
  "job-parallelism": {
    rule: "BA1",
    kind: "conflict",
    sentence: "As many of the job live as may, or some of its earlier template still do.",
  },
  "job-finished": { rule: "BA2", kind: "conflict", sentence: "The job is over." },
  "job-retries": {
    rule: "BA3",
    kind: "conflict",
    sentence: "The index, or the job, has failed more often than it may.",
  },
  "job-unfinished": {
    rule: "BA5",
    kind: "conflict",
    sentence: "The job is not over, or not in the way that was said.",
  },
  "job-ttl": {
    rule: "BA6",
    kind: "conflict",
    sentence: "The job has not been finished for as long as it is to be kept.",
  },
  "completions-fixed": {
    rule: "BA7",
    kind: "refused",
    sentence: "The completions of a job do not change without a new template.",
  },
  "recovery-reserve": {
    rule: "RV3",
    kind: "conflict",
    sentence: "The room kept for recovery would be more than is needed, or less than is of use.",
  },
  "recovery-not-due": {
    rule: "RV6",
    kind: "conflict",
    sentence: "There is nothing new to say of the workload's recovery.",
  },
  "held-by-override": {
    rule: "OV5",
    kind: "conflict",
    sentence: "Somebody's override holds it back.",
  },
  "override-owned": {
    rule: "OV2",
    kind: "refused",
    sentence: "The override is somebody else's; only its owner extends or releases it.",
  },
  "override-fixed": {
    rule: "OV3",
    kind: "refused",
    sentence: "What an override does, and to what, stays as it was made.",
  },
  "override-over": {
    rule: "OV3",
    kind: "conflict",
    sentence: "The time of the override has passed; it is not brought back.",
  },
  "override-not-over": {
    rule: "OV4",
    kind: "conflict",
    sentence: "The override still holds; only its owner ends it before its time.",
  },
  "too-many-overrides": {
    rule: "OV1",
    kind: "conflict",
    sentence: "As many overrides hold as may at once.",
  },
  ...BUDGET_REFUSALS,
  ...REGISTRATION_REFUSALS,
  ...LIMIT_REFUSALS,
  ...SCALING_REFUSALS,
  ...DEGRADATION_REFUSALS,
  ...LOAD_REFUSALS,
  "session-ended": {
    rule: "LS1",
    kind: "refused",
    sentence: "The agent speaks for a session that has ended.",
  },
  "node-fenced": {
    rule: "LS2",
    kind: "refused",
    sentence: "The node was fenced in this session; a new session must begin with nothing running.",
  },
  "lease-replayed": {
    rule: "LS3",
    kind: "conflict",
    sentence: "A renewal at least as new was committed already.",
  },
  "evidence-missing": {
    rule: "EV1",
    kind: "refused",
    sentence: "This kind of evidence does not permit the command.",
  },
  "evidence-wrong": {
    rule: "EV2",
    kind: "conflict",
    sentence: "The truth does not bear the cited evidence out.",
  },
  "lease-not-over": {
    rule: "EV3",
    kind: "conflict",
    sentence: "The node's processes may still be running.",
  },
  "correlated-silence": {
    rule: "EV4",
    kind: "conflict",
    sentence: "Many nodes fell silent at once; destructive action is held.",
  },
  "keeps-running": {
    rule: "EV5",
    kind: "conflict",
    sentence: "The workload keeps running when disconnected, so silence does not end it.",
  },
} as const satisfies Record<string, RefusalEntry>;

export type RefusalCode = keyof typeof REFUSALS;
