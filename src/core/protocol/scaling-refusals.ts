/** How the authority says no to another number of replicas or of machines; a part of the registry in `refusals.ts`. */
import type { RefusalEntry } from "./refusals.ts";

export const SCALING_REFUSALS = {
  "workload-taken": {
    rule: "AS1",
    kind: "conflict",
    sentence: "Another autoscaler scales the workload already.",
  },
  "bad-reading": { rule: "AS2", kind: "refused", sentence: "The reading is not well-formed." },
  "observed-lately": {
    rule: "AS2",
    kind: "conflict",
    sentence: "The workload was observed a moment ago.",
  },
  "observation-old": {
    rule: "AS3",
    kind: "conflict",
    sentence: "The observation is not the last, or nobody knows that it is young enough.",
  },
  "scale-bounds": {
    rule: "AS4",
    kind: "conflict",
    sentence: "The number is outside of what the autoscaler and the policy in force allow.",
  },
  "scale-not-due": {
    rule: "AS5",
    kind: "conflict",
    sentence: "What was observed does not ask for that many replicas, or that few.",
  },
  "replicas-pending": {
    rule: "AS6",
    kind: "conflict",
    sentence: "Replicas of the workload wait or fail; more of them would serve nobody.",
  },
  "scaled-by-hand": {
    rule: "AS7",
    kind: "conflict",
    sentence: "Somebody else wrote the number of replicas a short while ago.",
  },
  "pool-fixed": {
    rule: "PN4",
    kind: "refused",
    sentence: "Which pool a node is of, and whether it is there yet, is not for anybody to write.",
  },
  "provision-not-needed": {
    rule: "PN2",
    kind: "conflict",
    sentence: "Nobody has waited long enough whom another node of the pool would help.",
  },
  "provision-bound": {
    rule: "PN3",
    kind: "conflict",
    sentence: "The pool, or its region, has as many nodes as it may, or got some a moment ago.",
  },
  "provision-backoff": {
    rule: "PN5",
    kind: "conflict",
    sentence: "Nodes of the pool did not come, and it waits before it asks again.",
  },
  "provision-not-over": {
    rule: "PN5",
    kind: "conflict",
    sentence: "The node may still come, or has come.",
  },
  "provision-told": {
    rule: "PN5",
    kind: "conflict",
    sentence: "That was said of the node already, or does not fit what is known of it.",
  },
  "node-not-idle": {
    rule: "PN6",
    kind: "conflict",
    sentence: "The node holds something, did so a moment ago, or is wanted by what waits.",
  },
} as const satisfies Record<string, RefusalEntry>;
