/** Milliseconds since 1970, as the core counts them, in the form Kubernetes clients read. */

/** Whole seconds: metadata and conditions have no finer times in Kubernetes. */
export function rfc3339(ms: number): string {
  return `${rfc3339Millis(ms).slice(0, 19)}Z`;
}

/** For Berth's own fields, where the order of two events within a second is worth seeing. */
export function rfc3339Millis(ms: number): string {
  return new Date(ms).toISOString();
}
