/**
 * One thing that a commit did to one object, told twice: as what the sender did, for the audit
 * trail, and as what it means for the object, for its events.
 */
export interface FactEvent {
  readonly type: "Normal" | "Warning";
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  /** A sentence, for people. */
  readonly message: string;
}

export interface Fact {
  /**
   * Without its subject: "scaled payments/risk-api from 4 to 6". Left out of what only followed.
   */
  readonly did?: string | undefined;
  /** Left out of what is no news to people who watch the object. */
  readonly event?: FactEvent;
}

export const normal = (reason: string, message: string, did?: string): Fact => ({
  did,
  event: { type: "Normal", reason, message },
});

export const warning = (reason: string, message: string, did?: string): Fact => ({
  did,
  event: { type: "Warning", reason, message },
});
