/**
 * Empties a tenant that is being deleted: its workloads first, because they hold its quota, then
 * the quota, and when nothing is left it lets the tenant go. Nothing new arrives meanwhile, because
 * the authority refuses to put anything into a tenant on its way out; the replicas are ended by
 * `admit`, as those of any deleted workload. A quota that a person has deleted alone goes after the
 * tenant's last workload.
 */
import { countAre, countText } from "../model/text/count-text.ts";
import type { Desired, Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import { CONTENTS_FINALIZER, RESERVED_FINALIZER } from "../model/finalizers.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { type ObjectKey, quotaKey, tenantKey } from "../model/ids.ts";
import type { AnyObject, Workload } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { deleteOperation, finalizeOperation } from "../protocol/operations.ts";

/** The watch shows when the last workload has gone; this is only for the case that it does not. */
const PATIENCE_MS = 15_000;

/**
 * A tenant of thousands of workloads is emptied in steps, so that none of them makes one long turn.
 */
const INTENTS_PER_LOOK = 32;

export const createEmptyTenant = (): Controller => ({
  role: "empty-tenant",
  interest: { kinds: new Set(["Tenant", "Workload", "Quota"]), node: undefined },
  keysFor: ({ before, after }: Change) => {
    const object = after ?? before;
    if (object === undefined) return [];
    return [object.kind === "Tenant" ? object.key : tenantKey(object.meta.namespace)];
  },
  allKeys: (view) => [...view.objects.all("Tenant").keys()],
  reconcile: emptyTenant,
});

export function emptyTenant(key: ObjectKey, view: View, look: Look): Decision {
  const tenant = view.objects.get(key);
  if (tenant?.kind !== "Tenant") return settled;
  const { name } = tenant.meta;
  const quota = view.objects.get(quotaKey(name));
  if (tenant.meta.deletingMs === undefined) {
    // Every workload of a busy tenant brings it here: what costs a look at all of them comes last.
    if (quota?.meta.deletingMs === undefined || workloadsOf(name, view).length > 0) return settled;
    return letGo(quota, RESERVED_FINALIZER);
  }
  const workloads = workloadsOf(name, view);
  const open = workloads.filter(({ meta }) => meta.deletingMs === undefined);
  if (open.length > 0) {
    return propose(open.slice(0, INTENTS_PER_LOOK).map(deletion), {
      summary: `${countAre(open.length, "workload")} deleted with tenant ${name}`,
    });
  }
  if (workloads.length > 0) {
    return wait({
      reason: "stopping",
      wakes: [],
      deadlineMs: look.now + PATIENCE_MS,
      because: {
        summary: `${countText(workloads.length, "workload")} of ${name} still ${workloads.length === 1 ? "has" : "have"} replicas to stop`,
      },
    });
  }
  if (quota !== undefined) {
    if (quota.meta.deletingMs !== undefined) return letGo(quota, RESERVED_FINALIZER);
    return propose([deletion(quota)], { summary: `the quota is deleted with tenant ${name}` });
  }
  return letGo(tenant, CONTENTS_FINALIZER);
}

function workloadsOf(tenant: string, view: View): readonly Workload[] {
  const owned = [...view.objects.all("Workload").values()].filter(
    ({ meta }) => meta.namespace === tenant,
  );
  return owned.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

const deletion = (object: AnyObject): Intent => ({
  kind: "delete",
  operation: deleteOperation(object),
  key: object.key,
  expect: {},
});

function letGo(object: AnyObject, guard: string): Decision {
  const { kind, spec, meta } = object;
  const finalizers = meta.finalizers.filter((name) => name !== guard);
  // Those of others are theirs to take off.
  if (finalizers.length === meta.finalizers.length) return settled;
  const put: Intent = {
    kind: "put",
    operation: finalizeOperation(object),
    key: object.key,
    // A tenant or a quota: both can be put.
    desired: { kind, spec } as Desired,
    labels: meta.labels,
    finalizers,
    expect: { revision: meta.revision },
  };
  return propose([put], { summary: `nothing is left that needs ${object.key}` });
}
