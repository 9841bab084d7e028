/**
 * Signs tokens by which a replica says who it is, and knows callers by them. Others check a token
 * with the published keys; the plane also looks whether its replica still runs in that incarnation,
 * so that here a token is void at once when it does not.
 */
import { createPublicKey, randomUUID } from "node:crypto";
import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import { ApiError } from "../errors.ts";
import { Credential } from "../http/credential.ts";
import { recordOf } from "./record-of.ts";
import { digestOf, tokenIdOf } from "./token-digest.ts";
import { type WorkloadKey, workloadKeyFrom } from "./workload-key.ts";
import { WORKLOAD_LIMITS } from "./workload-limits.ts";

/** One process of one replica. */
export interface Incarnation {
  readonly replica: ObjectKey;
  readonly uid: string;
  readonly incarnation: number;
  readonly node: string;
}

export type Runs = (of: Incarnation) => boolean;

export const WORKLOAD_USER_PREFIX = "berth:workload:";
const GROUP_OF_ALL = "berth:workloads";

interface Known {
  readonly credential: Credential;
  readonly of: Incarnation;
}

export class WorkloadIdentities {
  readonly issuer: string;
  readonly key: WorkloadKey;
  private readonly known = new Map<string, Known>();

  constructor(signerKey: string, issuer: string) {
    this.key = workloadKeyFrom(signerKey);
    this.issuer = issuer;
  }

  async sign({ key, meta, spec, status }: Replica): Promise<{ token: string; expires: string }> {
    const { namespace: tenant, name } = parseKey(key);
    const { workload, template } = spec;
    const [first, ...others] = template.run?.identity ?? [];
    if (first === undefined) {
      const message = `The template of ${tenant}/${name} has no run.identity.`;
      throw new ApiError("not-allowed", message);
    }
    const untilMs = Date.now() + WORKLOAD_LIMITS.lifeMs.value;
    const { incarnation, node } = status;
    const claims = { tenant, workload, replica: name, uid: meta.uid, incarnation, node };
    const token = await new SignJWT({ berth: claims })
      .setProtectedHeader({ alg: "ES256", kid: this.key.kid, typ: "JWT" })
      .setIssuer(this.issuer)
      .setSubject(`${tenant}/${workload}/${name}`)
      .setAudience(others.length === 0 ? first : [first, ...others])
      .setIssuedAt()
      .setNotBefore("-30s")
      .setExpirationTime(Math.floor(untilMs / 1_000))
      .setJti(randomUUID())
      .sign(this.key.privateKey);
    return { token, expires: new Date(untilMs).toISOString() };
  }

  /** Undefined: the token is none of these. Throws why one is refused. */
  async find(token: string, runs: Runs): Promise<Credential | undefined> {
    const digest = digestOf(token);
    const known = this.known.get(digest) ?? (await this.verify(token, digest));
    if (known === undefined) return undefined;
    if (!runs(known.of)) {
      this.known.delete(digest);
      known.credential.revoke();
      throw refused("is of a process that has ended");
    }
    return known.credential;
  }

  /** Ends what is open under tokens that have ended, and under those of processes that have. */
  look(wallMs: number, runs: Runs): void {
    for (const [digest, { credential, of }] of this.known) {
      if (!credential.hasExpired(wallMs) && runs(of)) continue;
      this.known.delete(digest);
      credential.revoke();
    }
  }

  private async verify(token: string, digest: string): Promise<Known | undefined> {
    if (kidOf(token) !== this.key.kid) return undefined;
    const claims = await this.claimsOf(token);
    const of = incarnationOf(claims);
    const { namespace: tenant } = parseKey(of.replica);
    const caller = {
      kind: "user",
      name: `${WORKLOAD_USER_PREFIX}${tenant}:${of.workload}`,
      groups: [GROUP_OF_ALL, `${GROUP_OF_ALL}:${tenant}`],
      how: "workload",
      credentialId: tokenIdOf(digest),
    } as const;
    const known = { credential: new Credential(caller, (claims.exp ?? 0) * 1_000), of };
    this.keep(digest, known);
    return known;
  }

  private async claimsOf(token: string): Promise<JWTPayload> {
    const { issuer, key } = this;
    try {
      // For whom a token is, others check: at the plane each may ask who it is.
      const options = { issuer, algorithms: ["ES256"], requiredClaims: ["exp"] };
      return (await jwtVerify(token, createPublicKey(key.privateKey), options)).payload;
    } catch {
      throw refused("has ended, or cannot be verified");
    }
  }

  private keep(digest: string, known: Known): void {
    this.known.set(digest, known);
    if (this.known.size <= WORKLOAD_LIMITS.kept.value) return;
    for (const [other, { credential }] of this.known) {
      if (credential.openCount > 0 || other === digest) continue;
      this.known.delete(other);
      return;
    }
  }
}

const refused = (why: string): ApiError =>
  new ApiError("not-authenticated", `The workload identity token ${why}.`);

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

/** Signed by the plane itself, so it has what the plane wrote. */
function incarnationOf({ berth }: JWTPayload): Incarnation & { readonly workload: string } {
  const { tenant, workload, replica, uid, incarnation, node } = recordOf(berth);
  return {
    replica: `Replica/${String(tenant)}/${String(replica)}` as ObjectKey,
    workload: String(workload),
    uid: String(uid),
    incarnation: Number(incarnation),
    node: String(node),
  };
}
