/** Who sends a command. The role decides which transitions it owns; the name tells two of a role apart. */
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
  "roll-out",
  "keep-recovery",
  "finish-batch",
  "expire-override",
  "grant-budget",
  "expire-budget",
  "settle-region",
  "gauge",
  "scale",
  "provision",
  "retire-idle",
  "provisioner",
  "agent",
] as const;
export type Role = (typeof ROLES)[number];

export interface Actor {
  readonly role: Role;
  readonly name: string;
}
