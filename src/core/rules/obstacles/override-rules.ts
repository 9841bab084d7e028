/**
 * Which overrides keep one replica from one node, by the same check that its bind would meet (OV5,
 * OV10, DG3).
 */
import type { IntentOf } from "../../protocol/command.ts";
import { operationId } from "../../model/ids.ts";
import { isAvoiding, isPartitioned, meansPlace, overrideText } from "../../model/override.ts";
import { NOTHING } from "../../model/amounts.ts";
import type { Node, Override, Replica } from "../../model/objects.ts";
import { recoveryBudgetFor } from "../recovery/recovery-budget-for.ts";
import { RECOVERY_BUDGETS_FACT, NODES_FACT } from "../../observe/facts.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import {
  PARTITIONED_RULE,
  partitionedText,
  type Sensitive,
  whySensitive,
} from "../override/partitioned.ts";
import { heldByOverride } from "../override/held-by-override.ts";
import { OVERRIDE_RULE } from "../override/wait-for-override.ts";
import type { Obstacle } from "./obstacle.ts";
import type { PlacementRule } from "./placement-rule.ts";
import type { Remedy } from "./remedy.ts";

/** No fact of its own: the end of an override makes schedulers look at all that is queued. */
export const overrideRule: PlacementRule = {
  name: OVERRIDE_RULE,
  wakes: () => [NODES_FACT],
  obstacles({ node, replica }, { objects, overrides }) {
    if (overrides.length === 0) return [];
    const bind: IntentOf<"bind"> = {
      kind: "bind",
      operation: operationId(""),
      replica: replica.key,
      incarnation: replica.status.incarnation,
      node: node.meta.name,
      deviceIds: [],
    };
    return overrides
      .filter((each) => isAway(each, node) || heldByOverride(objects, bind, [each]) !== undefined)
      .map((each): Obstacle => ({
        rule: OVERRIDE_RULE,
        code: "held-by-override",
        what: "",
        expected: "no override",
        actual: overrideText(each),
        remedy: releasing(each),
      }));
  },
};

/**
 * What a partitioned region is not given. A budget may pay for a place there; the end of the mark
 * itself makes schedulers look at all that is queued.
 */
export const partitionedRule: PlacementRule = {
  name: PARTITIONED_RULE,
  wakes: () => [RECOVERY_BUDGETS_FACT],
  obstacles({ node, replica }, { objects, overrides }) {
    if (overrides.length === 0) return [];
    const { region } = node.spec;
    const marks = overrides.filter(
      (each) => isPartitioned(each) && each.spec.target.region === region,
    );
    if (marks.length === 0) return [];
    const why = whySensitive(objects, replica, region) ?? unpaid(objects, replica, region);
    if (why === undefined) return [];
    return marks.map((mark) => ({
      rule: PARTITIONED_RULE,
      code: "region-partitioned",
      what: why.test,
      expected: "a decision that the region can make alone",
      actual: partitionedText(mark, why),
      remedy: releasing(mark),
    }));
  },
};

const NOTHING_EARLIER = { bindsOf: () => 0, spentOf: () => NOTHING };

function unpaid(objects: ObjectIndex, replica: Replica, region: string): Sensitive | undefined {
  const isPaid =
    recoveryBudgetFor(objects, { replica, region, earlier: NOTHING_EARLIER }) !== undefined;
  if (isPaid) return undefined;
  return { test: "budget", text: "no budget granted before the partition covers it" };
}

const releasing = ({ meta, status }: Override): Remedy => ({
  kind: "release-override",
  override: meta.name,
  owner: status.owner,
  untilMs: status.untilMs,
});

/** Whether the node is no place that could take anything. */
export const isAvoided = (node: Node, overrides: readonly Override[]): boolean =>
  overrides.some((each) => isAway(each, node));

/** Also a node that there is not yet: a new one in an avoided zone does not help. */
const isAway = (override: Override, node: Node): boolean =>
  isAvoiding(override) &&
  meansPlace(override.spec.target, {
    name: node.meta.name,
    region: node.spec.region,
    zone: node.spec.zone,
  });
