/**
 * How faults and draws speak of a message: its operation without the parts that count something
 * else. Uids and the `@revision` of a report come from the log's numbering, which any earlier fault
 * moves; a fault aimed by them would miss as soon as another is taken away, and scenario files
 * would rot.
 */
export function steadyLabel(operation: string): string {
  if (operation.startsWith("lease/")) return operation;
  return operation.replace(UID, "/*").replace(SEEN_AT, "@*");
}

/**
 * Uids are `u` and the revision of the object's creation, and what tells apart those made in one
 * commit.
 */
const UID = /\/u\d+(?:\.[^/]+)?(?=\/|$)/g;
const SEEN_AT = /@\d+$/;
