/** Every error of a request as a Kubernetes Status, with the headers that belong to it. */
import type { FastifyError, FastifyInstance } from "fastify";
import { API_ERRORS, ApiError, type ApiErrorCode } from "../errors.ts";
import type { ApiLog } from "../http/api-context.ts";
import { statusOf } from "../http/status-error.ts";

export function answerErrors(app: FastifyInstance, log: ApiLog): void {
  app.setNotFoundHandler((request) => {
    throw new ApiError("no-such-path", `${request.method} ${request.url.slice(0, 200)}`);
  });
  app.setErrorHandler(async (error: FastifyError | ApiError, request, reply) => {
    const shown = error instanceof ApiError ? error : foreignError(error);
    if (shown.code === "internal-error") {
      log.error({ err: error, method: request.method, url: request.url }, "Request failed.");
    }
    const { retryAfterSeconds } = shown.details;
    if (retryAfterSeconds !== undefined) void reply.header("Retry-After", retryAfterSeconds);
    // Closing while the client still sends would reset the connection under it, and the answer with
    // it. The rest of the body is read and dropped instead, until the request's time is up.
    if (shown.code === "body-too-large") void reply.removeHeader("connection");
    if (shown.code === "not-authenticated") void reply.header("WWW-Authenticate", "Bearer");
    await reply.code(API_ERRORS[shown.code].status).send(statusOf(shown));
  });
}

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
