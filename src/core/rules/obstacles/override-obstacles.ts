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
import type { ObjectIndex } from "../../observe/object-index.ts";
import { PARTITIONED_RULE, partitionedText, whySensitive } from "../override/partitioned.ts";
import { heldByOverride } from "../override/held-by-override.ts";
import { OVERRIDE_RULE } from "../override/wait-for-override.ts";
import type { Obstacle } from "./obstacles.ts";
import type { Placing, Remedy } from "./remedy.ts";

export function ofOverrides(
  { node, replica }: Placing,
  {
    objects,
    overrides,
  }: { readonly objects: ObjectIndex; readonly overrides: readonly Override[] },
): readonly Obstacle[] {
  if (overrides.length === 0) return [];
  const bind: IntentOf<"bind"> = {
    kind: "bind",
    operation: operationId(""),
    replica: replica.key,
    incarnation: replica.status.incarnation,
    node: node.meta.name,
    deviceIds: [],
  };
  const held = overrides
    .filter((each) => isAway(each, node) || heldByOverride(objects, bind, [each]) !== undefined)
    .map((each): Obstacle => ({
      rule: OVERRIDE_RULE,
      code: "held-by-override",
      what: "",
      expected: "no override",
      actual: overrideText(each),
      remedy: releasing(each),
    }));
  return [...held, ...ofMarks(replica, node, { objects, overrides })];
}

const releasing = ({ meta, status }: Override): Remedy => ({
  kind: "release-override",
  override: meta.name,
  owner: status.owner,
  untilMs: status.untilMs,
});

const NOTHING_EARLIER = { bindsOf: () => 0, spentOf: () => NOTHING };

/** What a partitioned region is not given. */
function ofMarks(
  replica: Replica,
  { spec: { region } }: Node,
  {
    objects,
    overrides,
  }: { readonly objects: ObjectIndex; readonly overrides: readonly Override[] },
): readonly Obstacle[] {
  const marks = overrides.filter(
    (each) => isPartitioned(each) && each.spec.target.region === region,
  );
  if (marks.length === 0) return [];
  const isPaid =
    recoveryBudgetFor(objects, { replica, region, earlier: NOTHING_EARLIER }) !== undefined;
  const why =
    whySensitive(objects, replica, region) ??
    (isPaid
      ? undefined
      : ({ test: "budget", text: `no budget granted before the partition covers it` } as const));
  if (why === undefined) return [];
  return marks.map((mark) => ({
    rule: PARTITIONED_RULE,
    code: "region-partitioned",
    what: why.test,
    expected: "a decision that the region can make alone alone",
    actual: partitionedText(mark, why),
    remedy: releasing(mark),
  }));
}

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
