/**
 * Whether a node fits a replica, computed slowly and without the module that scheduler and
 * authority share: sums over the replicas themselves, cached until the next change.
 */
import type { Ask, Labels, Node, NodeExpression, Replica } from "../../../core/model/objects.ts";
import type { Taint, Toleration } from "../../../core/model/node/taint.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import {
  areSiblings,
  brokenCap,
  everyPlaced,
  hasCompany,
  keepsSkew,
  keptApartFrom,
  sharesPort,
} from "./naive-neighbours.ts";
import { avoidedBy, holdingAt } from "./naive-overrides.ts";
import { isTakenThere } from "./naive-partitioned.ts";
import { quotaPicture } from "./naive-quota.ts";
import { hasRoom, hasRoomWithout } from "./naive-room.ts";
import { naiveSpread } from "./naive-policy.ts";
import { perLike } from "./per-like.ts";

/** Why the node takes no new work at all; undefined when it does. */
export function notSchedulable(node: Node): string | undefined {
  if (node.status.health !== "ready") return `is ${node.status.health}`;
  if (node.status.damped !== undefined) return "is held for flapping";
  if (node.status.clock !== undefined) return "has a clock that cannot be trusted";
  if (node.spec.draining) return "is draining";
  if (node.spec.supply === "soft") return "is only a forecast";
  if (node.meta.deletingMs !== undefined) return "is being deleted";
  const cordon = node.spec.cordons[0];
  return cordon === undefined ? undefined : `is cordoned by ${cordon.holder}`;
}

/** Why the node does not run it by the driver that it asks for. */
function notDriven({ status }: Node, { driver, disk }: Ask): string | undefined {
  if (driver === undefined) return undefined;
  if (status.drivers === undefined) {
    const isKnown = status.session > 0;
    return isKnown && driver !== "process" ? "runs plain processes" : undefined;
  }
  const able = status.drivers.filter(({ name, lacks }) => name === driver && lacks === undefined);
  const can = able.some(({ lacksDisk }) => disk === undefined || lacksDisk === undefined);
  return can ? undefined : `cannot run the driver ${driver}`;
}

/** Why the replica may not run on this node, full or empty; undefined when it may. */
export function notAllowed(node: Node, ask: Ask): string | undefined {
  const { region, zone, taints } = node.spec;
  if (ask.regions.length > 0 && !ask.regions.includes(region)) return `is in region ${region}`;
  if (ask.zones.length > 0 && !ask.zones.includes(zone)) return `is in zone ${zone}`;
  for (const label in ask.nodeSelector) {
    const value = ask.nodeSelector[label];
    if (node.meta.labels[label] !== value) return `has no label ${label}=${value}`;
  }
  const untrue = (ask.nodeExpressions ?? []).find((said) => !isTrue(said, node.meta.labels));
  if (untrue !== undefined) {
    return `has no label ${untrue.key} that is ${untrue.operator} ${untrue.values.join("|")}`;
  }
  const repelling = taints.find(
    (taint) => taint.effect === "no-schedule" && !ask.tolerations.some((t) => bears(t, taint)),
  );
  if (repelling !== undefined) return `has the taint ${repelling.key}=${repelling.value}`;
  return notDriven(node, ask);
}

function bears({ key, value, effect }: Toleration, taint: Taint): boolean {
  if (key !== "" && key !== taint.key) return false;
  if (value !== "" && value !== taint.value) return false;
  return effect === undefined || effect === "" || effect === taint.effect;
}

function isTrue({ key, operator, values }: NodeExpression, labels: Labels): boolean {
  const label = labels[key];
  if (operator === "exists") return label !== undefined;
  if (operator === "does-not-exist") return label === undefined;
  if (operator === "not-in") return label === undefined || !values.includes(label);
  if (label === undefined) return false;
  if (operator === "in") return values.includes(label);
  const [number, bound] = [label, values[0] ?? ""].map((text) =>
    /^-?\d{1,15}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN,
  );
  if (number === undefined || bound === undefined) return false;
  return operator === "gt" ? number > bound : number < bound;
}

/** Nodes that fit the replica at this moment. */
export const feasibleNodes = perLike((objects, replica): readonly Node[] => {
  const roomy = openNodes(objects, replica).filter((node) => hasRoom(objects, node, replica));
  return roomy.length === 0 ? roomy : roomy.filter(feasibleButForRoom(objects, replica));
});

/** A node that fits the replica once all its batches and stopping replicas have gone. */
export const nodeWithoutBatches = perLike((objects, replica): Node | undefined => {
  const roomy = openNodes(objects, replica).filter((node) => {
    const there = [...objects.replicasOn(node.meta.name).values()];
    const batches = there.filter(({ spec }) => spec.type === "batch").map(({ key }) => key);
    return hasRoomWithout(objects, node, replica, { replicas: new Set(batches) });
  });
  return roomy.length === 0 ? undefined : roomy.find(feasibleButForRoom(objects, replica));
});

/** Nodes that fit but for room and neighbours. */
export const openNodes = perLike((objects, replica): readonly Node[] => {
  const overrides = [...holdingAt(objects)];
  return [...objects.all("Node").values()].filter(
    (node) =>
      notSchedulable(node) === undefined &&
      notAllowed(node, replica.spec.template.ask) === undefined &&
      avoidedBy(overrides, node) === undefined &&
      isTakenThere(objects, replica, node),
  );
});

/** Tests for nodes whose only obstacle may be room. */
export const feasibleButForRoom = perLike((objects, replica): ((node: Node) => boolean) => {
  const spread = naiveSpread(objects, replica.spec.template);
  const open = openNodes(objects, replica);
  const isGranted = hasRegionQuota(objects, replica);
  const others = everyPlaced(objects);
  const siblings = others
    .filter((other) => areSiblings(other.replica, replica))
    .map(({ node }) => node);
  return (node) => {
    const placed = { replica, node };
    return (
      open.includes(node) &&
      brokenCap(placed, others) === undefined &&
      keptApartFrom(placed, others) === undefined &&
      sharesPort(placed, others) === undefined &&
      hasCompany(placed, others) &&
      isGranted(node) &&
      spread.every((rule) => keepsSkew(rule, node, open, siblings))
    );
  };
});

/** A region whose part of the tenant's quota is used up takes none of its replicas. */
function hasRegionQuota(objects: ObjectIndex, replica: Replica): (node: Node) => boolean {
  const { namespace } = replica.meta;
  const bounded = [...objects.all("Quota").values()].some(
    ({ meta, spec }) => meta.namespace === namespace && spec.regions !== undefined,
  );
  if (!bounded) return () => true;
  const picture = quotaPicture(objects);
  return (node) => picture.regionTakes(replica, node.spec.region);
}
