/**
 * Seals secrets anew under the operator's first key, some at a time (SE9): each is a put of its
 * own, conditional on the object that was read, so a write that comes between is never lost. Once
 * none is left, no secret needs an earlier key.
 */
import type { FastifyRequest } from "fastify";
import type { Secret } from "../../core/model/objects.ts";
import { CannotOpen, resealed } from "../../host/seal/seal-secret.ts";
import type { SecretKeys } from "../../host/seal/secret-keys.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { SERVED_KINDS } from "../list/served-kinds.ts";
import type { NamedTarget, ServedKind } from "../list/served-kind.ts";
import { toApiMetadata, toDesiredMetadata } from "../metadata.ts";
import type { OwnerReference } from "../owner-references.ts";
import { commitPut, OVERTAKEN } from "../write/commit-put.ts";
import { parseWrite } from "../write/write-request.ts";

export interface RotationStep {
  /** Seals from now on. */
  readonly keyId: string;
  readonly rotated: number;
  /** Sealed with other keys still; those that none at hand opens among them. */
  readonly left: number;
  readonly unreadable: number;
  /** One of these. */
  readonly example?: string;
}

/** One answer comes within a moment, and other writes between two steps. */
const STEP = 32;

export async function rotateSome(
  context: ApiContext,
  request: FastifyRequest,
): Promise<RotationStep> {
  const { plane, secretKeys } = context;
  await secretKeys.reload?.();
  const keys = secretKeys.current;
  if (keys === undefined) {
    throw new ApiError("no-secret-key", "The plane was started without a key for secrets.");
  }
  const old = (): readonly Secret[] =>
    [...plane.objects.all("Secret").values()]
      .filter(({ spec: { seal } }) => seal !== undefined && seal.keyId !== keys.first.id)
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const unreadable = old().filter(({ spec }) => keys.find(spec.seal?.keyId ?? "") === undefined);
  const closed = new Set(unreadable);
  let rotated = 0;
  for (const secret of old()
    .filter((each) => !closed.has(each))
    .slice(0, STEP)) {
    if (await rotateOne(context, request, { secret, keys })) rotated += 1;
  }
  const [first] = unreadable;
  const named = first && { example: `${first.meta.namespace}/${first.meta.name}` };
  const counts = { rotated, left: old().length, unreadable: unreadable.length };
  return { keyId: keys.first.id, ...counts, ...named };
}

/** False where another write came first: the next step takes what that left. */
async function rotateOne(
  context: ApiContext,
  request: FastifyRequest,
  { secret, keys }: { readonly secret: Secret; readonly keys: SecretKeys },
): Promise<boolean> {
  const { namespace, name } = secret.meta;
  const target: NamedTarget = { kind: secretsKind(), namespace, name };
  const shown = toApiMetadata(secret.meta);
  const metadata = { ...shown, ownerReferences: (shown.ownerReferences ?? []) as OwnerReference[] };
  const wanted = {
    desired: { kind: "Secret", spec: anew(secret, keys) } as const,
    metadata: toDesiredMetadata(metadata, namespace, secret.meta),
  };
  const { idempotencyKey: _, ...write } = parseWrite(request);
  const put = { ...write, idempotencyKey: `rotate-${secret.meta.revision}`, isDryRun: false };
  const written = await commitPut(context, target, { wanted, held: secret, write: put });
  return written !== OVERTAKEN;
}

function anew({ key, spec }: Secret, keys: SecretKeys): Secret["spec"] {
  try {
    return resealed(key, spec, keys);
  } catch (error) {
    if (error instanceof CannotOpen) throw new ApiError("no-secret-key", error.message);
    throw error;
  }
}

function secretsKind(): ServedKind {
  const kind = SERVED_KINDS.find(({ api }) => api.kind === "Secret");
  if (kind === undefined) throw new ApiError("not-found", "This plane serves no secrets.");
  return kind;
}
