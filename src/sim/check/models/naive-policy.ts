/**
 * Which policy revision is in force for whom, said a second time: plain walks over the objects of
 * one moment. It knows nothing of how planes look it up.
 */
import type { Replica, Spread, Template } from "../../../core/model/objects.ts";
import type { PolicyRules } from "../../../core/model/policy.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";

export const policyNamed = (template: Template): string =>
  template.policy === undefined ? "default" : template.policy;

/**
 * The rules of the revision that the pointer names for the region; undefined where no revision is
 * named.
 */
export function rulesAt(
  objects: ObjectIndex,
  template: Template,
  region: string | undefined,
): PolicyRules | undefined {
  const name = policyNamed(template);
  for (const { meta, spec } of objects.all("Policy").values()) {
    if (meta.name !== name) continue;
    const staged = (spec.stages ?? []).filter((stage) => stage.region === region);
    const revision = staged.length === 0 ? spec.active : staged[0]?.revision;
    for (const each of objects.all("PolicyRevision").values()) {
      if (each.meta.name === revision) return each.spec;
    }
  }
  return undefined;
}

/**
 * Its own, or of a workload that has none what is in force in the one region it may run in, or else
 * everywhere.
 */
export function naiveSpread(objects: ObjectIndex, template: Template): readonly Spread[] {
  if (template.spread.length > 0) return template.spread;
  const { regions } = template.ask;
  const region = regions.length === 1 ? regions[0] : undefined;
  return rulesAt(objects, template, region)?.spread ?? [];
}

/** Whether the rules in force where the victim is keep the two bands from each other. */
export function areBandsApart(
  objects: ObjectIndex,
  by: { readonly replica: Replica; readonly band: string },
  victim: { readonly replica: Replica; readonly band: string },
): boolean {
  const node = [...objects.all("Node").values()].find(
    ({ meta }) => meta.name === victim.replica.status.node,
  );
  const rules = rulesAt(objects, by.replica.spec.template, node?.spec.region);
  if (by.band === "" || rules?.preemption === undefined) return false;
  const { never = [], apart = [] } = rules.preemption;
  return (
    never.some((band) => band === by.band) ||
    apart.some((set) => set.some((b) => b === by.band) && set.some((b) => b === victim.band))
  );
}
