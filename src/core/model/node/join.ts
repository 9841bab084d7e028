/** Which nodes a bootstrap token has let in, each with which key (NJ2). */
import type { ObjectKey, Uid } from "../ids.ts";

export interface JoinSpec {
  /** The beginning of the token's SHA-256, which opens nothing. */
  readonly token: string;
}

export interface JoinUse {
  readonly node: string;
  readonly uid: Uid;
  /** Of the public key that the agent made. */
  readonly keyId: string;
  readonly atMs: number;
}

export interface JoinStatus {
  readonly uses: readonly JoinUse[];
}

/** Half of a digest: two tokens never meet. */
const TOKEN_LETTERS = 32;

export const joinKey = (digest: string): ObjectKey =>
  `Join//${digest.slice(0, TOKEN_LETTERS)}` as ObjectKey;

/** Why a token that was used so lets in no node with this key; undefined: it does. */
export function whyNoJoin(
  uses: readonly JoinUse[],
  { node, uid, keyId }: Pick<JoinUse, "node" | "uid" | "keyId">,
  most: number,
): string | undefined {
  const same = uses.find((use) => use.node === node && use.uid === uid);
  if (same !== undefined) {
    return same.keyId === keyId ? undefined : "it was used for this node with another key";
  }
  return uses.length >= most ? `it was used ${uses.length} of ${most} times` : undefined;
}
