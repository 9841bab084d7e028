/**
 * Powers that a write needs beside its verb, because of what the object names: an override steers
 * the work of all tenants, a priority class lets work preempt, root can leave its limits, a plain
 * process sees its neighbours, a pool with taints is kept for certain work, and an affinity may be
 * about other tenants. What the object named before the write is not asked for again, so a caller
 * without the power can still change the rest.
 *
 * The API asks before it sends the put, the authority again of committed state (AZ52).
 */
import { OWN_GROUP, type ResourceRequest, type Verb } from "../../model/access.ts";
import { type ObjectKey, parseKey } from "../../model/ids.ts";
import type { DriverName } from "../../model/node/driver-name.ts";
import type { Taint } from "../../model/node/taint.ts";
import type { AnyObject, Ask, NodePool, Template } from "../../model/objects.ts";
import type { Desired } from "../../protocol/command.ts";
import { isTolerated } from "../feasibility/taints.ts";
import { powersOfAffinity } from "./powers-of-affinity.ts";

/** Without isolation: it sees what its node's agent and other plain processes have. */
const PLAIN: DriverName = "process";

export function powersOfWrite(
  { key, desired }: { readonly key: ObjectKey; readonly desired: Desired },
  held: AnyObject | undefined,
  pools: Iterable<NodePool>,
): readonly ResourceRequest[] {
  const { name, namespace } = parseKey(key);
  switch (desired.kind) {
    case "Override":
      return [{ verb: "override", group: OWN_GROUP, resource: "overrides", name }];
    case "Workload": {
      const before = held?.kind === "Workload" ? held.spec.template : undefined;
      const { template } = desired.spec;
      return [
        ...usesOf(template, before),
        ...usesOfPools(template.ask, before?.ask, pools),
        ...(isRoot(template.run?.user) && !isRoot(before?.run?.user)
          ? [about("run-as-root", "workloads", { name, namespace })]
          : []),
        ...powersOfAffinity(template.affinity, before?.affinity, namespace),
      ];
    }
    default:
      return [];
  }
}

const about = (
  verb: Verb,
  resource: string,
  of: { readonly name?: string; readonly namespace?: string } = {},
): ResourceRequest => ({ verb, group: OWN_GROUP, resource, ...of });

/** Asked for the whole cluster: neither a class nor a driver is a tenant's to give. */
function usesOf(
  { priorityClass, ask }: Template,
  before: Template | undefined,
): readonly ResourceRequest[] {
  const uses: ResourceRequest[] = [];
  if (priorityClass !== "" && priorityClass !== before?.priorityClass) {
    uses.push(about("use", "priorityclasses", { name: priorityClass }));
  }
  if (ask.driver === PLAIN && before?.ask.driver !== PLAIN) {
    uses.push(about("use", "drivers", { name: PLAIN }));
  }
  return uses;
}

/**
 * A pool without taints takes all work, so nothing is asked for it. To tolerate every taint is to
 * name every pool, also those to come.
 */
function usesOfPools(
  ask: Ask,
  before: Ask | undefined,
  pools: Iterable<NodePool>,
): readonly ResourceRequest[] {
  if (ask.tolerations.length === 0) return [];
  if (toleratesAll(ask)) {
    return before !== undefined && toleratesAll(before) ? [] : [about("use", "nodepools")];
  }
  return [...pools]
    .filter((pool) => isOpenedBy(pool, ask) && !(before && isOpenedBy(pool, before)))
    .map(({ meta }) => about("use", "nodepools", { name: meta.name }));
}

const toleratesAll = ({ tolerations }: Ask): boolean => tolerations.some(({ key }) => key === "");

/** Work comes onto its nodes because it tolerates their taints. */
function isOpenedBy({ spec: { taints = [] } }: NodePool, ask: Ask): boolean {
  const kept = taints.filter(isKept);
  return kept.length > 0 && kept.every((taint) => isTolerated(taint, ask));
}

const isKept = ({ effect }: Taint): boolean => effect === "no-schedule";

/** By name, by number, and with a group behind it. */
const isRoot = (user: string | undefined): boolean =>
  user !== undefined && /^(?:root|0+)(?::|$)/.test(user);
