/**
 * Requests under the rights of another user, as `kubectl --as` and `--as-group` send them. The
 * caller needs the verb `impersonate` for the user and for each group; from then on it is that user
 * with those groups, and has none of its own rights. The audit names both.
 */
import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { type Caller, callerOf, setCaller } from "../http/caller.ts";
import { echoed } from "../http/echoed.ts";
import type { Authorizer } from "./authorizer.ts";

/** As long as names and groups of a token file may be. */
const NAME_MAX = 128;
const GROUPS_MAX = 32;
/** The plane adds this one itself. */
const ADDED = "system:authenticated";

export function impersonated(authorizer: Authorizer, request: FastifyRequest): Caller {
  const caller = callerOf(request);
  const { headers } = request;
  const name = single(headers["impersonate-user"]);
  const said = headers["impersonate-group"];
  if (name === undefined) {
    if (said === undefined) return caller;
    throw new ApiError("bad-request", "Impersonate-Group needs Impersonate-User beside it.");
  }
  const groups = groupsOf(said).filter((group) => group !== ADDED);
  const asked = { verb: "impersonate", group: "" } as const;
  authorizer.require(caller, { ...asked, resource: "users", name });
  for (const group of groups) {
    authorizer.require(caller, { ...asked, resource: "groups", name: group });
  }
  const { how = "token", credentialId, credential, address } = caller;
  const other: Caller = {
    kind: "user",
    name,
    groups,
    how,
    ...(credentialId === undefined ? {} : { credentialId }),
    ...(credential === undefined ? {} : { credential }),
    ...(address === undefined ? {} : { address }),
  };
  setCaller(request, other);
  return other;
}

const single = (value: string | readonly string[] | undefined): string | undefined => {
  const text = typeof value === "string" ? value : value?.[0];
  return text === undefined || text === "" ? undefined : bounded("Impersonate-User", text);
};

/** Node joins headers of one name by a comma, which no group's name has. */
function groupsOf(value: string | readonly string[] | undefined): readonly string[] {
  const texts = typeof value === "string" ? value.split(",") : (value ?? []);
  const groups = texts.map((text) => bounded("Impersonate-Group", text.trim()));
  if (groups.length <= GROUPS_MAX) return groups;
  throw new ApiError(
    "bad-request",
    `Impersonate-Group: found ${groups.length} groups, expected at most ${GROUPS_MAX}.`,
  );
}

function bounded(header: string, text: string): string {
  if (text !== "" && text.length <= NAME_MAX && !/[^\x20-\x7E]/.test(text)) return text;
  throw new ApiError(
    "bad-request",
    `${header}: found "${echoed(text)}", expected 1 to ${NAME_MAX} printable characters.`,
  );
}
