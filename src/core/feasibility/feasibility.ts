/**
 * The one judgement of "can this node take this replica". The scheduler asks it of its view, the authority
 * of the truth; they can differ in what they know, never in what they mean.
 */
import type { Ask } from "../model/objects.ts";
import { allowedLocation } from "./allowed-location.ts";
import { capacity } from "./capacity.ts";
import { devices } from "./devices.ts";
import type { Candidate, FeasibilityRule, Misfit } from "./misfit.ts";
import { nodeSelector } from "./node-selector.ts";
import { schedulable } from "./schedulable.ts";
import { taints } from "./taints.ts";

/** Lasting reasons first, passing ones last: the first misfit is the one a person is told. */
export const FEASIBILITY_RULES: readonly FeasibilityRule[] = [
  allowedLocation,
  nodeSelector,
  taints,
  schedulable,
  capacity,
  devices,
];

export function firstMisfit(
  candidate: Candidate,
  ask: Ask,
): { readonly rule: FeasibilityRule; readonly misfit: Misfit } | undefined {
  for (const rule of FEASIBILITY_RULES) {
    const misfit = rule.check(candidate, ask);
    if (misfit !== undefined) return { rule, misfit };
  }
  return undefined;
}
