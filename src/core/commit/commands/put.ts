/** Writes what somebody wants. Status is never theirs to write; it is kept or begun here. */
import { definitionOf, writtenDefinitionOf } from "../../kinds/kind-definitions.ts";
import { finalizersAfter } from "../../kinds/plane-finalizers.ts";
import { assert } from "../../model/assert.ts";
import { parseKey, tenantKey, type Uid } from "../../model/ids.ts";
import type { AnyObject, Meta, ObjectOf } from "../../model/objects.ts";
import type { IntentOf, WrittenKind } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { ownerMissing, ownersAfter } from "../checks/owners.ts";
import { powerMissing } from "../checks/powers.ts";
import { ownedByGlobal } from "../checks/region-ownership.ts";
import { grantsCounted } from "../checks/recovery-budget.ts";
import { agentUnfit, asRegistered } from "../validate/agent-node.ts";
import { oversized } from "../validate/oversized.ts";
import { removal } from "../validate/removal.ts";
import { sameValue } from "../validate/same-value.ts";
import { tooManyObjects } from "../validate/too-many-objects.ts";
import { malformed } from "../validate/well-formed.ts";
import { type CommitContext, missing, type Verdict } from "../verdict.ts";
import { putRulesOf } from "./put-rules.ts";

export function checkPut(context: CommitContext, asked: IntentOf<"put">): Verdict {
  // A put under the key of any other kind is malformed, and goes no further than that check.
  const held = context.ledger.objects.get(asked.key) as ObjectOf<WrittenKind> | undefined;
  // What is on its way out may outlive what it refers to; it must still be let go.
  const isLeaving = held?.meta.deletingMs !== undefined;
  const intent = asRegistered(context, asked);
  const wrong =
    oversized(held, asked) ??
    malformed(asked) ??
    agentUnfit(context, held, asked) ??
    expectationBroken(held, intent) ??
    (isLeaving ? undefined : (dangling(context, intent) ?? ownerMissing(context, held, intent))) ??
    ownedByGlobal(context, intent.key) ??
    putRulesOf(intent.desired.kind).unfit?.(context, held, intent) ??
    tooManyObjects(context, held, intent.key);
  if (wrong !== undefined) return wrong;
  if (!mayPut(context, held, intent)) return reject("not-owner", intent.key, "user", context.role);
  const lacking = isLeaving ? undefined : powerMissing(context, held, intent);
  if (lacking !== undefined) return lacking;
  if (held === undefined) {
    const after = created(context, intent);
    return [{ key: intent.key, before: undefined, after }, ...grantsCounted(context, intent)];
  }
  const rules = putRulesOf(intent.desired.kind);
  const specChanged = !sameValue(held.spec, intent.desired.spec);
  const theirs =
    rules.heldByAnother?.(context, held, intent) ??
    (specChanged ? rules.fixed?.(held, intent) : undefined);
  if (theirs !== undefined) return theirs;
  const finalizers = finalizersAfter(context, held, intent.finalizers);
  if (held.meta.deletingMs !== undefined) {
    if (specChanged) {
      return reject("being-deleted", intent.key, "not being deleted", "being deleted");
    }
    if (finalizers.length === 0) return removal(context, held);
  }
  return [
    {
      key: intent.key,
      before: held,
      after: updated(context, held, { ...intent, finalizers }, specChanged),
    },
  ];
}

export function expectationBroken(
  held: AnyObject | undefined,
  intent: IntentOf<"put"> | IntentOf<"delete">,
): Rejection | undefined {
  const { revision, generation } = intent.expect;
  // Revision 0 asks that the object does not exist yet.
  const actualRevision = held?.meta.revision ?? 0;
  if (revision !== undefined && revision !== actualRevision) {
    const code =
      revision === 0
        ? "already-exists"
        : held === undefined
          ? "no-such-object"
          : "revision-changed";
    return reject(code, `${intent.key} resourceVersion`, revision, actualRevision);
  }
  const actualGeneration = held?.meta.generation ?? 0;
  if (generation !== undefined && generation !== actualGeneration) {
    return reject("generation-changed", `${intent.key} generation`, generation, actualGeneration);
  }
  return undefined;
}

/** People write what they want; a controller writes only to let go of what is on its way out. */
function mayPut(
  { role }: CommitContext,
  held: AnyObject | undefined,
  { desired }: IntentOf<"put">,
): boolean {
  if (role === "user" || role === "admit") return true;
  // Which node, and what of it, was looked at before (NR1).
  if (role === "agent") return held === undefined && desired.kind === "Node";
  if (role === "grant-budget") return held === undefined && desired.kind === "RecoveryBudget";
  if (role === "lift-finalizer") return held?.meta.deletingMs !== undefined;
  const isEmptied = held?.kind === "Tenant" || held?.kind === "Quota";
  return role === "empty-tenant" && isEmptied && held.meta.deletingMs !== undefined;
}

function dangling(
  { ledger }: CommitContext,
  { key, desired }: IntentOf<"put">,
): Rejection | undefined {
  const definition = writtenDefinitionOf(desired.kind);
  const { namespace } = parseKey(key);
  const named = [
    // What a tenant owned is being cleared away; something new would never be.
    ...(definition?.goesWithTenant === true ? [{ key: tenantKey(namespace), mustStay: true }] : []),
    ...(definition?.references?.(desired.spec, namespace) ?? []),
  ].map((reference) => ({ ...reference, object: ledger.objects.get(reference.key) }));
  const lost = named.find((each) => each.mustStay && each.object?.meta.deletingMs !== undefined);
  if (lost !== undefined) {
    return reject("being-deleted", lost.key, "not being deleted", "being deleted");
  }
  const none = named.find(({ object }) => object === undefined);
  return none && missing(none.key);
}

function created(context: CommitContext, intent: IntentOf<"put">): AnyObject {
  const { namespace, name } = parseKey(intent.key);
  const { guard } = definitionOf(intent.desired.kind);
  const own = guard?.from === "creation" ? [guard.finalizer] : [];
  const meta: Meta = {
    namespace,
    name,
    uid: `u${context.next}` as Uid,
    generation: 1,
    revision: context.next,
    createdMs: context.nowMs,
    labels: intent.labels,
    ...notes(intent),
    finalizers: [...own, ...intent.finalizers.filter((finalizer) => !own.includes(finalizer))],
    ...ownersAfter(context, undefined, intent),
    deletingMs: undefined,
  };
  const status = putRulesOf(intent.desired.kind).firstStatus?.(context, intent, name) ?? {};
  return assemble(intent, meta, status);
}

function updated(
  context: CommitContext,
  held: ObjectOf<WrittenKind>,
  intent: IntentOf<"put">,
  specChanged: boolean,
): AnyObject {
  const generation = held.meta.generation + (specChanged ? 1 : 0);
  const meta: Meta = {
    ...held.meta,
    generation,
    revision: context.next,
    labels: intent.labels,
    ...notes(intent),
    finalizers: intent.finalizers,
    ...ownersAfter(context, held, intent),
  };
  const rules = putRulesOf(intent.desired.kind);
  const status = rules.nextStatus?.(context, held, intent, generation) ?? held.status;
  return assemble(intent, meta, status);
}

/** Only what the intent carries: spread over the old meta, it keeps the rest. */
function notes(
  intent: IntentOf<"put">,
): Pick<Meta, "annotations" | "managedFields" | "conditions"> {
  const { annotations, managedFields, conditions } = intent;
  return {
    ...(annotations === undefined ? {} : { annotations }),
    ...(managedFields === undefined ? {} : { managedFields }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

function assemble(intent: IntentOf<"put">, meta: Meta, status: AnyObject["status"]): AnyObject {
  const { kind, spec } = intent.desired;
  assert(parseKey(intent.key).kind === kind, `A ${kind} was put under the key ${intent.key}.`);
  // `malformed` has matched spec to kind; the union cannot express that the status belongs to it
  // too.
  return { kind, key: intent.key, meta, spec, status } as AnyObject;
}
