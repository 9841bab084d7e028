/**
 * What the authority would say to an intent, without any effect. A manifest often creates a tenant
 * and its contents, and a dry run of it creates neither: an object of a tenant that does not exist
 * is checked as if the tenant had been created just before, in a ledger of its own.
 */
import { type Applied, apply } from "../core/commit/apply.ts";
import { Ledger } from "../core/commit/ledger.ts";
import type { Actor } from "../core/model/actor.ts";
import { type Kind, operationId, parseKey, tenantKey } from "../core/model/ids.ts";
import type { Intent, IntentOf } from "../core/protocol/command.ts";
import type { Outcome } from "../core/protocol/outcome.ts";

export interface Tried extends Applied {
  /** A tenant that does not exist yet, without which the intent would be rejected. */
  readonly assumed?: string;
}

interface By {
  readonly actor: Actor;
  readonly nowMs: number;
}

export function dryRun(ledger: Ledger, intent: Intent, by: By): Tried {
  const tried = tryOut(ledger, intent, by);
  if (!lacksTenant(tried.outcome, intent)) return tried;
  const { namespace } = parseKey(intent.key);
  const scratch = withTenant(ledger, namespace, by);
  return scratch === undefined ? tried : { ...tryOut(scratch, intent, by), assumed: namespace };
}

function tryOut(ledger: Ledger, intent: Intent, { actor, nowMs }: By): Applied {
  const { epoch, revision: basis } = ledger;
  return apply(ledger, { intent, epoch, basis, actor }, nowMs);
}

function lacksTenant(outcome: Outcome, intent: Intent): intent is IntentOf<"put"> {
  if (intent.kind !== "put" || outcome.kind === "committed" || outcome.kind === "duplicate") {
    return false;
  }
  const tenant = tenantKey(parseKey(intent.key).namespace);
  return outcome.code === "no-such-object" && outcome.field === tenant;
}

/** An object may refer to these of another namespace; nodes are many, and none refers to them. */
const REFERRED_TO: readonly Kind[] = ["Tenant", "PriorityClass", "Region", "Policy"];

/** Undefined if the authority would reject the tenant, too. */
function withTenant(truth: Ledger, name: string, by: By): Ledger | undefined {
  const ledger = new Ledger();
  const { revision, epoch, leadSinceMs } = truth;
  const objects = REFERRED_TO.flatMap((kind) => [...truth.objects.all(kind).values()]);
  ledger.restore({ revision, epoch, leadSinceMs, objects, operations: [] });
  const key = tenantKey(name);
  const { commit } = tryOut(
    ledger,
    {
      kind: "put",
      operation: operationId(`put/${key}/dry-run`),
      key,
      desired: { kind: "Tenant", spec: { displayName: "" } },
      labels: {},
      finalizers: [],
      expect: { revision: 0 },
    },
    by,
  );
  if (commit === undefined) return undefined;
  ledger.fold(commit);
  return ledger;
}
