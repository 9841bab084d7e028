/** PolicyRevision: rules that never change once they are committed. */
import { reservedUnder } from "../model/reservation.ts";
import type { ObjectKey } from "../model/ids.ts";
import { type PolicyRules, RETRY_BOUNDS, SCALED_REPLICAS_MOST } from "../model/policy.ts";
import { SUSPECT_AFTER_MS, UNKNOWN_AFTER_MS } from "../model/timing.ts";
import { holdsNode } from "../model/stage.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { POLICY_FIELDS } from "./fields/policy-fields.ts";
import type { BrokenRule, WrittenDefinition } from "./kind-definition.ts";
import { firstKey, stillInUse } from "./still-in-use.ts";
import { malformedGrants } from "./well-formed/malformed-recovery-budget.ts";

export const policyRevisionDefinition: WrittenDefinition<"PolicyRevision"> = {
  kind: "PolicyRevision",
  plural: "policyrevisions",
  shortNames: ["prev"],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 20,
  about: "The rules for decisions. It is immutable; a Policy activates it.",
  spec: {
    about: "The rules for decisions.",
    fields: POLICY_FIELDS,
    example: {
      name: "default-2",
      spec: {
        scoring: "best-fit",
        spread: [{ by: "zone" }],
        health: { suspectAfter: "8s", unknownAfter: "15s" },
      },
    },
    rules: [suspectAfterUnknown, firstWaitAboveMost, minAboveMax, halfPace],
  },
  malformed: ({ recovery }, bad) => recovery && malformedGrants(recovery, bad),
  stillUsed: (objects, { key, meta }) => stillInUse(key, firstKey(namers(objects, meta.name))),
};

/** Pointers, live bindings and held rooms that name the revision (PY3). */
function* namers(objects: ObjectIndex, revision: string): Iterable<ObjectKey> {
  for (const { key, spec } of objects.all("Policy").values()) {
    const stages = spec.stages ?? [];
    if (spec.active === revision || stages.some((stage) => stage.revision === revision)) yield key;
  }
  for (const { key, status } of objects.all("Replica").values()) {
    if (status.policyRevision === revision && holdsNode(status.stage)) yield key;
  }
  for (const { key, spec } of objects.all("Reservation").values()) {
    if (reservedUnder(spec) === revision) yield key;
  }
}

/** A node that is called unknown too early is one whose agent still holds its lease (EV3). */
function suspectAfterUnknown({ health = {} }: PolicyRules): BrokenRule | undefined {
  const { suspectAfterMs = SUSPECT_AFTER_MS, unknownAfterMs = UNKNOWN_AFTER_MS } = health;
  const expected = `at most unknownAfter, ${unknownAfterMs}`;
  return suspectAfterMs > unknownAfterMs
    ? { field: "health.suspectAfterMs", found: suspectAfterMs, expected }
    : undefined;
}

function firstWaitAboveMost({ retries = {} }: PolicyRules): BrokenRule | undefined {
  const { least, most } = RETRY_BOUNDS.backoffFirstMs;
  const { backoffFirstMs = least, backoffMostMs = most } = retries;
  const expected = `at most ${backoffMostMs}`;
  return backoffFirstMs > backoffMostMs
    ? { field: "retries.backoffFirstMs", found: backoffFirstMs, expected }
    : undefined;
}

function minAboveMax({ autoscaling = {} }: PolicyRules): BrokenRule | undefined {
  const { minReplicas = 0, maxReplicas = SCALED_REPLICAS_MOST } = autoscaling;
  const expected = `at most maxReplicas, ${maxReplicas}`;
  return minReplicas > maxReplicas
    ? { field: "autoscaling.minReplicas", found: minReplicas, expected }
    : undefined;
}

function halfPace({ provisioning = {} }: PolicyRules): BrokenRule | undefined {
  const { nodes, periodMs } = provisioning;
  if ((nodes === undefined) === (periodMs === undefined)) return undefined;
  return {
    field: "provisioning.periodMs",
    found: periodMs ?? "(none)",
    expected: "with nodes, or neither",
    message: "found one of nodes and period; expected both of them or none.",
  };
}
