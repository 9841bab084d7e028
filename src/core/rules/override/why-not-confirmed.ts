/**
 * Whether a binding that was made while its region was partitioned is one that an ordinary bind
 * could make now. It is counted once, and replicas being stopped as gone: so that of several that
 * are too many together no more go than have to (DG5). The controller that settles a region asks
 * its view, the authority the truth.
 */
import type { RefusalCode } from "../../protocol/refusals.ts";
import { checkChosenDevices } from "../feasibility/devices.ts";
import { neighbourMisfit, ROOM_RULES, STATIC_RULES } from "../feasibility/feasibility.ts";
import type { Misfit } from "../feasibility/misfit.ts";
import { Neighbourhood } from "../feasibility/neighbourhood.ts";
import { schedulable } from "../feasibility/schedulable.ts";
import { AMOUNT_NAMES, type Amounts, minus, NOTHING, plus, shortage } from "../../model/amounts.ts";
import type { Node, Replica } from "../../model/objects.ts";
import { wantsIndex } from "../../model/wanted-indexes.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { overOf } from "../../observe/accounts/reclaim-need.ts";
import { copyOfUse, leave, leaving } from "../../observe/held-room.ts";
import { breaksSpread } from "../left-policy.ts";
import { Neighbours, type Placed } from "../../observe/neighbours.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { revisionInForce } from "../../observe/policy-in-force.ts";

/** What the node is counts; that it takes nothing new is no reason to send away what it has. */
const LASTING_RULES = STATIC_RULES.filter((rule) => rule !== schedulable);

/**
 * The code of the rule that a bind of it to its node would break; undefined: it would break none.
 */
export function whyNotConfirmed(
  objects: ObjectIndex,
  replica: Replica,
  node: Node,
): RefusalCode | undefined {
  const { workloadUid: uid, generation, index, template } = replica.spec;
  if (!wantsIndex(objects.workload(workloadOf(replica)), { uid, generation, index })) {
    return "index-not-wanted";
  }
  const revision = revisionInForce(objects, template, node.spec.region);
  if (revision !== replica.status.policyRevision) return "policy-moved";
  const misfit =
    roomMisfit(objects, replica, node) ??
    neighbourMisfit(node, replica, neighboursOf(objects, replica));
  if (misfit !== undefined) return misfit.code;
  if (breaksSpread(objects, replica, node)) return "too-uneven";
  return quotaBroken(objects, replica, node.spec.region);
}

function roomMisfit(objects: ObjectIndex, replica: Replica, node: Node): Misfit | undefined {
  const use = copyOfUse(objects.useOf(node.meta.name));
  const gone = new Set([replica, ...leaving(objects, node.meta.name)]);
  for (const each of gone) leave(use, each);
  const { ask } = replica.spec.template;
  for (const rule of [...LASTING_RULES, ...ROOM_RULES]) {
    const misfit = rule.check({ node, use }, ask);
    if (misfit !== undefined) return misfit;
  }
  return checkChosenDevices({ node, use }, ask, replica.status.deviceIds);
}

/** All that stay but itself, counted for this one question. */
function neighboursOf(objects: ObjectIndex, replica: Replica): Neighbourhood {
  const others: Placed[] = [];
  for (const other of objects.all("Replica").values()) {
    const { node, stopping } = other.status;
    if (node === undefined || stopping !== undefined || other.key === replica.key) continue;
    others.push({ replica: other, node });
  }
  const around = new Neighbours({
    node: (name) => objects.nodeNamed(name),
    placed: () => others,
  });
  around.relabelled(others);
  return new Neighbourhood(around);
}

function quotaBroken(
  objects: ObjectIndex,
  { meta, spec }: Replica,
  region: string,
): RefusalCode | undefined {
  const { namespace: tenant } = meta;
  const { ask, priorityClass } = spec.template;
  const quota = objects.quotaUsage.of(tenant).spec;
  if (quota === undefined) return "quota-missing";
  const over = overOf(objects, tenant);
  if (AMOUNT_NAMES.some((name) => over[name] > 0 && ask.amounts[name] > 0)) return "quota-exceeded";
  const usage = objects.quotaUsage.of(tenant);
  const isOfClass = (other: Replica): boolean =>
    other.spec.template.priorityClass === priorityClass;
  const isThere = ({ status }: Replica): boolean =>
    objects.nodeNamed(status.node ?? "")?.spec.region === region;
  const isOver = (
    limit: Amounts | undefined,
    used: Amounts | undefined,
    isMeant: (other: Replica) => boolean,
  ): boolean =>
    limit !== undefined &&
    used !== undefined &&
    shortage(minus(used, leavingOf(objects, tenant, isMeant)), limit) !== undefined;
  return isOver(quota.classes?.[priorityClass], usage.byClass.get(priorityClass), isOfClass) ||
    isOver(quota.regions?.[region], usage.byRegion.get(region), isThere)
    ? "quota-exceeded"
    : undefined;
}

/**
 * What those hold of the tenant's that were asked to stop; only asked where a quota bounds a part
 * of it.
 */
function leavingOf(
  objects: ObjectIndex,
  tenant: string,
  isMeant: (replica: Replica) => boolean,
): Amounts {
  let sum = NOTHING;
  for (const replica of objects.all("Replica").values()) {
    const { node, stopping } = replica.status;
    if (replica.meta.namespace !== tenant || node === undefined || stopping === undefined) continue;
    if (isMeant(replica)) sum = plus(sum, replica.spec.template.ask.amounts);
  }
  return sum;
}
