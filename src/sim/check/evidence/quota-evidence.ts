/**
 * Whether a replica may keep the quota that was taken from it, asked of the sums of all objects at
 * that moment.
 */
import type { Evidence } from "../../../core/model/evidence.ts";
import { quotaKey } from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { quotaPicture } from "../models/naive-quota.ts";
import { AMOUNT_NAMES } from "../models/amount-names.ts";

type QuotaEvidence = Extract<Evidence, { readonly kind: "quota-reclaim" | "quota-shrunk" }>;

/** Why the eviction was wrong; undefined when it was right. */
export function whyItsOwn(
  victim: Replica,
  evidence: QuotaEvidence,
  objects: ObjectIndex,
): string | undefined {
  const picture = quotaPicture(objects);
  const tenant = victim.meta.namespace;
  const { amounts } = victim.spec.template.ask;
  const group = groupOf(tenant, objects);
  if (victim.status.stage === "unknown") return "its node is silent, so it cannot be stopped";
  if (evidence.kind === "quota-shrunk") {
    const quota = objects.get(quotaKey(tenant));
    if (quota?.kind !== "Quota" || quota.key !== evidence.quota || quota.spec.shrink !== "drain") {
      return `${evidence.quota} is not to be drained`;
    }
    const over = picture.uncovered(tenant);
    return AMOUNT_NAMES.some((name) => over[name] > 0 && amounts[name] > 0)
      ? undefined
      : `${evidence.quota} covers what it uses`;
  }
  const waiting = objects.replica(evidence.waiting);
  if (waiting === undefined || !picture.isEntitled(waiting)) {
    return `${evidence.waiting} does not wait for quota of its own`;
  }
  if (group === undefined || groupOf(waiting.meta.namespace, objects) !== group) {
    return `${tenant} is not in the group of ${waiting.meta.namespace}`;
  }
  const missing = picture.missing(tenant);
  const beyond = picture.beyond(tenant);
  return AMOUNT_NAMES.some((name) => missing[name] > 0 && beyond[name] > 0 && amounts[name] > 0)
    ? undefined
    : `${tenant} does not use more than its own of anything that ${waiting.meta.namespace} lacks`;
}

function groupOf(tenant: string, objects: ObjectIndex): string | undefined {
  const quota = objects.get(quotaKey(tenant));
  return quota?.kind === "Quota" ? quota.spec.group : undefined;
}
