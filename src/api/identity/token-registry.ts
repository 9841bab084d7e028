/**
 * The tokens that a server takes, by their hashes: the tokens themselves are not kept. The list may
 * be replaced while the server runs; a token that is in the new list under the same name goes on,
 * and every other one is revoked.
 */
import type { NodeApproval } from "../../core/model/node/node-approval.ts";
import { digestOf, digestOfStated, tokenIdOf } from "./token-digest.ts";
import type { Caller, Joins } from "../http/caller.ts";
import { Credential } from "../http/credential.ts";

export interface ApiToken {
  /** In clear, or its stored form (`token-digest.ts`). */
  readonly token: string;
  /** `local`: the administrator of a plane that runs for one user. */
  readonly kind: Caller["kind"];
  /** Of the user, of the controller, or of the agent's node. */
  readonly name: string;
  /** Of a user. */
  readonly groups?: readonly string[];
  /** Of an agent: what its operator states of its node. */
  readonly approved?: NodeApproval;
  /** It buys an agent the certificate of its node, and opens nothing else. */
  readonly joins?: Joins;
  /** By the wall clock; left out: it does not expire. */
  readonly expiresMs?: number;
}

export class TokenRegistry {
  private byHash: ReadonlyMap<string, Credential> = new Map();

  constructor(tokens: readonly ApiToken[]) {
    this.replace(tokens);
  }

  get size(): number {
    return this.byHash.size;
  }

  /** Returns how many tokens were revoked. */
  replace(tokens: readonly ApiToken[]): number {
    const before = this.byHash;
    const after = new Map<string, Credential>();
    for (const { token, kind, name, groups = [], approved, joins, expiresMs } of tokens) {
      const of = digestOfStated(token);
      const credentialId = tokenIdOf(of);
      const known = { kind, name, groups, how: "token", credentialId } as const;
      const caller = {
        ...known,
        ...(approved === undefined ? {} : { approved }),
        ...(joins === undefined ? {} : { joins: { ...joins, token: of } }),
      };
      const kept = before.get(of);
      const isSame = kept !== undefined && sameCredential(kept, caller, expiresMs);
      after.set(of, isSame ? kept : new Credential(caller, expiresMs));
    }
    this.byHash = after;
    let revoked = 0;
    for (const [of, credential] of before) {
      if (after.get(of) === credential) continue;
      credential.revoke();
      revoked += 1;
    }
    return revoked;
  }

  /**
   * Looked up by hash: how long that takes says nothing about the tokens themselves. A stored form
   * is hashed like any other text, so that the list opens nothing for its reader.
   */
  find(token: string): Credential | undefined {
    return this.byHash.get(digestOf(token));
  }

  /** Ends what is open under tokens that have expired since. */
  endExpired(nowMs: number): void {
    for (const credential of this.byHash.values()) {
      if (credential.hasExpired(nowMs) && !credential.isRevoked) credential.revoke();
    }
  }
}

/** A line that was changed is another credential: its open streams were opened on other terms. */
const sameCredential = (
  { caller, expiresMs }: Credential,
  other: Caller,
  otherExpiresMs: number | undefined,
): boolean =>
  caller.kind === other.kind &&
  caller.name === other.name &&
  expiresMs === otherExpiresMs &&
  caller.groups.join() === other.groups.join() &&
  JSON.stringify(caller.joins) === JSON.stringify(other.joins) &&
  JSON.stringify(caller.approved) === JSON.stringify(other.approved);
