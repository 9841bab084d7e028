/**
 * Sends what is wanted to the authority and gives back the object that came of it. A write that
 * would change nothing is not sent, so that it does not wake every watcher for nothing.
 */
import { sameValue } from "../../core/commit/validate/same-value.ts";
import type { Desired, IntentOf, Precondition } from "../../core/protocol/command.ts";
import type { Change } from "../../core/protocol/commit-record.ts";
import type { Outcome } from "../../core/protocol/outcome.ts";
import {
  type OperationId,
  operationId,
  type ObjectKey,
  type Revision,
} from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { powersOfWrite } from "../../core/rules/powers/powers-of-write.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { DesiredMetadata } from "../metadata.ts";
import { powersOfOwners } from "../access/powers-of-owners.ts";
import type { ApiContext } from "../http/api-context.ts";
import { conflictOn, notLeading, refusalError } from "../http/status-error.ts";
import { type NamedTarget, targetKey } from "../list/served-kind.ts";
import type { TriedOn } from "../list/show.ts";
import type { WriteRequest } from "./write-request.ts";

export interface Wanted {
  readonly desired: Desired;
  readonly metadata: DesiredMetadata;
}

/**
 * `gone`: the last finalizer was taken off, or the object was deleted; it is shown as it last was.
 */
export interface Written {
  readonly object: AnyObject;
  readonly isGone: boolean;
  /** Set after a dry run. */
  readonly triedOn: TriedOn | undefined;
  /** Set after a dry run that assumes a tenant which does not exist yet. */
  readonly assumed?: string;
}

/** The write met another one that came first. */
export const OVERTAKEN = Symbol("overtaken");

export async function commitPut(
  context: ApiContext,
  target: NamedTarget,
  put: {
    readonly wanted: Wanted;
    readonly held: AnyObject | undefined;
    readonly write: WriteRequest;
  },
): Promise<Written | typeof OVERTAKEN> {
  const { wanted, held, write } = put;
  if (held !== undefined && changesNothing(held, wanted)) {
    return { object: held, isGone: false, triedOn: undefined };
  }
  const key = targetKey(target);
  const pools = context.plane.objects.all("NodePool").values();
  const powers = [
    ...powersOfWrite({ key, desired: wanted.desired }, held, pools),
    ...powersOfOwners(wanted.metadata.owners, held?.meta.owners),
  ];
  for (const power of powers) context.authorizer.require(write.caller, power);
  const intent: IntentOf<"put"> = {
    kind: "put",
    operation: putOperation(key, write),
    key,
    desired: wanted.desired,
    ...wanted.metadata,
    // Revision 0 asks that the object does not exist yet.
    expect: { revision: held?.meta.revision ?? 0 },
    // Other kinds have no holds that could be lifted.
    ...(write.force && wanted.desired.kind === "Node" ? { force: true } : {}),
    ...(write.approved === undefined ? {} : { approved: write.approved }),
  };
  const written = await send(context, target, { intent, write });
  return written === OVERTAKEN || !written.isGone
    ? written
    : { ...written, object: withoutFinalizers(written.object, wanted) };
}

/** It went with its last finalizer, so it is shown as this write left it, not as it was before. */
function withoutFinalizers(object: AnyObject, { metadata }: Wanted): AnyObject {
  const { labels, annotations } = metadata;
  const kept = annotations === undefined ? {} : { annotations };
  return { ...object, meta: { ...object.meta, labels, ...kept, finalizers: [] } };
}

const putOperation = (key: ObjectKey, { idempotencyKey }: WriteRequest): OperationId =>
  operationId(`put/${key}/${idempotencyKey}`);

/**
 * What came of the same put when it was carried out before; undefined when it was not. What it
 * expected then does not hold any more, and may be its own doing.
 */
export async function carriedOutBefore(
  { plane }: ApiContext,
  target: NamedTarget,
  write: WriteRequest,
): Promise<Written | undefined> {
  if (!write.isRepeatable || write.isDryRun) return undefined;
  const key = targetKey(target);
  const operation = putOperation(key, write);
  const { actor } = write;
  const reply = await plane.request(actor.name, { kind: "lookup", attempt: 1, operation, actor });
  if (reply.kind === "not-found") return undefined;
  if (reply.kind !== "found") throw notLeading();
  return writtenAt(plane, target, reply.first.revision);
}

export async function commitDelete(
  context: ApiContext,
  target: NamedTarget,
  {
    expect,
    isOrphaning,
    write,
  }: {
    readonly expect: Precondition;
    readonly isOrphaning: boolean;
    readonly write: Pick<WriteRequest, "actor" | "isDryRun" | "idempotencyKey">;
  },
): Promise<Written | typeof OVERTAKEN> {
  const key = targetKey(target);
  const operation = operationId(`delete/${key}/${write.idempotencyKey}`);
  const how = isOrphaning ? ({ orphan: true } as const) : {};
  const intent: IntentOf<"delete"> = { kind: "delete", operation, key, expect, ...how };
  return send(context, target, { intent, write });
}

async function send(
  context: ApiContext,
  target: NamedTarget,
  of: {
    readonly intent: IntentOf<"put"> | IntentOf<"delete">;
    readonly write: Pick<WriteRequest, "actor" | "isDryRun">;
  },
): Promise<Written | typeof OVERTAKEN> {
  const { intent, write } = of;
  const { plane } = context;
  if (write.isDryRun) return tryOut(context, target, of);
  const reply = await plane.submit(intent, write.actor);
  if (reply.kind !== "outcome") throw notLeading();
  const revision = checked(reply.outcome, target, intent);
  return revision === OVERTAKEN ? OVERTAKEN : writtenAt(plane, target, revision);
}

/** The object as the commit of this revision left it, or as it is now when that is long past. */
function writtenAt(plane: PlanePort, target: NamedTarget, revision: Revision): Written {
  const key = targetKey(target);
  const commit = plane.since(revision - 1)?.[0];
  const change = commit?.revision === revision ? changeOf(commit.changes, key) : undefined;
  const object = change === undefined ? plane.objects.get(key) : (change.after ?? change.before);
  // A repeated request whose commit is long past, and whose object has gone since.
  if (object === undefined) throw conflictOn(target, "it was written and has been deleted since");
  const isGone = change !== undefined && change.after === undefined;
  return { object, isGone, triedOn: undefined };
}

/** Checked against the truth, and not committed. */
function tryOut(
  { plane, shown }: ApiContext,
  target: NamedTarget,
  { intent, write }: Parameters<typeof send>[2],
): Written | typeof OVERTAKEN {
  if (!plane.isLeading) throw notLeading();
  const { outcome, commit, assumed } = plane.dryRun(intent, write.actor);
  if (checked(outcome, target, intent) === OVERTAKEN) return OVERTAKEN;
  const { before, after } = changeOf(commit?.changes ?? [], intent.key) ?? {};
  const object = after ?? before;
  if (object === undefined) throw conflictOn(target, "the same request was carried out before");
  return {
    object,
    isGone: after === undefined,
    triedOn: { revision: before === undefined ? 0 : shown.of(before), held: before },
    ...(assumed === undefined ? {} : { assumed }),
  };
}

const changeOf = (changes: readonly Change[], key: ObjectKey): Change | undefined =>
  changes.find((change) => change.key === key);

/** The revision of the commit, or the error that the no means. */
function checked(
  outcome: Outcome,
  target: NamedTarget,
  { kind }: { readonly kind: "put" | "delete" },
): Revision | typeof OVERTAKEN {
  switch (outcome.kind) {
    case "committed":
      return outcome.revision;
    case "duplicate":
      return outcome.first.revision;
    case "conflict":
    case "refused":
      if (outcome.code === "revision-changed") return OVERTAKEN;
      // Another deletion came first, as that of its tenant: it is under way.
      if (outcome.code === "being-deleted" && kind === "delete") return OVERTAKEN;
      throw refusalError(outcome, target);
  }
}

function changesNothing(held: AnyObject, { desired, metadata }: Wanted): boolean {
  const { labels, annotations = {}, finalizers, owners, managedFields, conditions } = metadata;
  const { meta } = held;
  return (
    sameValue(held.spec, desired.spec) &&
    sameValue(meta.labels, labels) &&
    sameValue(meta.annotations ?? {}, annotations) &&
    sameValue(meta.finalizers, finalizers) &&
    (owners === undefined || sameValue(meta.owners ?? [], owners)) &&
    (managedFields === undefined || managedFields === (meta.managedFields ?? "[]")) &&
    (conditions === undefined || sameValue(meta.conditions ?? [], conditions))
  );
}
