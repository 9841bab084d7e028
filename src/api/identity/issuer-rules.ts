/** One issuer of JWTs, as an authentication configuration states it. */
import type { KeySource } from "./issuer-keys.ts";

/** A claim whose value becomes a name, behind a prefix. */
export interface ClaimName {
  readonly claim: string;
  readonly prefix: string;
}

export interface IssuerRules {
  /** As the claim `iss` names it. */
  readonly issuer: string;
  /** One of them is to be in the claim `aud`. */
  readonly audiences: readonly string[];
  readonly username: ClaimName;
  readonly groups?: ClaimName;
  readonly required: readonly { readonly claim: string; readonly value: string }[];
  readonly keys: KeySource;
}
