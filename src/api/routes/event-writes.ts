/**
 * Events that clients write about their own objects or Berth's: create, replace, patch and delete.
 * They are in the memory of the leading plane, like its own events.
 */
import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { tenantKey } from "../../core/model/ids.ts";
import { ApiError } from "../errors.ts";
import type { EventLog, EventRecord } from "../events/event-log.ts";
import { readWrittenEvent } from "../events/read-written-event.ts";
import { showEventRecord } from "../events/show-event-record.ts";
import type { ApiContext } from "../http/api-context.ts";
import { decodeObject } from "../http/decode-body.ts";
import { fieldOf, isJsonObject, type JsonObject } from "../http/json-value.ts";
import { alreadyExists, notFound, notLeading, success } from "../http/status-error.ts";
import { eventKind } from "../list/event-kind.ts";
import { applyMergePatch } from "../write/merge-patch.ts";
import { MERGE_PATCH } from "../write/patch.ts";
import { OBJECT_TYPES } from "../write/write.ts";

type Meta = EventRecord["meta"];
type Write = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** What events of cluster-wide objects are under, whether or not a tenant has the name. */
const NO_NAMESPACE = "default";
const PATCHES = [MERGE_PATCH, "application/strategic-merge-patch+json"];
const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

export interface EventWrites {
  readonly create: Write;
  readonly replace: Write;
  readonly patch: Write;
  readonly remove: Write;
  readonly removeWhere: (matches: (record: EventRecord) => boolean) => void;
}

const target = (meta: Meta) => ({ kind: eventKind, ...meta });

export function eventWrites(context: ApiContext, log: EventLog): EventWrites {
  const { plane, clock } = context;
  const written = (meta: Meta): EventRecord | undefined => {
    log.expire(clock.nowMs());
    for (const each of log.all()) {
      if (
        each.isWritten &&
        each.meta.name === meta.name &&
        each.meta.namespace === meta.namespace
      ) {
        return each;
      }
    }
    return undefined;
  };
  const known = (meta: Meta): EventRecord => {
    const record = written(meta);
    if (record === undefined) throw notFound(target(meta));
    return record;
  };
  const keep = (value: JsonObject, meta: Meta) =>
    showEventRecord(log.write(readWrittenEvent(value, { meta, nowMs: clock.nowMs() })));
  const checkLeading = (): void => {
    if (!plane.isLeading) throw notLeading();
  };
  return {
    create: async (request, reply) => {
      checkLeading();
      const { namespace = "" } = request.params as Partial<Meta>;
      const isThere = plane.objects.get(tenantKey(namespace)) !== undefined;
      if (!isThere && namespace !== NO_NAMESPACE) {
        const message = `namespaces "${namespace}" not found`;
        throw ApiError.worded("not-found", message, { name: namespace, kind: "namespaces" });
      }
      const { value } = decodeObject(request, OBJECT_TYPES);
      const meta = { namespace, name: nameOf(value) };
      if (written(meta) !== undefined) throw alreadyExists(target(meta));
      await reply.code(201).send(keep(value, meta));
    },
    replace: async (request, reply) => {
      checkLeading();
      const { meta } = known(request.params as Meta);
      await reply.send(keep(decodeObject(request, OBJECT_TYPES).value, meta));
    },
    patch: async (request, reply) => {
      checkLeading();
      const record = known(request.params as Meta);
      const { value } = decodeObject(request, PATCHES);
      const patched = applyMergePatch(showEventRecord(record), value);
      if (isJsonObject(patched)) await reply.send(keep(patched, record.meta));
    },
    remove: async (request, reply) => {
      checkLeading();
      const { meta } = known(request.params as Meta);
      log.remove(meta);
      await reply.send(success({ name: meta.name, kind: "events" }));
    },
    removeWhere: (matches) => {
      checkLeading();
      for (const record of [...log.all()].filter((each) => each.isWritten && matches(each))) {
        log.remove(record.meta);
      }
    },
  };
}

function nameOf(value: JsonObject): string {
  const metadata = fieldOf(value, "metadata");
  const prefix = fieldOf(metadata, "generateName");
  const made =
    typeof prefix === "string" ? `${prefix}${randomBytes(5).toString("hex")}` : undefined;
  const name = fieldOf(metadata, "name") ?? made;
  if (typeof name === "string" && NAME.test(name)) return name;
  throw new ApiError(
    "invalid-object",
    "metadata.name: expected lower-case letters, digits, '-' and '.', or a generateName.",
  );
}
