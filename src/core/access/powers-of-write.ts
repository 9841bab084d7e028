/**
 * Powers that a write needs beside its verb, because of what the object names: an override steers
 * the work of all tenants, a priority class lets work preempt, root can leave its limits, and an
 * affinity may be about other tenants. A name that the object had before the write is not asked for
 * again, so a caller without the power can still change the rest.
 */
import { OWN_GROUP, type ResourceRequest } from "../model/access.ts";
import type { AnyObject, Template } from "../model/objects.ts";
import type { ObjectKey } from "../model/ids.ts";
import { parseKey } from "../model/ids.ts";
import type { Desired } from "../protocol/command.ts";
import { powersOfAffinity } from "./powers-of-affinity.ts";

export function powersOfWrite(
  key: ObjectKey,
  desired: Desired,
  held: AnyObject | undefined,
): readonly ResourceRequest[] {
  const { name, namespace } = parseKey(key);
  switch (desired.kind) {
    case "Override":
      return [{ verb: "override", group: OWN_GROUP, resource: "overrides", name }];
    case "Workload": {
      const before = held?.kind === "Workload" ? held.spec.template : undefined;
      return powersOfTemplate(desired.spec.template, before, { name, namespace });
    }
    default:
      return [];
  }
}

function powersOfTemplate(
  { priorityClass, run, affinity }: Template,
  before: Template | undefined,
  of: { readonly name: string; readonly namespace: string },
): readonly ResourceRequest[] {
  const powers: ResourceRequest[] = [];
  if (priorityClass !== "" && priorityClass !== before?.priorityClass) {
    const resource = "priorityclasses";
    powers.push({ verb: "use", group: OWN_GROUP, resource, name: priorityClass });
  }
  if (isRoot(run?.user) && !isRoot(before?.run?.user)) {
    powers.push({ verb: "run-as-root", group: OWN_GROUP, resource: "workloads", ...of });
  }
  return [...powers, ...powersOfAffinity(affinity, before?.affinity, of.namespace)];
}

/** By name, by number, and with a group behind it. */
const isRoot = (user: string | undefined): boolean =>
  user !== undefined && /^(?:root|0+)(?::|$)/.test(user);
