/** JSON pointers as people write paths: `/spec/spread/0/by` is `spec.spread[0].by`. */
export function fieldPath(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(fieldIn, "");
}

/**
 * The path of a field inside another. A key that is no plain word, such as a label's, stands in
 * brackets.
 */
export function fieldIn(path: string, key: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${key}]`;
  return path === "" ? key : `${path}.${key}`;
}
