/** Turns what went wrong into the Status object that Kubernetes clients understand. */
import { unreachable } from "../../core/model/assert.ts";
import type { Refusal } from "../../core/protocol/outcome.ts";
import { REFUSALS, type RefusalCode } from "../../core/protocol/refusals.ts";
import { parseKey, type ObjectKey } from "../../core/model/ids.ts";
import { API_ERRORS, ApiError, type ApiErrorCode, type ErrorDetails } from "../errors.ts";
import { BODY } from "./body-limits.ts";
import { echoed } from "./echoed.ts";
import { type NamedTarget, resourceName, targetKey } from "../list/served-kind.ts";

/** Answers of a plane that does not lead: by then an election is usually over. */
export const RETRY_AFTER_SECONDS = 1;

export interface StatusObject {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: "Failure" | "Success";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: ErrorDetails;
  readonly code: number;
}

export function statusOf(error: ApiError): StatusObject {
  const { status: code, reason } = API_ERRORS[error.code];
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: echoed(error.message, BODY.messageCharacters),
    reason,
    ...(Object.keys(error.details).length === 0 ? {} : { details: bounded(error.details) }),
    code,
  };
}

/** What an error repeats of its request is cut here at the latest. */
function bounded({ name, causes, ...details }: ErrorDetails): ErrorDetails {
  return {
    ...(name === undefined ? {} : { name: echoed(name, BODY.causeCharacters) }),
    ...details,
    ...(causes === undefined
      ? {}
      : {
          causes: causes.map(({ reason, message, field }) => ({
            reason,
            message: echoed(message, BODY.causeCharacters),
            ...(field === undefined ? {} : { field: echoed(field, BODY.causeCharacters) }),
          })),
        }),
  };
}

export const success = (details: ErrorDetails): StatusObject => ({
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
  details,
  code: 200,
});

export const detailsOf = ({ kind, name }: NamedTarget): ErrorDetails => ({
  name,
  ...(kind.group === "" ? {} : { group: kind.group }),
  kind: kind.api.plural,
});

export const notFound = (target: NamedTarget): ApiError =>
  ApiError.worded(
    "not-found",
    `${resourceName(target.kind)} "${target.name}" not found`,
    detailsOf(target),
  );

export const alreadyExists = (target: NamedTarget): ApiError =>
  ApiError.worded(
    "already-exists",
    `${resourceName(target.kind)} "${target.name}" already exists`,
    detailsOf(target),
  );

export const conflictOn = (target: NamedTarget, why: string): ApiError =>
  ApiError.worded(
    "conflict",
    `Operation cannot be fulfilled on ${resourceName(target.kind)} "${target.name}": ${why}`,
    detailsOf(target),
  );

export const notLeading = (): ApiError =>
  new ApiError("not-leading", "", { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** What the authority's no means to a user who wrote or deleted the target. */
export function refusalError(refusal: Refusal, target: NamedTarget): ApiError {
  const { code, field, expected, actual } = refusal;
  if (code === "no-such-object") return missingError(refusal, target);
  if (code === "already-exists") return alreadyExists(target);
  if (code === "revision-changed" || code === "generation-changed") {
    return conflictOn(
      target,
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  }
  const message = `${REFUSALS[code].sentence} ${field}: expected ${echoed(String(expected))}, found ${echoed(String(actual))}.`;
  return ApiError.worded(
    errorCodeOf(code),
    `${resourceName(target.kind)} "${target.name}": ${message}`,
    { ...detailsOf(target), causes: [{ reason: code, message, field }] },
  );
}

/** The object itself, the tenant it would belong to, or something else it names. */
function missingError({ field }: Refusal, target: NamedTarget): ApiError {
  const key = (field.split(" ")[0] ?? field) as ObjectKey;
  const missing = parseKey(key);
  if (key === targetKey(target)) return notFound(target);
  if (missing.kind === "Tenant") {
    return ApiError.worded("not-found", `namespaces "${missing.name}" not found`, {
      name: missing.name,
      kind: "namespaces",
    });
  }
  const message = `There is no ${missing.kind} "${missing.name}".`;
  return ApiError.worded(
    "invalid-object",
    `${resourceName(target.kind)} "${target.name}" is invalid: ${message}`,
    { ...detailsOf(target), causes: [{ reason: "FieldValueNotFound", message, field: key }] },
  );
}

/** Every code is listed, so that a new one is a decision and not an accident. */
function errorCodeOf(code: RefusalCode): ApiErrorCode {
  switch (code) {
    case "no-such-object":
      return "not-found";
    case "already-exists":
      return "already-exists";
    case "bad-object":
    case "object-too-large":
    case "pool-fixed":
    case "bad-reading":
    case "quota-below-use":
    case "preemption-cycle":
    case "completions-fixed":
    case "override-fixed":
    case "budget-fixed":
    case "revision-immutable":
    case "pointer-not-put":
    case "operation-reused":
      return "invalid-object";
    case "not-owner":
    case "session-ended":
    case "node-fenced":
    case "evidence-missing":
    case "not-holder":
    case "capacity-over-ceiling":
    case "label-reserved":
    case "override-owned":
    case "budget-owned":
      return "not-allowed";
    case "stale-epoch":
    case "wrong-stage":
    case "wrong-life":
    case "revision-changed":
    case "generation-changed":
    case "being-deleted":
    case "still-in-use":
    case "slot-not-wanted":
    case "gang-incomplete":
    case "already-bound":
    case "node-not-schedulable":
    case "node-full":
    case "device-taken":
    case "location-not-allowed":
    case "node-not-selected":
    case "taint-not-tolerated":
    case "supply-is-soft":
    case "too-many-on-node":
    case "kept-apart":
    case "too-uneven":
    case "quota-missing":
    case "quota-exceeded":
    case "books-wrong":
    case "reservation-exists":
    case "reservation-not-held":
    case "reservation-in-use":
    case "lease-replayed":
    case "evidence-wrong":
    case "lease-not-over":
    case "correlated-silence":
    case "keeps-running":
    case "preemption-not-allowed":
    case "preemption-not-needed":
    case "preemption-rate":
    case "disruption-budget":
    case "hold-not-over":
    case "rollout-over":
    case "rollout-surge":
    case "rollout-unavailable":
    case "rollout-paused":
    case "rollout-step":
    case "rollout-unfinished":
    case "job-parallelism":
    case "job-finished":
    case "job-retries":
    case "job-unfinished":
    case "job-ttl":
    case "recovery-reserve":
    case "recovery-not-due":
    case "damping-not-over":
    case "drain-not-over":
    case "replace-not-due":
    case "already-replaced":
    case "policy-moved":
    case "already-active":
    case "policy-staged":
    case "held-by-override":
    case "region-cut-off":
    case "not-confirmed":
    case "confirm-not-due":
    case "override-over":
    case "override-not-over":
    case "too-many-overrides":
    case "budget-reserve":
    case "grant-not-due":
    case "budget-missing":
    case "budget-over":
    case "budget-not-for":
    case "budget-spent":
    case "budget-in-use":
    case "budget-not-over":
    case "workload-taken":
    case "observed-lately":
    case "observation-old":
    case "scale-bounds":
    case "scale-not-due":
    case "replicas-pending":
    case "scaled-by-hand":
    case "provision-not-needed":
    case "provision-bound":
    case "provision-backoff":
    case "provision-not-over":
    case "provision-told":
    case "node-not-idle":
    case "tenant-full":
      return "conflict";
    default:
      return unreachable(code);
  }
}
