/**
 * The public keys of an issuer, each with an id of its own: whether a key is still there after a
 * rotation is asked of the key itself, not of the name that its issuer gives it.
 */
import { createHash } from "node:crypto";
import { createLocalJWKSet, type JWTHeaderParameters, type LocalJWKSet } from "jose";
import { JWT_LIMITS } from "./jwt-limits.ts";
import { recordOf } from "./record-of.ts";

/** Signatures of a private key only: a shared secret would let each reader of it sign. */
export const ALGORITHMS: readonly string[] = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

export interface IssuerKey {
  readonly id: string;
  readonly kid: string | undefined;
  readonly resolve: LocalJWKSet;
}

/** Throws what is wrong with the document; keys for other uses are left out. */
export function readKeySet(document: unknown): readonly IssuerKey[] {
  const { keys } = recordOf(document);
  if (!Array.isArray(keys)) throw new Error("the key set has no list `keys`");
  if (keys.length > JWT_LIMITS.keys.value) {
    throw new Error(
      `the key set has ${keys.length} keys, at most ${JWT_LIMITS.keys.value} are read`,
    );
  }
  const read = keys.map(recordOf).filter(isForSignatures).map(keyOf);
  if (read.length > 0) return read;
  throw new Error("the key set has no public key for signatures");
}

const KINDS: readonly unknown[] = ["RSA", "EC", "OKP"];

const isForSignatures = ({ kty, use }: Readonly<Record<string, unknown>>): boolean =>
  KINDS.includes(kty) && (use === undefined || use === "sig");

function keyOf(fields: Readonly<Record<string, unknown>>): IssuerKey {
  const { d, p, q, dp, dq, qi, ...shown } = fields;
  if ([d, p, q, dp, dq, qi].some((part) => part !== undefined)) {
    throw new Error("the key set has a private key: its issuer must replace that key");
  }
  const { kty, n, e, crv, x, y, kid } = shown;
  const id = createHash("sha256")
    .update(JSON.stringify([kty, n, e, crv, x, y]))
    .digest("hex");
  return {
    id,
    kid: typeof kid === "string" ? kid : undefined,
    resolve: createLocalJWKSet({ keys: [shown] }),
  };
}

/** The key that a header means; undefined if none does, or more than one. */
export function keyFor(
  keys: readonly IssuerKey[],
  { kid }: JWTHeaderParameters,
): IssuerKey | undefined {
  const met = keys.filter((key) => kid === undefined || key.kid === kid);
  return met.length === 1 ? met[0] : undefined;
}
