/** The assumptions of the placement rules about a workload's template (OB5). */
import { WHOLE_DEVICE_MILLIS } from "../../rules/feasibility/devices.ts";
import { wrongValues } from "../../model/expression-values.ts";
import type { Ask, Template } from "../../model/objects.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import { type Bad, isCount, malformedAmounts } from "./malformed-amounts.ts";

export function malformedTemplate(template: Template, bad: Bad): Rejection | undefined {
  const skew = template.spread.find(({ maxSkew }) => !isCount(maxSkew) || maxSkew === 0);
  if (skew !== undefined) {
    return bad("spec.spread.maxSkew", "a whole number, 1 or more", skew.maxSkew);
  }
  const { maxPerNode } = template;
  if (maxPerNode !== undefined && (!isCount(maxPerNode) || maxPerNode === 0)) {
    return bad("spec.placement.maxPerNode", "a whole number, 1 or more", maxPerNode);
  }
  return (
    malformedAmounts(template.ask.amounts, "spec.resources", bad) ??
    malformedDevice(template.ask, bad) ??
    malformedExpressions(template.ask, bad) ??
    malformedWeights(template, bad)
  );
}

function malformedExpressions(
  { nodeExpressions, preferredNodes }: Ask,
  bad: Bad,
): Rejection | undefined {
  const preferred = (preferredNodes ?? []).flatMap(({ expressions }) => expressions);
  for (const expression of [...(nodeExpressions ?? []), ...preferred]) {
    const wrong = wrongValues(expression);
    if (wrong === undefined) continue;
    const found = expression.values.join(",") || "none";
    return bad("spec.placement.nodeExpressions", `${expression.operator} with ${wrong}`, found);
  }
  return undefined;
}

/** Weights are multiplied and added up, so they are bounded. */
function malformedWeights({ ask, affinity }: Template, bad: Bad): Rejection | undefined {
  const weighted = [
    ...(ask.preferredNodes ?? []),
    ...(affinity?.preferred ?? []),
    ...(affinity?.antiPreferred ?? []),
  ];
  const wrong = weighted.find(({ weight }) => !isCount(weight) || weight < 1 || weight > 100);
  return wrong === undefined
    ? undefined
    : bad("spec.placement", "a weight of 1 to 100", wrong.weight);
}

/** Quota and capacity count the device request, so both numbers must agree. */
function malformedDevice({ amounts, device }: Ask, bad: Bad): Rejection | undefined {
  const field = "spec.resources.devices";
  if (device === undefined) {
    return amounts.deviceMillis === 0
      ? undefined
      : bad("spec.resources.deviceMillis", "0 without devices", amounts.deviceMillis);
  }
  const { count, shareMillis } = device;
  if (!isCount(count) || count === 0) return bad(field, "a count of 1 or more", count);
  const isShare = isCount(shareMillis) && shareMillis > 0 && shareMillis <= WHOLE_DEVICE_MILLIS;
  if (!isShare) return bad(`${field}.share`, "1 to 1000 thousandths", shareMillis);
  // A share is of one single device: a replica cannot run on parts of several devices.
  if (shareMillis < WHOLE_DEVICE_MILLIS && count > 1) return bad(field, "one share", count);
  return amounts.deviceMillis === count * shareMillis
    ? undefined
    : bad("spec.resources.deviceMillis", `${count * shareMillis}`, amounts.deviceMillis);
}
