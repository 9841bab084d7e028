/** Groups in the order of their first member; Node 20 has no `Map.groupBy`. */
export function groupBy<T>(all: Iterable<T>, keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}
