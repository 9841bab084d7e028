/**
 * Gives an agent the values of the secrets that a replica on its node needs (SE11). The authority
 * decides whether it may have them, at the moment of the question; this opens what was given, and
 * nothing else of the plane opens a value.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SecretsAsk } from "../../core/protocol/secrets-ask.ts";
import { secretsOperation } from "../../core/protocol/operations.ts";
import { secretKey, secretRefsOf } from "../../core/model/secret/secret-refs.ts";
import type { ObjectKey, Uid } from "../../core/model/ids.ts";
import type { Secret } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { CannotOpen, openValues, type PlainValues } from "../../host/seal/seal-secret.ts";
import type { SecretKeys } from "../../host/seal/secret-keys.ts";
import { AGENT_ANSWERS, asks, PATH } from "../access/route-rule.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { isLoopback } from "../http/authenticate.ts";
import { type Caller, callerOf } from "../http/caller.ts";
import { decodeObject } from "../http/decode-body.ts";
import { rotateSome } from "./rotate-secrets.ts";
import { notLeading } from "../http/status-error.ts";

/** The values in base64, by secret and key. */
export type GivenValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function addSecretRoutes(app: FastifyInstance, context: ApiContext): void {
  const { plane, secretKeys } = context;
  app.post("/commands/secrets", asks(AGENT_ANSWERS), async (request, reply) => {
    checkPrivate(request);
    const caller = callerOf(request);
    const ask = readSecretsAsk(decodeObject(request, ["application/json"]).value);
    checkNode(caller, ask);
    const replica = plane.objects.replica(ask.replica);
    const actor = { role: "agent", name: `agent:${ask.node}` } as const;
    const operation = secretsOperation(ask);
    const lookup = { kind: "lookup", operation, actor, attempt: 1, secrets: ask } as const;
    const answer = await plane.request(actor.name, lookup);
    if (answer.kind !== "secrets") throw notLeading();
    const isGiven = answer.decided.kind === "given" && replica !== undefined;
    const values = isGiven ? valuesFor(plane.objects, ask, secretKeys.current) : {};
    // No proxy and no cache on the way may keep them.
    void reply.header("Cache-Control", "no-store");
    await reply.send({ ...answer, values });
  });

  app.post("/secret-rotation", asks(PATH), (request) => rotateSome(context, request));
}

/** A value must not cross a network in clear. */
function checkPrivate({ protocol, ip }: FastifyRequest): void {
  if (protocol === "https" || isLoopback(ip)) return;
  throw new ApiError(
    "not-allowed",
    "Secrets are given over TLS only: serve the API with --tls-cert.",
  );
}

function checkNode({ kind, name, how }: Caller, { node }: SecretsAsk): void {
  // Without tokens every user of the machine is everything, agents included.
  const isOwn = kind === "agent" ? name === node : how === undefined;
  if (isOwn) return;
  throw new ApiError(
    "not-allowed",
    `Only the agent of the node to which a replica is bound gets its secrets; this is ${kind} ${name}, and asks for node ${node}.`,
  );
}

/** The body of a question for secrets. */
export function readSecretsAsk(body: Readonly<Record<string, unknown>>): SecretsAsk {
  const { replica, uid, incarnation, node, session } = body;
  const isWhole =
    typeof replica === "string" &&
    typeof uid === "string" &&
    typeof node === "string" &&
    Number.isSafeInteger(incarnation) &&
    Number.isSafeInteger(session);
  if (!isWhole) {
    throw new ApiError(
      "bad-request",
      "A question for secrets names replica, uid, incarnation, node and session.",
    );
  }
  const [name, of] = [replica as ObjectKey, uid as Uid];
  return {
    replica: name,
    uid: of,
    incarnation: incarnation as number,
    node,
    session: session as number,
  };
}

/** Only the keys that the template names. */
function valuesFor(
  objects: ObjectIndex,
  { replica: key }: SecretsAsk,
  keys: SecretKeys | undefined,
): GivenValues {
  const replica = objects.replica(key);
  const values: Record<string, Record<string, string>> = {};
  for (const ref of replica === undefined ? [] : secretRefsOf(replica.spec.template)) {
    const secret = objects.all("Secret").get(secretKey(replica?.meta.namespace ?? "", ref.name));
    const value = secret && opened(secret, keys).get(ref.key);
    // It went after the decision: the agent asks again.
    if (value === undefined) throw notLeading();
    values[ref.name] = { ...values[ref.name], [ref.key]: value.toString("base64") };
  }
  return values;
}

function opened({ key, spec }: Secret, keys: SecretKeys | undefined): PlainValues {
  if (keys === undefined) {
    throw new ApiError("no-secret-key", "The plane was started without a key for secrets.");
  }
  try {
    return openValues(key, spec, keys);
  } catch (error) {
    if (error instanceof CannotOpen) throw new ApiError("no-secret-key", error.message);
    throw error;
  }
}
