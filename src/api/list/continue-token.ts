/**
 * Where the next page of a list begins: opaque to clients, and bound to the revision of the first
 * page.
 */
import type { ObjectKey, Revision } from "../../core/model/ids.ts";
import { ApiError } from "../errors.ts";
import { fieldOf } from "../http/json-value.ts";

export interface ContinueToken {
  readonly revision: Revision;
  /** The last object of the page before. */
  readonly after: ObjectKey;
}

export function writeContinueToken({ revision, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 1, revision, after })).toString("base64url");
}

export function readContinueToken(text: string | undefined): ContinueToken | undefined {
  if (text === undefined || text === "") return undefined;
  const value = parsed(text);
  const revision = fieldOf(value, "revision");
  const after = fieldOf(value, "after");
  if (
    typeof revision !== "number" ||
    !Number.isSafeInteger(revision) ||
    typeof after !== "string"
  ) {
    throw new ApiError("bad-request", "The continue token is not from this server.");
  }
  return { revision, after: after as ObjectKey };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
