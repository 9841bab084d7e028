/**
 * SIGHUP asks a long-running process to read its files again, as it does of other servers; it never
 * ends one.
 */
export function onHangup(reload: () => void): () => void {
  process.on("SIGHUP", reload);
  return () => void process.off("SIGHUP", reload);
}
