/** What a workload would rather have of a node, in points: nothing here turns a node away. */
import type { Ask, Node } from "../../model/objects.ts";
import type { Taint } from "../../model/node/taint.ts";
import { expressionHolds } from "./expression-holds.ts";
import { isTolerated } from "./taints.ts";

/** A point of weight weighs as much as one per cent of a node's room. */
const POINTS_PER_WEIGHT = 10;

/** A node that asks to be left alone is used when the others are at least half fuller. */
const UNWELCOME = -500;

export function preferencePoints(node: Node, ask: Ask): number {
  let points = 0;
  for (const { weight, expressions } of ask.preferredNodes ?? []) {
    const holds = expressions.every((expression) => expressionHolds(expression, node.meta.labels));
    if (holds) points += weight * POINTS_PER_WEIGHT;
  }
  for (const taint of node.spec.taints) if (isUnwelcome(taint, ask)) points += UNWELCOME;
  return points;
}

const isUnwelcome = (taint: Taint, ask: Ask): boolean =>
  taint.effect === "prefer-no-schedule" && !isTolerated(taint, ask);
