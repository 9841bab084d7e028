/**
 * The rights of a region fall to what is charged: nothing new fits, and what was lost here may be
 * replaced. A limit never rises by it: where more is charged than the limit, as after a shrink, it
 * stays where it is.
 */
import type { Quota } from "../../model/objects.ts";
import { smallerOf } from "../../model/regional/exposure.ts";
import { equalAmounts } from "../../model/amounts.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { chargedOf } from "../../rules/regional/held.ts";
import { sameValue } from "../validate/same-value.ts";
import { changed, type CommitContext, touched } from "../verdict.ts";

export function fallenRights(context: CommitContext): readonly Change[] {
  const { objects } = context.ledger;
  return [...objects.all("Quota").values()].flatMap((quota) => {
    const limit = smallerOf(quota.spec.limit, chargedOf(objects, quota.meta.namespace));
    return equalAmounts(limit, quota.spec.limit)
      ? []
      : [withSpec(context, quota, { ...quota.spec, limit })];
  });
}

/** In a region quota is neither borrowed nor split: of a plane that served all regions, it was. */
export function ownRights(context: CommitContext): readonly Change[] {
  const { objects } = context.ledger;
  return [...objects.all("Quota").values()].flatMap((quota) => {
    const { weight, shrink, counts } = quota.spec;
    const spec = {
      limit: smallerOf(quota.spec.limit, chargedOf(objects, quota.meta.namespace)),
      ...(weight === undefined ? {} : { weight }),
      ...(shrink === undefined ? {} : { shrink }),
      ...(counts === undefined ? {} : { counts }),
    };
    return sameValue(spec, quota.spec) ? [] : [withSpec(context, quota, spec)];
  });
}

export function withSpec(context: CommitContext, quota: Quota, spec: Quota["spec"]): Change {
  const generation = quota.meta.generation + 1;
  const meta = { ...touched(quota.meta, context.next), generation };
  return changed(quota, { ...quota, meta, spec });
}
