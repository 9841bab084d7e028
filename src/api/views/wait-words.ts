/**
 * The codes of a wait, in words: its reason, the rule that rejected nodes, and the example of one.
 * Programs read the codes; people read these.
 */
import type { WaitReason } from "../../core/protocol/decision.ts";
import { cpuText, deviceText, memoryText } from "../kinds/text/amounts-text.ts";
import type { StandingReason } from "./view-rows.ts";

const REASONS: Readonly<Record<WaitReason | StandingReason, string>> = {
  "quota-exhausted": "no quota left",
  "quota-lent": "quota is lent to another tenant",
  "no-feasible-node": "no node fits",
  "refused-lately": "plane rejected it lately",
  "rejected-lately": "node rejected it lately",
  "room-promised": "room is promised to others",
  "room-held": "room is reserved",
  "room-kept": "room is kept for recovery",
  "room-free": "room is free",
  "nothing-to-preempt": "nothing to preempt",
  "preemption-budget": "preemption budget is used",
  "preemption-rate": "too many preemptions lately",
  "disruption-budget": "disruption budget is used",
  "correlated-silence": "many nodes are silent at once",
  "not-silent-long-enough": "node is not silent long enough",
  disconnected: "node is disconnected",
  "restart-backoff": "delay before a restart",
  stopping: "process is stopping",
  "needs-a-person": "a person must decide",
  "agent-forgot": "agent forgot the replica",
  "foreign-finalizer": "another program's finalizer",
  "in-use": "still in use",
  "secret-missing": "a secret is missing",
  "no-lease": "node has no lease",
  "start-rate": "too many starts at once",
  "attempts-exhausted": "too many attempts",
  "backing-off": "delay before the next attempt",
  "retry-budget": "retry budget is used",
  "awaiting-own-write": "waits for its own change",
  "gang-incomplete": "gang is not complete",
  "gang-does-not-fit": "gang does not fit",
  "gang-waiting": "gang waits",
  gathering: "gathers replicas",
  "gang-backoff": "delay before the gang's next attempt",
  "rollout-paused": "rollout is paused",
  "rollout-step": "rollout step is not over",
  "rollout-surge": "rollout has no surge left",
  "rollout-unavailable-budget": "too few replicas serve to go on",
  "rollout-not-serving": "new replicas do not serve yet",
  "job-parallelism": "enough indexes run at once",
  "job-deadline": "job's deadline",
  recovering: "recovery is under way",
  "recovery-short": "too little headroom for recovery",
  "recovery-budget": "recovery budget",
  "job-ttl": "finished job is kept for a while",
  "binding-ends": "role binding ends later",
  override: "an override",
  "region-partitioned": "region is partitioned",
  "region-term": "the region's term lasts",
  "region-learning": "the region learns what its agents run",
  "load-steady": "load is steady",
  "scale-limited": "scaling is limited",
  "scale-refused": "scaling was rejected",
  "scale-switched-off": "scaling is switched off",
  "scaled-by-hand": "scaled by hand",
  "samples-old": "samples are old",
  "pool-steady": "pool is steady",
  "pool-bound": "pool is at its limit",
  "pool-backoff": "delay before the next machine",
  "node-provisioning": "a node is on its way",
  "node-busy": "node is busy",
  "not-admitted": "not admitted yet",
  "waiting-for-quota": "waiting for quota",
  "waiting-for-node": "waiting for a node",
  failed: "failed",
  "node-silent": "node is silent",
};

/** A newer plane may send a reason that this page does not know. */
export const reasonWords = (reason: string): string =>
  Object.hasOwn(REASONS, reason) ? REASONS[reason as WaitReason] : codeWords(reason);

/** "max-per-node" → "max per node": the name of a rule, of a command or of a refusal. */
export const codeWords = (code: string): string => code.replaceAll("-", " ");

const AMOUNT = /^(\S+) (?:regions\.(\S+)\.)?(cpuMillis|memoryMiB|deviceMillis): (-?\d+)$/;

/**
 * "Node//a-1 cpuMillis: 100" → "node a-1: 100m CPU free", "Node//a-1 taints: gpu=yes" → "node a-1,
 * taints: gpu=yes".
 */
export function exampleWords(example: string): string {
  const [, key, region, name, amount] = AMOUNT.exec(example) ?? [];
  if (key !== undefined && name !== undefined) {
    const where = region === undefined ? "" : ` in ${region}`;
    return `${keyWords(key)}${where}: ${freeText(name, Number(amount))}`;
  }
  const [, other, rest = ""] = /^([A-Z]\w*\/\S*?)(:? .*|)$/s.exec(example) ?? [];
  if (other === undefined) return example;
  const then = rest.startsWith(" ") ? `,${rest}` : rest;
  return `${keyWords(other)}${then}`;
}

/** Why the plane rejected a proposal, with what it expected unless that is an amount. */
export function refusalWords(refusal: {
  readonly code: string;
  readonly field: string;
  readonly expected: string | number;
  readonly actual: string | number;
}): string {
  const { code, field, expected, actual } = refusal;
  const found = `${field}: ${actual}`;
  const words = exampleWords(found);
  const isAmount = AMOUNT.test(found);
  return `${codeWords(code)}: ${words}${isAmount ? "" : `, expected ${expected}`}`;
}

/** "Node//a-1" → "node a-1", "Workload/payments/api" → "workload payments/api" */
function keyWords(key: string): string {
  const [kind = "", namespace = "", ...name] = key.split("/");
  const own = name.join("/");
  return `${kind.toLowerCase()} ${namespace === "" ? own : `${namespace}/${own}`}`;
}

function freeText(name: string, amount: number): string {
  // Where the limit was lowered, less than nothing is free.
  const free = Math.max(0, amount);
  if (name === "cpuMillis") return free === 0 ? "no CPU free" : `${cpuText(free)} CPU free`;
  if (name === "memoryMiB") return free === 0 ? "no memory free" : `${memoryText(free)} free`;
  if (free === 0) return "no device free";
  return `${deviceText(free)} ${free === 1_000 ? "device" : "devices"} free`;
}
