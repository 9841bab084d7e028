/**
 * Empties a tenant that is being deleted: its workloads first, because they hold its quota, then
 * the quota, and when nothing is left it lets the tenant go. Nothing new arrives meanwhile, because
 * the authority refuses to put anything into a tenant on its way out; the replicas are ended by
 * `admit`, as those of any deleted workload.
 */
import { countAre } from "../model/text/count-text.ts";
import type { Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import { CONTENTS_FINALIZER } from "../model/finalizers.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { type ObjectKey, quotaKey, tenantKey } from "../model/ids.ts";
import type { AnyObject, Tenant, Workload } from "../model/objects.ts";
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
  if (tenant?.kind !== "Tenant" || tenant.meta.deletingMs === undefined) return settled;
  const { name } = tenant.meta;
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
      because: { summary: `${workloads.length} workloads of ${name} still have replicas to stop` },
    });
  }
  const quota = view.objects.get(quotaKey(name));
  if (quota !== undefined) {
    return propose([deletion(quota)], { summary: `the quota is deleted with tenant ${name}` });
  }
  return letGo(tenant);
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

function letGo(tenant: Tenant): Decision {
  const { labels, revision } = tenant.meta;
  const finalizers = tenant.meta.finalizers.filter((name) => name !== CONTENTS_FINALIZER);
  // Those of others are theirs to take off.
  if (finalizers.length === tenant.meta.finalizers.length) return settled;
  const put: Intent = {
    kind: "put",
    operation: finalizeOperation(tenant),
    key: tenant.key,
    desired: { kind: "Tenant", spec: tenant.spec },
    labels,
    finalizers,
    expect: { revision },
  };
  return propose([put], { summary: `nothing is left of ${tenant.meta.name}` });
}
