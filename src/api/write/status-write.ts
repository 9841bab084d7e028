/**
 * PUT and PATCH of `/status`: only status is looked at; spec and metadata are ignored, but for the
 * resourceVersion that the client expects. What a client may keep there are conditions of its own.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Desired } from "../../core/protocol/command.ts";
import { sameValue } from "../../core/commit/validate/same-value.ts";
import type { ClientCondition } from "../../core/model/client-condition.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ApiError } from "../errors.ts";
import { toDesiredMetadata } from "../metadata.ts";
import { showOwners } from "../owner-references.ts";
import { rfc3339 } from "../rfc3339.ts";
import { writeClientConditions } from "../kinds/status/condition.ts";
import type { Handler } from "../http/handler.ts";
import type { ApiContext } from "../http/api-context.ts";
import { commitPut, OVERTAKEN, type Written } from "./commit-put.ts";
import { decodeBody, decodeObject } from "../http/decode-body.ts";
import { fieldOf, type JsonObject } from "../http/json-value.ts";
import { checkAgain } from "./check-again.ts";
import type { Writer } from "./managed-fields.ts";
import { changedMeanwhile, checkExpected, checkIdentity, TRIES_MAX } from "./modify.ts";
import { mediaTypeOf } from "../http/negotiate.ts";
import { APPLY_PATCH, checkApplied, PATCH_TYPES, patched } from "./patch.ts";
import { checkType, invalid } from "../list/read-object.ts";
import { parseResourceVersion } from "../list/resource-version.ts";
import { type NamedTarget, targetKey } from "../list/served-kind.ts";
import { showObject } from "../list/show.ts";
import { notFound } from "../http/status-error.ts";
import {
  afterStatusApply,
  afterStatusUpdate,
  type ConditionChange,
  isOf,
  isStatusEntry,
  readStatusOwners,
  type StatusOwner,
  writeStatusOwners,
} from "./status-owners.ts";
import { wantedConditions } from "./wanted-conditions.ts";
import { answer, OBJECT_TYPES, versionOf } from "./write.ts";
import { parseWrite, type WriteRequest } from "./write-request.ts";

/** The object with the status the client wants, and how it is to be understood. */
interface StatusChange {
  readonly object: JsonObject;
  readonly expected: string | undefined;
  readonly isApply: boolean;
}

export const replaceStatus: Handler<NamedTarget> = async (context, target, request, reply) => {
  const { value } = decodeObject(request, OBJECT_TYPES);
  const change = { object: value, expected: versionOf(value), isApply: false };
  await writeStatus(context, target, { request, reply, change: () => change });
};

export const patchStatus: Handler<NamedTarget> = async (context, target, request, reply) => {
  const type = mediaTypeOf(request.headers["content-type"]);
  const { value } = decodeBody(request, PATCH_TYPES);
  if (type !== APPLY_PATCH) {
    const change = (live: JsonObject): StatusChange => ({
      ...patched(live, type, value),
      isApply: false,
    });
    await writeStatus(context, target, { request, reply, change });
    return;
  }
  if (!parseWrite(request).namesManager) {
    throw new ApiError("bad-request", "An apply needs a fieldManager.");
  }
  const { value: object } = decodeObject(request, PATCH_TYPES);
  checkApplied(target, object);
  const change = { object, expected: versionOf(object), isApply: true };
  await writeStatus(context, target, { request, reply, change: () => change });
};

async function writeStatus(
  context: ApiContext,
  target: NamedTarget,
  of: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly change: (live: JsonObject) => StatusChange;
  },
): Promise<void> {
  const { request, reply, change } = of;
  const write = parseWrite(request);
  const written = await checkAgain(context, () => writeNow(context, target, { write, change }));
  const { object, triedOn } = written;
  // Here the status is what was written.
  const shown = { ...written, triedOn: triedOn && { ...triedOn, held: object } };
  await answer(context, target.kind, { request, reply, status: 200, warnings: [], ...shown });
}

async function writeNow(
  context: ApiContext,
  target: NamedTarget,
  of: { readonly write: WriteRequest; readonly change: (live: JsonObject) => StatusChange },
): Promise<Written> {
  const { write } = of;
  for (let tries = 1; ; tries++) {
    const held = context.plane.objects.get(targetKey(target));
    if (held === undefined) throw notFound(target);
    const live = showObject(context, target.kind, held) as unknown as JsonObject;
    const change = of.change(live);
    checkType(target.kind, change.object);
    checkIdentity(target, live, change.object);
    checkExpected(target, held, change.expected);
    const written = await commitStatus(context, target, { held, live, change, write });
    if (written !== OVERTAKEN) return written;
    if (tries === TRIES_MAX) throw changedMeanwhile(target);
  }
}

interface Tried {
  readonly held: AnyObject;
  readonly live: JsonObject;
  readonly change: StatusChange;
  readonly write: WriteRequest;
}

function commitStatus(
  context: ApiContext,
  target: NamedTarget,
  { held, live, change, write }: Tried,
): Promise<Written | typeof OVERTAKEN> {
  const { kind } = target;
  const conditions = readStatus(context, target, { held, live, change });
  const before = held.meta.conditions ?? [];
  const entries = fieldOf(fieldOf(live, "metadata"), "managedFields");
  const owners = readStatusOwners(entries);
  const writer = { manager: write.fieldManager, time: rfc3339(context.clock.nowMs()) };
  const next = change.isApply
    ? applied({ before, conditions, owners }, writer, write.force)
    : updated({ before, conditions, owners }, writer);
  const others = Array.isArray(entries) ? entries.filter((entry) => !isStatusEntry(entry)) : [];
  const managedFields = [...others, ...writeStatusOwners(next.owners, kind.apiVersion)];
  const { labels, annotations = {}, finalizers } = held.meta;
  const ownerReferences = showOwners(held.meta.owners ?? []);
  const { name, namespace } = target;
  const metadata = { name, labels, annotations, finalizers, managedFields, ownerReferences };
  const wanted = {
    // Only kinds that clients write have a status that they may write.
    desired: { kind: held.kind, spec: held.spec } as Desired,
    metadata: { ...toDesiredMetadata(metadata, namespace, held.meta), conditions: next.conditions },
  };
  return commitPut(context, target, { wanted, held, write });
}

/** The conditions the client wants, or why it cannot have them. */
function readStatus(
  { clock, shown }: ApiContext,
  target: NamedTarget,
  { held, live, change }: Omit<Tried, "write">,
): readonly ClientCondition[] {
  const { kind, name } = target;
  const { conditions, foreign, mistakes } = wantedConditions(kind.api, {
    sent: fieldOf(change.object, "status") ?? undefined,
    shown: fieldOf(live, "status"),
    held: held.meta.conditions ?? [],
    nowMs: clock.nowMs(),
  });
  // What the plane computes has moved on since the client looked: it has not tried to write that.
  const expected = parseResourceVersion(change.expected) ?? Number.POSITIVE_INFINITY;
  if (foreign.length > 0 && expected < shown.of(held)) throw changedMeanwhile(target);
  if (foreign.length + mistakes.length > 0) throw invalid(kind, name, [...foreign, ...mistakes]);
  return conditions;
}

interface Kept {
  readonly conditions: readonly ClientCondition[];
  readonly owners: readonly StatusOwner[];
}

interface Meeting extends Kept {
  readonly before: readonly ClientCondition[];
}

function updated({ before, conditions, owners }: Meeting, writer: Writer): Kept {
  const change = changeOf(before, conditions);
  return { conditions, owners: afterStatusUpdate(owners, change, writer) };
}

/**
 * Those the client names are set, those it has applied before and no longer names go, the rest
 * stay.
 */
function applied({ before, conditions, owners }: Meeting, writer: Writer, force: boolean): Kept {
  const named = new Set(conditions.map(({ type }) => type));
  const isOwn = isOf(writer, "Apply");
  const owned = (type: string, by: (owner: StatusOwner) => boolean): boolean =>
    owners.some((owner) => by(owner) && owner.types.has(type));
  const stays = before.filter(
    ({ type }) =>
      !named.has(type) && !(owned(type, isOwn) && !owned(type, (owner) => !isOwn(owner))),
  );
  const next = [...stays, ...conditions];
  const change = changeOf(before, next);
  const contested = owners
    .filter((owner) => !isOwn(owner))
    .flatMap(({ manager, types }) =>
      [...types].filter((type) => change.changed.has(type)).map((type) => ({ manager, type })),
    );
  if (contested.length > 0 && !force) throw conflict(contested);
  return {
    conditions: next,
    owners: afterStatusApply(owners, { ...change, applied: named }, writer),
  };
}

/** Compared as they are shown: a condition that a client sends back is the one it has read. */
function changeOf(
  before: readonly ClientCondition[],
  after: readonly ClientCondition[],
): ConditionChange {
  const [was, is] = [writeClientConditions(before), writeClientConditions(after)];
  const changed = is.filter((each) => !was.some((other) => sameValue(each, other)));
  return {
    changed: new Set(changed.map(({ type }) => type)),
    present: new Set(is.map(({ type }) => type)),
  };
}

function conflict(
  contested: readonly { readonly manager: string; readonly type: string }[],
): ApiError {
  const causes = contested.map(({ manager, type }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with "${manager}"`,
    field: `.status.conditions[type="${type}"]`,
  }));
  const shown = causes.map(({ message, field }) => `${message}: ${field}`).join("; ");
  const s = causes.length === 1 ? "" : "s";
  return ApiError.worded("conflict", `Apply failed with ${causes.length} conflict${s}: ${shown}`, {
    causes,
  });
}
