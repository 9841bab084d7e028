/**
 * Why no node takes a replica: which rules turned away how many, each with the first node by name.
 */
import type { Because } from "../../protocol/decision.ts";
import {
  FEASIBILITY_RULES,
  firstMisfit,
  neighbourMisfit,
} from "../../rules/feasibility/feasibility.ts";
import { type Candidate, fieldOf } from "../../rules/feasibility/misfit.ts";
import { Neighbourhood } from "../../rules/feasibility/neighbourhood.ts";
import { shortage } from "../../model/amounts.ts";
import { nodeKey, quotaKey } from "../../model/ids.ts";
import type { Node, Replica } from "../../model/objects.ts";
import { overrideText } from "../../model/override.ts";
import { regionRoom } from "../../observe/accounts/quota-room.ts";
import type { View } from "../../observe/view.ts";
import {
  keptForAnother,
  refusedLately,
  rejectedLately,
} from "../../rules/obstacles/held-back-rules.ts";
import { regionQuota } from "../../rules/obstacles/region-quota.ts";
import { PARTITIONED_RULE } from "../../rules/override/partitioned.ts";
import { OVERRIDE_RULE } from "../../rules/override/wait-for-override.ts";
import type { NodeFinder } from "../fleet/node-finder.ts";
import type { PlacementMode } from "../fleet/placement-mode.ts";

export interface WhyNowhere {
  readonly rejected: NonNullable<Because["rejected"]>;
  /**
   * Why a node that fits in the view was passed over all the same; it passes by itself, and soon.
   */
  readonly heldBack:
    | "refused-lately"
    | "rejected-lately"
    | "room-kept"
    | "room-promised"
    | "override"
    | "region-partitioned"
    | undefined;
}

/** What the search of one look was. */
interface Search {
  readonly finder: NodeFinder;
  readonly view: View;
  readonly mode: PlacementMode;
}

export function whyNowhere(replica: Replica, { finder, view, mode }: Search): WhyNowhere {
  const rejected: Record<string, { count: number; example: string }> = {};
  const isAvoided = (node: Node): boolean => finder.places.by(node) !== undefined;
  const isPartitioned = ({ spec }: Node): boolean => finder.places.marksOn(spec.region).length > 0;
  let heldBack: WhyNowhere["heldBack"] = finder.hasAssumed ? "room-promised" : undefined;
  for (const [rule, { count, node }] of finder.rejected(replica, mode)) {
    if (rule === keptForAnother.name && heldBack !== "refused-lately") heldBack = "room-kept";
    if (rule === rejectedLately.name) heldBack ??= "rejected-lately";
    if (rule === refusedLately.name) heldBack = "refused-lately";
    if (rule === OVERRIDE_RULE && wouldFit(replica, view, isAvoided)) heldBack ??= "override";
    if (rule === PARTITIONED_RULE && wouldFit(replica, view, isPartitioned))
      heldBack ??= "region-partitioned";
    const shown = shownBy(rule, node, { replica, finder, view });
    rejected[rule] = { count, example: shown ?? example(node, replica, view) };
  }
  return { rejected, heldBack };
}

/**
 * The rules that the replica waits for. An override or a mark is one only where it is the reason:
 * the nodes under it may not fit the replica anyway.
 */
export function rulesWaitedFor({ rejected, heldBack }: WhyNowhere): readonly string[] {
  return Object.keys(rejected).filter(
    (rule) => (rule !== OVERRIDE_RULE && rule !== PARTITIONED_RULE) || rule === heldBack,
  );
}

/** The text for a rule that is not about the node itself. */
function shownBy(
  rule: string,
  node: Node,
  {
    replica,
    finder,
    view,
  }: { readonly replica: Replica; readonly finder: NodeFinder; readonly view: View },
): string | undefined {
  switch (rule) {
    case regionQuota.name:
      return regionShortage(node.meta.name, replica, view);
    case OVERRIDE_RULE:
      return avoidedText(node, finder);
    case PARTITIONED_RULE:
      return finder.budgets.partitionedText(replica, node);
    default:
      return undefined;
  }
}

/**
 * e.g. "Quota/payments/default regions.eu-west.cpuMillis: 0", the first amount of which there is
 * too little.
 */
export function regionShortage(
  node: string,
  { meta, spec }: Replica,
  { objects }: View,
): string | undefined {
  const region = objects.node(nodeKey(node))?.spec.region ?? "";
  const room = regionRoom(objects, meta.namespace, region);
  const short = room && shortage(spec.template.ask.amounts, room);
  if (room === undefined || short === undefined) return undefined;
  return `${quotaKey(meta.namespace)} regions.${region}.${short}: ${room[short]}`;
}

/** e.g. "Node//c-1: override ov-1 (avoid-zone by ana until 2026-11-16T12:30:00Z)" */
function avoidedText(node: Node, { places }: NodeFinder): string | undefined {
  const by = places.by(node);
  return by && `${node.key}: ${overrideText(by)}`;
}

/** Whether some node would take it without the override: else it does not wait for an override. */
function wouldFit(replica: Replica, { objects }: View, isMeant: (node: Node) => boolean): boolean {
  const neighbours = new Neighbourhood(objects.neighbours);
  for (const node of objects.all("Node").values()) {
    if (!isMeant(node)) continue;
    const candidate: Candidate = { node, use: objects.useOf(node.meta.name) };
    if (firstMisfit(candidate, replica.spec.template.ask) !== undefined) continue;
    if (neighbourMisfit(node, replica, neighbours) === undefined) return true;
  }
  return false;
}

function example(node: Node, replica: Replica, view: View): string {
  const candidate: Candidate = { node, use: view.objects.useOf(node.meta.name) };
  for (const rule of FEASIBILITY_RULES) {
    const misfit = rule.check(candidate, replica.spec.template.ask);
    if (misfit !== undefined) return `${fieldOf(misfit)}: ${misfit.actual}`;
  }
  return node.key;
}
