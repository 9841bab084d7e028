/** Override: a decision of a person that holds for a time: what it does, to what and why (OV1). */
import {
  BUDGET_AMOUNT_MAX,
  OVERRIDE_ACTIONS,
  OVERRIDE_TTL_MS,
  type OverrideSpec,
  REASON_CHARACTERS,
  TARGET_FIELDS,
  TARGETS,
} from "../model/override.ts";
import type { Rejection } from "../protocol/rejection.ts";
import { type Bad, isCount } from "./well-formed/malformed-amounts.ts";
import { APPLIED_LAST, type WrittenDefinition } from "./kind-definition.ts";

export const overrideDefinition: WrittenDefinition<"Override"> = {
  kind: "Override",
  plural: "overrides",
  shortNames: ["ov"],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  isMeasured: true,
  applyStep: APPLIED_LAST,
  malformed: malformedOverride,
};

/** Names of what need not exist yet: a zone may be avoided before its first node joins. */
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

function malformedOverride(spec: OverrideSpec, bad: Bad): Rejection | undefined {
  const { action, reason, ttlMs } = spec;
  if (!OVERRIDE_ACTIONS.includes(action)) {
    return bad("spec.action", OVERRIDE_ACTIONS.join(" or "), action);
  }
  if (reason.trim() === "" || reason.length > REASON_CHARACTERS) {
    return bad("spec.reason", `1 to ${REASON_CHARACTERS} characters`, reason.length);
  }
  const { least, most } = OVERRIDE_TTL_MS;
  if (!isCount(ttlMs) || ttlMs < least || ttlMs > most) {
    return bad("spec.ttlMs", `a whole number from ${least} to ${most}`, ttlMs);
  }
  return (
    malformedTarget(spec, bad) ?? malformedAmount(spec, bad) ?? malformedPostcondition(spec, bad)
  );
}

function malformedTarget({ action, target }: OverrideSpec, bad: Bad): Rejection | undefined {
  const named = TARGET_FIELDS.filter((field) => target[field] !== undefined);
  const fits = TARGETS[action].some((fields) => fields.join() === named.join());
  if (!fits) {
    const choices = TARGETS[action].map((fields) => fields.join(" and ") || "nothing");
    return bad("spec.target", choices.join(", or "), named.join(" and ") || "nothing");
  }
  const odd = named.find((field) => !NAME.test(target[field] ?? ""));
  return odd && bad(`spec.target.${odd}`, "a name", target[odd] ?? "");
}

function malformedAmount({ action, amount }: OverrideSpec, bad: Bad): Rejection | undefined {
  if (action !== "raise-budget") {
    return amount === undefined ? undefined : bad("spec.amount", `none for ${action}`, amount);
  }
  const isSome = amount !== undefined && isCount(amount) && amount >= 1;
  return isSome && amount <= BUDGET_AMOUNT_MAX
    ? undefined
    : bad("spec.amount", `a whole number from 1 to ${BUDGET_AMOUNT_MAX}`, amount ?? "none");
}

function malformedPostcondition({ postcondition }: OverrideSpec, bad: Bad): Rejection | undefined {
  if (postcondition === undefined) return undefined;
  const { tenant, workload, serving } = postcondition;
  if (!NAME.test(tenant) || !NAME.test(workload)) {
    return bad("spec.postcondition", "a tenant and a workload", `${tenant}/${workload}`);
  }
  return isCount(serving)
    ? undefined
    : bad("spec.postcondition.serving", "a whole number, 0 or more", serving);
}
