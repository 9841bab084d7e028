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
  "dashboard",
  "flood",
  "victim",
] as const;
export type PartRole = (typeof PART_ROLES)[number];
