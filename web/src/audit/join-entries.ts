/** Entries of the audit trail with more of them, newest first, each once. */
export function joinEntries<E extends { readonly revision: number }>(
  there: readonly E[],
  more: readonly E[],
): readonly E[] {
  const all = new Map<number, E>();
  for (const entry of [...there, ...more]) all.set(entry.revision, entry);
  return [...all.values()].toSorted((a, b) => b.revision - a.revision);
}
