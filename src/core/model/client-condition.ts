/** What clients say of objects, beside what the plane does. */
/**
 * Something that a client outside the plane says of the object. Kept and shown; no decision looks
 * at it.
 */
export interface ClientCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly sinceMs: number;
  /** The generation it was said of, if the client says so. */
  readonly observedGeneration?: number;
}
