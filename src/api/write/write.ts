/** POST and PUT: the whole object, made or replaced. */
import { createHash, randomInt } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { operationSpace } from "../../core/protocol/operation-space.ts";
import { ApiError } from "../errors.ts";
import { toDesiredMetadata } from "../metadata.ts";
import { rfc3339 } from "../rfc3339.ts";
import type { Handler } from "../http/handler.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { commitPut, OVERTAKEN, type Written } from "./commit-put.ts";
import { decodeObject } from "../http/decode-body.ts";
import { echoed } from "../http/echoed.ts";
import { sendWarnings } from "./field-validation.ts";
import { fieldOf, type JsonObject } from "../http/json-value.ts";
import { afterUpdate, type Ownership, writeOwnerships } from "./managed-fields.ts";
import { modify } from "./modify.ts";
import { parseShowing } from "../list/parse-showing.ts";
import { invalid, readObject } from "../list/read-object.ts";
import { MESSAGES } from "../protobuf/messages.ts";
import { PROTOBUF } from "../protobuf/read-protobuf.ts";
import { type NamedTarget, type ServedKind, takesNothing } from "../list/served-kind.ts";
import { showOne } from "../list/show.ts";
import { alreadyExists } from "../http/status-error.ts";
import { parseWrite, type WriteRequest } from "./write-request.ts";

export const OBJECT_TYPES = ["application/json", "application/yaml", "application/x-yaml"] as const;
/** What kubectl has built in it sends in its own form, and often in no other. */
export const KUBERNETES_TYPES = [...OBJECT_TYPES, PROTOBUF];

const typesOf = ({ apiVersion, name }: ServedKind): readonly string[] =>
  MESSAGES.has(`${apiVersion}/${name}`) ? KUBERNETES_TYPES : OBJECT_TYPES;
/** Agents are programs, and send nothing that is made for people. */
const AGENT_TYPES = ["application/json"];

export async function create(
  context: ApiContext,
  { kind, namespace }: { readonly kind: ServedKind; readonly namespace: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const write = parseWrite(request);
  const caller = callerOf(request);
  const { value, duplicates } = decodeObject(
    request,
    caller.kind === "agent" ? AGENT_TYPES : typesOf(kind),
  );
  const metadata = fieldOf(value, "metadata");
  const name = nameFor(kind, metadata, write);
  if (caller.kind === "agent") checkJoining(caller.name, name, metadata);
  const written = await createNamed(
    context,
    { kind, namespace, name },
    {
      object: { ...value, metadata: { ...(metadata as JsonObject | undefined), name } },
      write,
      duplicates,
    },
  );
  await answer(context, kind, { request, reply, status: 201, ...written });
}

/**
 * An agent introduces its own node. What would keep the node from being deleted is for users and
 * controllers to set.
 */
function checkJoining(node: string, name: string, metadata: unknown): void {
  if (name !== node) {
    const found = echoed(name);
    throw new ApiError("not-allowed", `The token is for the node ${node}; this is ${found}.`);
  }
  const finalizers = fieldOf(metadata, "finalizers") ?? [];
  const hasNone = Array.isArray(finalizers) && finalizers.length === 0;
  if (hasNone) return;
  throw new ApiError(
    "not-allowed",
    `An agent may not set metadata.finalizers on its node ${node}: leave them out, or set them with a user's token.`,
  );
}

/** `owners`: for an apply that creates; a plain create owns all it names. */
export async function createNamed(
  context: ApiContext,
  target: NamedTarget,
  of: {
    readonly object: JsonObject;
    readonly write: WriteRequest;
    readonly duplicates: readonly string[];
    readonly owners?: readonly Ownership[];
  },
): Promise<Written & { readonly warnings: readonly string[] }> {
  const { kind, namespace, name } = target;
  const { write, duplicates } = of;
  const { fieldValidation } = write;
  const { taking = takesNothing } = kind;
  const keys = context.secretKeys.current;
  const taken = taking({ object: of.object, held: undefined, target, keys, isVeiled: false });
  const read = readObject(kind, taken.object, { name, fieldValidation, duplicates });
  if ((read.metadata.resourceVersion ?? "") !== "") {
    throw new ApiError(
      "bad-request",
      "resourceVersion should not be set on objects to be created.",
    );
  }
  if ((read.metadata.namespace ?? namespace) !== namespace) {
    throw new ApiError(
      "bad-request",
      `The namespace of the object (${read.metadata.namespace}) does not match the namespace on the URL (${namespace}).`,
    );
  }
  const time = rfc3339(context.clock.nowMs());
  const owners =
    of.owners ??
    afterUpdate([], { before: {}, after: read.object }, { manager: write.fieldManager, time });
  const managedFields = writeOwnerships(owners, kind.apiVersion);
  const wanted = {
    desired: taken.finish(read.desired).desired,
    metadata: toDesiredMetadata({ ...read.metadata, name, managedFields }, namespace, undefined),
  };
  const written = await commitPut(context, target, { wanted, held: undefined, write });
  if (written === OVERTAKEN) throw alreadyExists(target);
  const { assumed } = written;
  const assumptions = assumed === undefined ? [] : [assumes(assumed)];
  return { ...written, warnings: [...read.warnings, ...assumptions] };
}

const assumes = (namespace: string): string =>
  `namespace ${JSON.stringify(namespace)} does not exist yet: this dry run assumes that it is created first`;

export const replace: Handler<NamedTarget> = async (context, target, request, reply) => {
  const write = parseWrite(request);
  const { value, duplicates } = decodeObject(request, typesOf(target.kind));
  const change = () => ({ object: value, expected: versionOf(value) });
  const modified = await modify(context, target, { write, duplicates, change });
  await answer(context, target.kind, { request, reply, status: 200, ...modified });
};

/** The resourceVersion that a client expects. */
export function versionOf(object: unknown): string | undefined {
  const version = fieldOf(fieldOf(object, "metadata"), "resourceVersion");
  return typeof version === "string" && version !== "" ? version : undefined;
}

export async function answer(
  context: ApiContext,
  kind: ServedKind,
  of: Written & {
    readonly warnings: readonly string[];
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly status: 200 | 201;
  },
): Promise<void> {
  const { request, reply, object } = of;
  const showing = parseShowing(kind, request);
  sendWarnings(reply, of.warnings);
  await reply.code(of.status).send(showOne(context, showing, object, of.triedOn));
}

/** Kubernetes' own alphabet: without vowels, so that no word comes out of it. */
const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;

function nameFor(kind: ServedKind, metadata: unknown, write: WriteRequest): string {
  const name = fieldOf(metadata, "name");
  if (typeof name === "string" && name !== "") return name;
  const prefix = fieldOf(metadata, "generateName");
  if (typeof prefix !== "string" || prefix === "") {
    throw invalid(kind, "", [
      { field: "metadata.name", message: "required: set a name or a generateName." },
    ]);
  }
  // A repeated request must meet the object it made the first time, so its name follows from its
  // key. Another caller with the same key means another object (ID1).
  const whose = JSON.stringify([operationSpace(write.actor), write.idempotencyKey]);
  const hash = createHash("sha256").update(whose).digest();
  const letters = Array.from({ length: SUFFIX_LENGTH }, (_, at) => {
    const number = write.isRepeatable ? (hash[at] ?? 0) : randomInt(256);
    return SUFFIX_LETTERS[number % SUFFIX_LETTERS.length] ?? "";
  });
  return `${prefix}${letters.join("")}`;
}
