/**
 * Whether a node can take a replica, worked out slowly and without the module that scheduler and authority
 * share: sums are taken over the replicas themselves and nothing is remembered between questions.
 */
import { type AmountName, type Amounts } from "../../core/model/amounts.ts";
import { nodeKey } from "../../core/model/ids.ts";
import type { Ask, Node, Replica, Spread } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { isHolding } from "./holding.ts";

const AMOUNT_NAMES: readonly AmountName[] = ["cpuMillis", "memoryMiB", "devices"];

/** Why the node takes no new work of anybody; undefined when it does. */
export function notSchedulable(node: Node): string | undefined {
  if (node.status.health !== "ready") return `is ${node.status.health}`;
  if (node.spec.draining) return "is draining";
  if (node.meta.deletingMs !== undefined) return "is being deleted";
  const cordon = node.spec.cordons[0];
  return cordon === undefined ? undefined : `is cordoned by ${cordon.holder}`;
}

/** Why the ask may not run on this node, full or empty; undefined when it may. */
export function notAllowed(node: Node, ask: Ask): string | undefined {
  const { region, zone, taints } = node.spec;
  if (ask.regions.length > 0 && !ask.regions.includes(region)) return `is in region ${region}`;
  if (ask.zones.length > 0 && !ask.zones.includes(zone)) return `is in zone ${zone}`;
  for (const label in ask.nodeSelector) {
    const value = ask.nodeSelector[label];
    if (node.meta.labels[label] !== value) return `has no label ${label}=${value}`;
  }
  const repelling = taints.find(
    (taint) =>
      !ask.tolerations.some(
        (t) => t.key === taint.key && (t.value === "" || t.value === taint.value),
      ),
  );
  return repelling === undefined ? undefined : `has the taint ${repelling.key}=${repelling.value}`;
}

function hasRoom(objects: ObjectIndex, node: Node, ask: Ask): boolean {
  const { capacity, deviceClass, deviceIds } = node.spec;
  let { cpuMillis, memoryMiB, devices } = ask.amounts;
  const taken: string[] = [];
  for (const replica of objects.replicasOn(node.meta.name).values()) {
    if (!isHolding(replica)) continue;
    const held = replica.spec.template.ask.amounts;
    cpuMillis += held.cpuMillis;
    memoryMiB += held.memoryMiB;
    devices += held.devices;
    taken.push(...replica.status.deviceIds);
  }
  if (cpuMillis > capacity.cpuMillis || memoryMiB > capacity.memoryMiB) return false;
  if (devices > capacity.devices) return false;
  if (ask.amounts.devices === 0) return true;
  if (deviceClass !== ask.deviceClass) return false;
  return deviceIds.filter((id) => !taken.includes(id)).length >= ask.amounts.devices;
}

const domainOf = (node: Node, by: Spread["by"]): string =>
  by === "node" ? node.meta.name : by === "zone" ? node.spec.zone : node.spec.region;

/** Nodes that could take the replica this very moment, hard spread included. */
export function feasibleNodes(objects: ObjectIndex, replica: Replica): readonly Node[] {
  const { ask, spread } = replica.spec.template;
  const open = [...objects.all("Node").values()].filter(
    (node) => notSchedulable(node) === undefined && notAllowed(node, ask) === undefined,
  );
  const roomy = open.filter((node) => hasRoom(objects, node, ask));
  if (roomy.length === 0 || spread.length === 0) return roomy;
  const siblings = siblingNodes(objects, replica);
  return roomy.filter((node) => spread.every((rule) => keepsSkew(rule, node, open, siblings)));
}

/** The nodes of the replicas this one is to be spread from, one entry per replica. */
function siblingNodes(objects: ObjectIndex, replica: Replica): readonly Node[] {
  const { workloadUid, generation } = replica.spec;
  const found: Node[] = [];
  for (const other of objects.all("Replica").values()) {
    if (other.spec.workloadUid !== workloadUid || other.spec.generation !== generation) continue;
    const { node: name } = other.status;
    const node = name !== undefined && isHolding(other) ? objects.node(nodeKey(name)) : undefined;
    if (node !== undefined) found.push(node);
  }
  return found;
}

function keepsSkew(
  rule: Spread,
  target: Node,
  open: readonly Node[],
  siblings: readonly Node[],
): boolean {
  // Only domains that could take a replica count: a dead zone must not stop the living ones for ever.
  const counts = new Map(open.map((node) => [domainOf(node, rule.by), 0]));
  for (const node of siblings) {
    const domain = domainOf(node, rule.by);
    const count = counts.get(domain);
    if (count !== undefined) counts.set(domain, count + 1);
  }
  const least = Math.min(...counts.values());
  const here = counts.get(domainOf(target, rule.by)) ?? 0;
  return here + 1 - least <= rule.maxSkew;
}

/** What a tenant has left, from its quota, reservations and holding replicas; undefined without a quota. */
export function freeQuota(objects: ObjectIndex, tenant: string): Amounts | undefined {
  let hasQuota = false;
  const free = { cpuMillis: 0, memoryMiB: 0, devices: 0 };
  const add = (amounts: Amounts, sign: 1 | -1): void => {
    for (const name of AMOUNT_NAMES) free[name] += sign * amounts[name];
  };
  for (const { meta, spec } of objects.all("Quota").values()) {
    if (meta.namespace !== tenant) continue;
    hasQuota = true;
    add(spec.limit, 1);
  }
  for (const { spec } of objects.all("Reservation").values()) {
    if (spec.tenant === tenant) add(spec.amounts, -1);
  }
  for (const replica of objects.all("Replica").values()) {
    if (replica.meta.namespace === tenant && isHolding(replica))
      add(replica.spec.template.ask.amounts, -1);
  }
  return hasQuota ? free : undefined;
}

export const fitsInto = (ask: Amounts, room: Amounts): boolean =>
  AMOUNT_NAMES.every((name) => ask[name] <= room[name]);
