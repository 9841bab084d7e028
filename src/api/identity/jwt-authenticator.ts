/**
 * Knows callers by JWTs of configured issuers. A token is verified once and remembered by its hash
 * until it ends, its key is withdrawn or the configuration of its issuer changes; each of these
 * also ends what is open under it.
 */
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import { Credential } from "../http/credential.ts";
import { callerOfClaims } from "./caller-of-claims.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import type { IssuerRules } from "./issuer-rules.ts";
import { JWT_LIMITS } from "./jwt-limits.ts";
import { ALGORITHMS } from "./key-set.ts";
import { digestOf, tokenIdOf } from "./token-digest.ts";

interface Issuer {
  readonly rules: IssuerRules;
  readonly keys: IssuerKeys;
}

interface Known {
  readonly credential: Credential;
  readonly issuer: Issuer;
  readonly keyId: string;
}

export interface JwtAuthenticatorOf {
  readonly rules: readonly IssuerRules[];
  readonly onTrouble: (message: string) => void;
  /** For tests of what happens with time. */
  readonly nowMs?: () => number;
}

const LEEWAY_S = JWT_LIMITS.leewayMs.value / 1_000;

export class JwtAuthenticator {
  private readonly of: JwtAuthenticatorOf;
  private issuers: ReadonlyMap<string, Issuer> = new Map();
  /** By the hash of the token, the least lately verified first. */
  private readonly known = new Map<string, Known>();

  constructor(of: JwtAuthenticatorOf) {
    this.of = of;
    this.replace(of.rules);
  }

  /** An issuer whose rules are as before keeps its keys and tokens; returns how many others had. */
  replace(rules: readonly IssuerRules[]): number {
    const before = this.issuers;
    this.issuers = new Map(
      rules.map((each) => {
        const known = before.get(each.issuer);
        const isSame = known !== undefined && JSON.stringify(known.rules) === JSON.stringify(each);
        return [each.issuer, isSame ? known : this.issuerOf(each)];
      }),
    );
    return this.drop(({ issuer }) => this.issuers.get(issuer.rules.issuer) !== issuer);
  }

  /** Undefined: it is no JWT. Throws why a JWT is refused. */
  async find(token: string): Promise<Credential | undefined> {
    const digest = digestOf(token);
    const known = this.known.get(digest);
    if (known !== undefined) return known.credential;
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
    if (token.length > JWT_LIMITS.tokenBytes.value) {
      throw refused(`has more than ${JWT_LIMITS.tokenBytes.value} bytes`);
    }
    return this.verify(token, digest);
  }

  /** Ends what is open under tokens that have expired since, and asks for keys that are old. */
  look(wallMs: number): void {
    this.drop(({ credential }) => credential.hasExpired(wallMs));
    for (const { keys } of this.issuers.values()) keys.refresh();
  }

  private issuerOf(rules: IssuerRules): Issuer {
    const { onTrouble, nowMs } = this.of;
    const issuer: Issuer = {
      rules,
      keys: new IssuerKeys({
        issuer: rules.issuer,
        source: rules.keys,
        ...(nowMs === undefined ? {} : { nowMs }),
        onTrouble: (message) => onTrouble(`Cannot read the keys of ${rules.issuer}: ${message}.`),
        onRead: (ids) => this.drop((each) => each.issuer === issuer && !ids.has(each.keyId)),
      }),
    };
    return issuer;
  }

  private async verify(token: string, digest: string): Promise<Credential> {
    const { header, claims } = parts(token);
    const issuer = this.issuers.get(claims.iss ?? "");
    if (issuer === undefined) {
      throw refused("has an issuer that the plane does not know: see --auth-config");
    }
    if (!ALGORITHMS.includes(header.alg ?? "")) {
      throw refused("has a signature of a kind that the plane does not accept");
    }
    const key = await issuer.keys.find({ ...header, alg: header.alg ?? "" });
    if (key === undefined) throw refused("names a key that its issuer does not have");
    const verified = await verifiedClaims(token, issuer.rules, key.resolve);
    const caller: Caller = {
      ...callerOfClaims(verified, issuer.rules),
      credentialId: tokenIdOf(digest),
    };
    const expiresMs = ((verified.exp ?? 0) + LEEWAY_S) * 1_000;
    // Another request with the same token, or a new configuration, may have come meanwhile.
    const known = this.known.get(digest);
    if (known !== undefined) return known.credential;
    const credential = new Credential(caller, expiresMs);
    if (this.issuers.get(issuer.rules.issuer) !== issuer)
      throw refused("was issued under old rules");
    this.keep(digest, { credential, issuer, keyId: key.id });
    return credential;
  }

  private keep(digest: string, known: Known): void {
    this.known.set(digest, known);
    if (this.known.size <= JWT_LIMITS.kept.value) return;
    for (const [of, { credential }] of this.known) {
      // What is open under it must still be there to be ended.
      if (credential.openCount > 0 || of === digest) continue;
      this.known.delete(of);
      return;
    }
  }

  private drop(isOver: (known: Known) => boolean): number {
    let dropped = 0;
    for (const [digest, known] of this.known) {
      if (!isOver(known)) continue;
      this.known.delete(digest);
      known.credential.revoke();
      dropped += 1;
    }
    return dropped;
  }
}

const refused = (why: string): ApiError => new ApiError("not-authenticated", `The JWT ${why}.`);

function parts(token: string) {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch {
    throw refused("cannot be read");
  }
}

async function verifiedClaims(
  token: string,
  { issuer, audiences }: IssuerRules,
  resolve: Parameters<typeof jwtVerify>[1],
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, resolve as never, {
      issuer,
      audience: [...audiences],
      algorithms: [...ALGORITHMS],
      clockTolerance: LEEWAY_S,
      requiredClaims: ["exp"],
    });
    return payload;
  } catch (error) {
    throw refused(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "has expired: log in again";
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === "aud") return "is for another audience";
    if (error.claim === "nbf") return "is not valid yet: compare the clocks";
    return `has a wrong or missing claim ${error.claim}`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return "has a wrong signature";
  return "cannot be verified";
}
