/** Which overrides keep one replica from one node, by the same judgement that its bind would meet (OV5, OV10). */
import type { IntentOf } from "../commit/command.ts";
import { operationId } from "../model/ids.ts";
import { isAvoiding, meansPlace, overrideText } from "../model/override.ts";
import type { Node, Override } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { heldByOverride } from "../override/held-by-override.ts";
import { OVERRIDE_RULE } from "../override/wait-for-override.ts";
import type { Obstacle } from "./obstacles.ts";
import type { Placing } from "./remedy.ts";

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
    life: replica.status.life,
    node: node.meta.name,
    deviceIds: [],
  };
  return overrides
    .filter((each) => isAway(each, node) || heldByOverride(objects, bind, [each]) !== undefined)
    .map((each) => ({
      rule: OVERRIDE_RULE,
      code: "held-by-override",
      what: "",
      expected: "no override",
      actual: overrideText(each),
      remedy: {
        kind: "release-override",
        override: each.meta.name,
        owner: each.status.owner,
        untilMs: each.status.untilMs,
      },
    }));
}

/** Whether the node is no place that could take anything. */
export const isAvoided = (node: Node, overrides: readonly Override[]): boolean =>
  overrides.some((each) => isAway(each, node));

/** Also a node that there is not yet: a new one in a zone that is avoided helps nobody. */
const isAway = (override: Override, node: Node): boolean =>
  isAvoiding(override) &&
  meansPlace(override.spec.target, {
    name: node.meta.name,
    region: node.spec.region,
    zone: node.spec.zone,
  });
