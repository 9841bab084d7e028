/** Turns what went wrong into the Status object that Kubernetes clients understand. */
import { REFUSAL_ERRORS } from "./refusal-errors.ts";
import type { Refusal } from "../../core/protocol/outcome.ts";
import { REFUSALS } from "../../core/protocol/refusals.ts";
import { parseKey, type ObjectKey } from "../../core/model/ids.ts";
import { API_ERRORS, ApiError, type ErrorDetails } from "../errors.ts";
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
    REFUSAL_ERRORS[code],
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
