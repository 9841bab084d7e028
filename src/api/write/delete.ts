/**
 * DELETE, of one object or of all that match. What has finalizers is marked and stays until they
 * are gone.
 */
import type { FastifyRequest } from "fastify";
import type { AnyObject } from "../../core/model/objects.ts";
import { ApiError } from "../errors.ts";
import type { Handler } from "../http/handler.ts";
import type { ApiContext } from "../http/api-context.ts";
import { checkNotRevoked } from "../http/authenticate.ts";
import { commitDelete, OVERTAKEN, type Written } from "./commit-put.ts";
import { decodeObject } from "../http/decode-body.ts";
import { fieldOf, type JsonObject } from "../http/json-value.ts";
import { checkAgain } from "./check-again.ts";
import { objectsAt } from "../list/list.ts";
import { checkExpected } from "./modify.ts";
import { parseShowing } from "../list/parse-showing.ts";
import { selectInTurns } from "../list/select-in-turns.ts";
import { select, type SelectorQuery } from "../list/selection.ts";
import { type NamedTarget, type ServedKind, type Target, targetKey } from "../list/served-kind.ts";
import { sendList } from "../list/send-list.ts";
import { showOne } from "../list/show.ts";
import { conflictOn, detailsOf, notFound, success } from "../http/status-error.ts";
import { KUBERNETES_TYPES } from "./write.ts";
import { parseDryRun, parseWrite } from "./write-request.ts";

interface Deletion {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly isDryRun: boolean;
  /** A node goes although replicas hold it. */
  readonly isOrphaning: boolean;
}

/**
 * Deletions of a collection that are under way at once: enough for full batches, not the whole log.
 */
const AT_ONCE = 64;
const TRIES_MAX = 5;

export const deleteOne: Handler<NamedTarget> = async (context, target, request, reply) => {
  const deletion = parseDeletion(request, target.kind);
  const showing = parseShowing(target.kind, request);
  const written = await checkAgain(context, () => carryOut(context, target, request, deletion));
  const { object, isGone, triedOn } = written;
  await reply.send(
    isGone
      ? success({ ...detailsOf(target), uid: object.meta.uid })
      : showOne(context, showing, object, triedOn),
  );
};

export const deleteMany: Handler<Target> = async (context, target, request, reply) => {
  const deletion = parseDeletion(request, target.kind);
  const showing = parseShowing(target.kind, request);
  const { matches } = select(target, request.query as SelectorQuery);
  const { revision } = context.plane;
  const all = objectsAt(context, target, revision);
  const { standing } = target.kind;
  const written = standing ? all.filter(({ key }) => !standing.objects.has(key)) : all;
  const objects = await selectInTurns(written, matches, context.limits.turnSelected);
  const failures: ApiError[] = [];
  for (let at = 0; at < objects.length; at += AT_ONCE) {
    checkNotRevoked(request);
    const together = objects.slice(at, at + AT_ONCE).map(async ({ meta }) => {
      const named = { kind: target.kind, namespace: meta.namespace, name: meta.name };
      try {
        await carryOut(context, named, request, deletion);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // Somebody else was faster: it is as gone as it should be.
        if (error.code !== "not-found") failures.push(error);
      }
    });
    await Promise.all(together);
  }
  // Some may be gone by now; a client that deletes the rest again loses nothing.
  const [first] = failures;
  if (first !== undefined) throw first;
  const metadata = { resourceVersion: String(context.plane.revision) };
  await sendList(context, reply, { showing, objects, metadata });
};

async function carryOut(
  context: ApiContext,
  target: NamedTarget,
  request: FastifyRequest,
  deletion: Deletion,
): Promise<Written> {
  const { actor, idempotencyKey, isRepeatable } = parseWrite(request);
  for (let tries = 1; ; tries++) {
    const held = context.plane.objects.get(targetKey(target));
    // It may be gone because this very request was carried out and its answer lost; only the
    // authority knows.
    const mayBeRepeated = isRepeatable && !deletion.isDryRun;
    if (held === undefined && !mayBeRepeated) throw notFound(target);
    if (held !== undefined) checkPreconditions(target, held, deletion);
    // Asking again for what is under way changes nothing, and is no mistake.
    if (held?.meta.deletingMs !== undefined) {
      return { object: held, isGone: false, triedOn: undefined };
    }
    const isConditional = deletion.uid !== undefined || deletion.resourceVersion !== undefined;
    const written = await commitDelete(context, target, {
      expect: isConditional && held !== undefined ? { revision: held.meta.revision } : {},
      isOrphaning: deletion.isOrphaning,
      write: { actor, isDryRun: deletion.isDryRun, idempotencyKey },
    });
    if (written !== OVERTAKEN) return written;
    if (tries === TRIES_MAX) throw conflictOn(target, "the object keeps changing; try again");
  }
}

function checkPreconditions(target: NamedTarget, held: AnyObject, deletion: Deletion): void {
  const { uid, resourceVersion } = deletion;
  const { name } = held.meta;
  const { uid: own = "" } = target.kind.metadata({ name, uid: held.meta.uid });
  if (uid !== undefined && uid !== own) {
    throw conflictOn(
      target,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${own}`,
    );
  }
  checkExpected(target, held, resourceVersion);
}

/** The body is DeleteOptions; older clients say the same in the query. */
function parseDeletion(request: FastifyRequest, { api }: ServedKind): Deletion {
  const query = request.query as { readonly dryRun?: string; readonly propagationPolicy?: string };
  const isEmpty = typeof request.body !== "string" || request.body.trim() === "";
  const options: JsonObject = isEmpty ? {} : decodeObject(request, KUBERNETES_TYPES).value;
  const policy = fieldOf(options, "propagationPolicy") ?? query.propagationPolicy ?? "";
  const isOrphaning = policy === "Orphan" && api.kind === "Node";
  if (policy === "Orphan" && !isOrphaning) {
    throw new ApiError(
      "invalid-object",
      "propagationPolicy Orphan is not supported: the dependents of a workload or tenant are deleted with it. Use Background or Foreground.",
    );
  }
  if (!isOrphaning && policy !== "" && policy !== "Background" && policy !== "Foreground") {
    throw new ApiError(
      "invalid-object",
      `propagationPolicy is ${JSON.stringify(policy).slice(0, 100)}; it can be Background or Foreground.`,
    );
  }
  const preconditions = fieldOf(options, "preconditions");
  return {
    uid: textOf(fieldOf(preconditions, "uid")),
    resourceVersion: textOf(fieldOf(preconditions, "resourceVersion")),
    isOrphaning,
    isDryRun: parseDryRun(fieldOf(options, "dryRun")) || parseDryRun(query.dryRun),
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
