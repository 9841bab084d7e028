/** How a request wants to be shown what it asks for. */
import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import type { IncludeObject } from "../table.ts";
import { negotiateForm } from "../http/negotiate.ts";
import type { ServedKind } from "./served-kind.ts";
import type { Showing } from "./show.ts";

export const parseShowing = (kind: ServedKind, request: FastifyRequest): Showing => ({
  kind,
  form: negotiateForm(request.headers.accept),
  includeObject: parseIncludeObject(request),
});

export function parseIncludeObject(request: FastifyRequest): IncludeObject {
  const { includeObject = "Metadata" } = request.query as { readonly includeObject?: string };
  if (includeObject === "None" || includeObject === "Metadata" || includeObject === "Object") {
    return includeObject;
  }
  throw new ApiError(
    "bad-request",
    `includeObject is "${includeObject}"; it can be None, Metadata or Object.`,
  );
}
