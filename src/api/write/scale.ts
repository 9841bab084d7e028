/**
 * The scale subresource: the number of replicas and nothing else, as `kubectl scale` reads and
 * writes it.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { assert } from "../../core/model/assert.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ApiError } from "../errors.ts";
import { preview } from "../schema/preview.ts";
import type { Handler } from "../http/handler.ts";
import type { ApiContext } from "../http/api-context.ts";
import { decodeBody, decodeObject } from "../http/decode-body.ts";
import { sendWarnings } from "./field-validation.ts";
import { fieldOf, type JsonObject } from "../http/json-value.ts";
import { type Modification, modify } from "./modify.ts";
import { mediaTypeOf } from "../http/negotiate.ts";
import { JSON_PATCH, MERGE_PATCH, patched } from "./patch.ts";
import { waitUntilFresh } from "../list/resource-version.ts";
import { type NamedTarget, targetKey } from "../list/served-kind.ts";
import { showObject } from "../list/show.ts";
import { notFound } from "../http/status-error.ts";
import { OBJECT_TYPES, versionOf } from "./write.ts";
import { parseWrite } from "./write-request.ts";

export const getScale: Handler<NamedTarget> = async (context, target, _request, reply) => {
  const { plane, limits } = context;
  await waitUntilFresh(plane, undefined, limits.futureRevisionWaitMs);
  const held = plane.objects.get(targetKey(target));
  if (held === undefined) throw notFound(target);
  await reply.send(showScale(context, target, held));
};

export const replaceScale: Handler<NamedTarget> = async (context, target, request, reply) => {
  const { value } = decodeObject(request, OBJECT_TYPES);
  await setReplicas(context, target, { request, reply, change: () => value });
};

export const patchScale: Handler<NamedTarget> = async (context, target, request, reply) => {
  const type = mediaTypeOf(request.headers["content-type"]);
  const { value } = decodeBody(request, [JSON_PATCH, MERGE_PATCH]);
  const change = (scale: JsonObject): JsonObject => patched(scale, type, value).object;
  await setReplicas(context, target, { request, reply, change });
};

async function setReplicas(
  context: ApiContext,
  target: NamedTarget,
  of: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly change: (scale: JsonObject) => JsonObject;
  },
): Promise<void> {
  const { scale } = target.kind.api;
  assert(scale !== undefined, `${target.kind.name} cannot be scaled.`);
  const write = parseWrite(of.request);
  const change = (live: JsonObject): Modification => {
    const held = context.plane.objects.get(targetKey(target));
    if (held === undefined) throw notFound(target);
    const now = showScale(context, target, held);
    const wanted = of.change(now);
    const replicas = fieldOf(fieldOf(wanted, "spec"), "replicas") ?? 0;
    if (typeof replicas !== "number" || !Number.isSafeInteger(replicas) || replicas < 0) {
      throw new ApiError(
        "invalid-object",
        `spec.replicas is ${preview(replicas, 100)}; it is a whole number, 0 or more.`,
      );
    }
    const version = versionOf(wanted);
    return {
      object: { ...live, spec: scale.withReplicas(live["spec"], replicas) },
      expected: version === now.metadata.resourceVersion ? undefined : version,
    };
  };
  const modified = await modify(context, target, { write, duplicates: [], change });
  sendWarnings(of.reply, modified.warnings);
  await of.reply.send(showScale(context, target, modified.object));
}

function showScale(context: ApiContext, { kind }: NamedTarget, held: AnyObject) {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = showObject(
    context,
    kind,
    held,
  ).metadata;
  const status = kind.api.toApi(held, context.plane.objects).status;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: kind.api.scale?.replicas(held) ?? 0 },
    status: {
      replicas: fieldOf(status, "replicas") ?? 0,
      // There is no selector for the replicas of a workload but its name.
      selector: "",
    },
  };
}
