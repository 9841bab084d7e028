/**
 * How the authority says no to another number of replicas or of machines; a part of the registry in
 * `refusals.ts`.
 */
import type { RefusalEntry } from "./refusals.ts";

export const SCALING_REFUSALS = {
  "workload-taken": {
    rule: "AS1",
    kind: "conflict",
    sentence: "Another autoscaler already scales the workload.",
  },
  "bad-reading": { rule: "AS2", kind: "refused", sentence: "The sample is invalid." },
  "observed-lately": {
    rule: "AS2",
    kind: "conflict",
    sentence: "The last sample of the workload is too recent.",
  },
  "observation-old": {
    rule: "AS3",
    kind: "conflict",
    sentence: "The sample is outdated: it is not the latest, or too old to act on.",
  },
  "scale-bounds": {
    rule: "AS4",
    kind: "conflict",
    sentence:
      "The number of replicas is outside the bounds of the autoscaler or the policy in force.",
  },
  "scale-not-due": {
    rule: "AS5",
    kind: "conflict",
    sentence: "The sample does not justify that number of replicas.",
  },
  "replicas-pending": {
    rule: "AS6",
    kind: "conflict",
    sentence: "Replicas of the workload are waiting or failing; more replicas would not help.",
  },
  "scaled-by-hand": {
    rule: "AS7",
    kind: "conflict",
    sentence: "Another client set the number of replicas a short while ago.",
  },
  "pool-fixed": {
    rule: "PN4",
    kind: "refused",
    sentence: "The pool and the supply of a node are read-only.",
  },
  "provision-not-needed": {
    rule: "PN2",
    kind: "conflict",
    sentence: "No replica that a new node of this pool would fit has waited long enough.",
  },
  "provision-bound": {
    rule: "PN3",
    kind: "conflict",
    sentence: "The pool or its region is at its maximum, or got a node too recently.",
  },
  "provision-backoff": {
    rule: "PN5",
    kind: "conflict",
    sentence: "Nodes of the pool did not join; it waits before the next request.",
  },
  "provision-not-over": {
    rule: "PN5",
    kind: "conflict",
    sentence: "The node may still join, or has joined.",
  },
  "provision-told": {
    rule: "PN5",
    kind: "conflict",
    sentence: "This was already reported, or contradicts the node's state.",
  },
  "node-not-idle": {
    rule: "PN6",
    kind: "conflict",
    sentence: "The node is in use, was in use a moment ago, or fits a waiting replica.",
  },
} as const satisfies Record<string, RefusalEntry>;
