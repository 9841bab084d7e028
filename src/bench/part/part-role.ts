/** What a process of a benchmark can be. */
export const PART_ROLES = [
  "place",
  "fleet",
  "create",
  "watch",
  "churn",
  "speak",
  "write",
  "read",
] as const;
export type PartRole = (typeof PART_ROLES)[number];
