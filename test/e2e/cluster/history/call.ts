/**
 * What a client remembers of one thing it asked for: when it began to ask, when it knew, and what it was told. A register is
 * one object, and every value that is ever written into one is written once, so that it names its writer.
 */

/** An object as somebody was shown it. */
export interface Shown {
  readonly key: string;
  readonly value: string;
  /** Its resourceVersion: when this value was written. */
  readonly revision: number;
  /** Of this incarnation of the key: it changes with every creation. */
  readonly uid: string;
}

export type Asked =
  | { readonly op: "create"; readonly key: string; readonly value: string }
  /** With `expected` it is a compare-and-set. */
  | {
      readonly op: "replace";
      readonly key: string;
      readonly value: string;
      readonly expected?: number;
    }
  | { readonly op: "delete"; readonly key: string }
  /** Without `notBefore` it asks for the present. */
  | { readonly op: "get"; readonly key: string; readonly notBefore?: number }
  | { readonly op: "list" };

export type Answer =
  | { readonly kind: "shown"; readonly object: Shown }
  | { readonly kind: "listed"; readonly revision: number; readonly objects: readonly Shown[] }
  | { readonly kind: "deleted"; readonly uid: string }
  | { readonly kind: "absent" }
  | { readonly kind: "exists" }
  | { readonly kind: "conflict" }
  /** It was said that nothing was done. */
  | { readonly kind: "refused"; readonly why: string }
  /** It may have been done, or be done yet. */
  | { readonly kind: "unknown"; readonly why: string };

export interface Call {
  readonly client: string;
  /** Whom it was sent to, one after the other; more than one only under an Idempotency-Key. */
  readonly planes: readonly string[];
  readonly asked: Asked;
  /** By one clock that never steps, for all clients. */
  readonly invokedMs: number;
  readonly returnedMs: number;
  readonly answer: Answer;
  /** What was answered when the same request was sent once more under its key, elsewhere, after it was answered. */
  readonly again?: Answer;
}

export type Write = Extract<Asked, { readonly op: "create" | "replace" }>;

export const isPut = (asked: Asked): asked is Write =>
  asked.op === "create" || asked.op === "replace";

export const isWrite = ({ op }: Asked): boolean => op !== "get" && op !== "list";

/** For a sentence about it. */
export function called({ client, planes, asked }: Call): string {
  const { op } = asked;
  const key = "key" in asked ? ` ${asked.key}` : "";
  const value = isPut(asked) ? `=${asked.value}` : "";
  const expected = "expected" in asked ? ` over ${asked.expected}` : "";
  const since = "notBefore" in asked ? ` not before ${asked.notBefore}` : "";
  return `${op}${key}${value}${expected}${since} of ${client} at ${planes.join(", ")}`;
}
