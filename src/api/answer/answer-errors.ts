/** Every error of a request as a Kubernetes Status, with the headers that belong to it. */
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { type RefusalCode, REFUSALS } from "../../core/protocol/refusals.ts";
import { isOfRoles } from "../access/forbidden.ts";
import type { Refusals } from "../access/refusals.ts";
import { API_ERRORS, ApiError, type ApiErrorCode } from "../errors.ts";
import type { ApiLog } from "../http/api-context.ts";
import { knownCallerOf } from "../http/caller.ts";
import { statusOf } from "../http/status-error.ts";

export function answerErrors(app: FastifyInstance, log: ApiLog, refusals: Refusals): void {
  app.setNotFoundHandler((request) => {
    throw new ApiError("no-such-path", `${request.method} ${request.url.slice(0, 200)}`);
  });
  app.setErrorHandler(async (error: FastifyError | ApiError, request, reply) => {
    const shown = error instanceof ApiError ? error : foreignError(error);
    if (shown.code === "internal-error") {
      log.error({ err: error, method: request.method, url: request.url }, "Request failed.");
    }
    if (shown.code === "not-allowed" && !isOfRoles(shown)) noteRule(refusals, request, shown);
    const { retryAfterSeconds } = shown.details;
    if (retryAfterSeconds !== undefined) void reply.header("Retry-After", retryAfterSeconds);
    // Closing while the client still sends would reset the connection under it, and the answer with
    // it. The rest of the body is read and dropped instead, until the request's time is up.
    if (shown.code === "body-too-large") void reply.removeHeader("connection");
    if (shown.code === "not-authenticated") void reply.header("WWW-Authenticate", "Bearer");
    await reply.code(API_ERRORS[shown.code].status).send(statusOf(shown));
  });
}

/** Of a sender or a command that no role could allow: by the rule, and what was asked for. */
function noteRule(refusals: Refusals, request: FastifyRequest, { details }: ApiError): void {
  const caller = knownCallerOf(request);
  if (caller === undefined) return;
  const code = details.causes?.[0]?.reason ?? "";
  const rule = isRefusalCode(code) ? REFUSALS[code].rule : BY_SENDER;
  const path = request.url.split("?")[0] ?? "";
  refusals.noteRule(caller, `${request.method} ${path}`, rule);
}

/** Which kinds of callers may send what at all. */
const BY_SENDER = "ID3";

const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(REFUSALS, code);

/** Errors that fastify itself makes before a route is reached. */
const FASTIFY_ERRORS: Readonly<Record<string, ApiErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body-too-large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported-media-type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "malformed-body",
  FST_ERR_BAD_URL: "bad-request",
};

function foreignError(error: FastifyError): ApiError {
  const code = FASTIFY_ERRORS[error.code];
  if (code !== undefined) return new ApiError(code, error.message);
  const isTheirs = error.statusCode !== undefined && error.statusCode < 500;
  return isTheirs ? new ApiError("bad-request", error.message) : new ApiError("internal-error");
}
