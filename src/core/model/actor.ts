/**
 * Who sends a command. The role decides which transitions it owns; the name tells two of a role
 * apart.
 */
export const ROLES = [
  "user",
  "admit",
  "place",
  "preempt",
  "node-health",
  "release-lost",
  "release-vanished",
  "release-forgotten",
  "reclaim-leak",
  "reclaim-quota",
  "drain-node",
  "unwind-policy",
  "empty-tenant",
  "lift-finalizer",
  "collect-owned",
  "roll-out",
  "keep-recovery",
  "finish-batch",
  "expire-override",
  "grant-budget",
  "expire-budget",
  "expire-binding",
  "settle-region",
  "gauge",
  "scale",
  "provision",
  // Scales idle nodes down. Names seed draws and stand in recordings, so it keeps this one.
  "retire-idle",
  "provisioner",
  // Speaks with the plane at the other end of the link between regions.
  "region-link",
  "apportion",
  "end-term",
  "end-learning",
  "agent",
] as const;
export type Role = (typeof ROLES)[number];

/**
 * How the caller that sent it was authenticated. The server that knows it says so, never the caller
 * itself (ID5).
 */
export interface Credential {
  /**
   * `local`: without a token, on the plane's own machine; its word is taken for everything else.
   */
  readonly kind: "local" | "user" | "agent" | "controller";
  /** Whose credential it is; left out where that is the actor's own name. */
  readonly name?: string;
  /**
   * Which one: the first eight hexadecimal digits of a token's SHA-256, `certificate SERIAL` or
   * `jwt ID`; left out where there was none.
   */
  readonly token?: string;
  /** Those that the credential states; left out: none. */
  readonly groups?: readonly string[];
  /** The binding or the group that allowed it, as roles name it; left out where none was asked. */
  readonly allowed?: string;
  /** From where the caller asked; left out: from the plane's own machine, or it is an agent. */
  readonly address?: string;
}

export interface Actor {
  readonly role: Role;
  readonly name: string;
  /** Left out: it came from inside the plane, or from a version that did not keep it. */
  readonly by?: Credential;
}
