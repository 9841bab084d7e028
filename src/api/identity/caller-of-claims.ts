/**
 * The user and groups that the claims of a verified JWT state. A claim that is missing, has another
 * form or states a reserved name refuses the token as a whole: a caller with fewer groups than its
 * issuer says could be let in where a rule meant to keep it out.
 */
import type { JWTPayload } from "jose";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import type { ClaimName, IssuerRules } from "./issuer-rules.ts";
import { JWT_LIMITS } from "./jwt-limits.ts";
import { isReservedName } from "./reserved-name.ts";

const refused = (why: string): ApiError => new ApiError("not-authenticated", `The JWT ${why}.`);

export function callerOfClaims(
  claims: JWTPayload,
  { username, groups, required }: IssuerRules,
): Pick<Caller, "kind" | "name" | "groups" | "how"> {
  for (const { claim, value } of required) {
    if (claims[claim] !== value) throw refused(`needs the claim ${claim} to be "${value}"`);
  }
  // As Kubernetes: an address that its owner has not proved is any address.
  if (username.claim === "email" && "email_verified" in claims && !isVerified(claims)) {
    throw refused("states an email that is not verified");
  }
  return {
    kind: "user",
    name: nameIn(claims[username.claim], username),
    groups: groups === undefined ? [] : groupsIn(claims[groups.claim], groups),
    how: "jwt",
  };
}

const isVerified = ({ email_verified: verified }: JWTPayload): boolean => verified === true;

function groupsIn(value: unknown, of: ClaimName): readonly string[] {
  if (value === undefined) return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length > JWT_LIMITS.groups.value) {
    throw refused(
      `states ${values.length} groups, and at most ${JWT_LIMITS.groups.value} are accepted`,
    );
  }
  return values.map((each) => nameIn(each, of));
}

function nameIn(value: unknown, { claim, prefix }: ClaimName): string {
  if (typeof value !== "string" || value === "") {
    throw refused(`has no text in the claim ${claim}`);
  }
  const name = prefix + value;
  if (name.length > JWT_LIMITS.nameLength.value || !isPlain(name)) {
    const { value: most } = JWT_LIMITS.nameLength;
    throw refused(`needs at most ${most} printable characters in the claim ${claim}`);
  }
  if (isReservedName(name)) {
    throw refused(`states "${name}", which is a name of the plane's own, in the claim ${claim}`);
  }
  return name;
}

/** No controls, no separators of lines, nothing that turns the direction of text. */
const isPlain = (name: string): boolean => !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
