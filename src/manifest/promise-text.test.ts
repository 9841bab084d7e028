import { expect, test } from "vitest";
import type { CommitmentSpec } from "../core/model/commitment.ts";
import { promiseText } from "./promise-text.ts";

const MINUTES_5 = 300_000;

test.each<readonly [namespace: string, spec: CommitmentSpec, text: string]>([
  [
    "payments",
    {
      recover: { workload: "api", replicas: 4, in: ["eu-west"], withinMs: MINUTES_5 },
      when: { lose: "region", which: "eu-central" },
      holds: { atLeast: 999_000 },
    },
    "4 replicas of payments/api serve in eu-west within 5m when region eu-central is lost, in 99.9% of the runs.",
  ],
  [
    "berth",
    {
      keepServing: { workload: "payments/api", atLeast: 1 },
      when: { drain: "node", anyOf: 2, also: ["leader-change", "slow-starts"] },
    },
    "payments/api never has fewer than 1 serving replica when any 2 nodes are drained, the leader changes and starts are slow.",
  ],
  [
    "berth",
    { wait: { priorityClass: "critical", withinMs: 2_000, share: 990_000 } },
    "99% of the replicas of class critical find a place within 2s.",
  ],
  [
    "payments",
    { invariant: { labels: { app: "api" }, per: "zone", atLeast: 1, atMost: 3 } },
    "Each zone has at least 1 and at most 3 replicas of app=api.",
  ],
  ["berth", { headroom: {} }, "There is a place for every lost replica."],
])("a promise of %s reads as a sentence: %j", (namespace, spec, text) => {
  expect(promiseText(spec, namespace)).toBe(text);
});
