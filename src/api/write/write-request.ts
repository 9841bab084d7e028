/** What a request says about how its write is to be made, the same for every kind of write. */
import { createHash, randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Actor } from "../../core/model/actor.ts";
import type { NodeApproval } from "../../core/model/node/node-approval.ts";
import { ApiError } from "../errors.ts";
import { preview } from "../schema/preview.ts";
import { writerOf } from "../http/acting-caller.ts";
import { type Caller, callerOf } from "../http/caller.ts";
import { isTrue } from "../request/is-true.ts";
import { type FieldValidation, parseFieldValidation } from "./field-validation.ts";
import { withoutTokens } from "../../text/without-tokens.ts";

export interface WriteRequest {
  readonly actor: Actor;
  /** Who may need a power for what the object names. */
  readonly caller: Caller;
  /** Of an agent that registers its node: what its operator has stated of it. */
  readonly approved?: NodeApproval;
  readonly fieldManager: string;
  /** Whether the client named itself, or we took its name from its user agent. */
  readonly namesManager: boolean;
  readonly fieldValidation: FieldValidation;
  readonly isDryRun: boolean;
  /**
   * Of an apply: takes fields over from other managers. Of other writes: lifts what others hold of
   * a node.
   */
  readonly force: boolean;
  /** The same for every try of one intent, if the client says which tries belong together. */
  readonly idempotencyKey: string;
  readonly isRepeatable: boolean;
}

interface WriteQuery {
  readonly dryRun?: string;
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
  readonly force?: string;
}

const NAME_MAX = 128;

export function parseWrite(request: FastifyRequest): WriteRequest {
  const query = request.query as WriteQuery;
  const { fieldManager = "" } = query;
  if (fieldManager.length > NAME_MAX || /[^\x20-\x7E]/.test(fieldManager)) {
    throw new ApiError(
      "bad-request",
      `fieldManager is at most ${NAME_MAX} printable characters long.`,
    );
  }
  const given = request.headers["idempotency-key"];
  const idempotencyKey = Array.isArray(given) ? given[0] : given;
  const caller = callerOf(request);
  return {
    caller,
    ...writerOf(caller),
    fieldManager: fieldManager === "" ? agentName(request.headers["user-agent"]) : fieldManager,
    namesManager: fieldManager !== "",
    fieldValidation: parseFieldValidation(query.fieldValidation),
    isDryRun: parseDryRun(query.dryRun),
    force: isTrue(query.force),
    idempotencyKey: idempotencyKey === undefined ? randomUUID() : keptKey(idempotencyKey),
    isRepeatable: idempotencyKey !== undefined,
  };
}

/**
 * A long key is not cut: two that begin alike would be one, and the second write would be lost. The
 * log and traces have the key, so one that holds a token is not kept as it is.
 */
const keptKey = (key: string): string =>
  key.length <= NAME_MAX && withoutTokens(key) === key
    ? key
    : createHash("sha256").update(key).digest("hex");

/** From a query, or from DeleteOptions, which may hold anything. */
export function parseDryRun(given: unknown): boolean {
  const values: readonly unknown[] = Array.isArray(given) ? given : [given ?? ""];
  const named = values.filter((value) => value !== "");
  if (named.some((value) => value !== "All")) {
    throw new ApiError("bad-request", `dryRun is ${preview(given, 100)}; it can be All.`);
  }
  return named.length > 0;
}

/** `kubectl/v1.32.4 (linux/amd64)` is kubectl. */
const agentName = (userAgent: string | undefined): string =>
  (userAgent ?? "").split("/")[0]?.slice(0, NAME_MAX).trim() || "unknown";
